"""Hidden checks of `causal_mask`: where True stands, at any size, as bools that `masked_fill` takes."""

import torch

from grader.suite import checks, exercise

causal_mask = exercise("causal_mask")


SIZES = (2, 6, 7)


@causal_mask.check("property", weight=9, ko="결과는 (T, T) 텐서이고, 앞을 보는 것과 뒤를 보는 것이 서로 다릅니다.")
def test_the_gate(student):
    """The result is a tensor (T, T) in which to look back is not the same as to look ahead."""
    for tokens in (3, 4):
        mask = checks.has_shape(student.causal_mask(tokens), (tokens, tokens))
        checks.is_true(
            not torch.equal(mask, mask.mT),
            "The tokens before a token are treated as those after it.",
            "앞의 토큰과 뒤의 토큰을 똑같이 다룹니다.",
        )


@causal_mask.check("document", weight=4, ko="노트의 토큰 수에서 노트에 찍힌 마스크가 나옵니다.")
def test_mask_of_the_note(student, golden):
    """The note's number of tokens gives the mask that the note prints."""
    figure = golden("N2 In[61]")
    checks.matches_figure(student.causal_mask(figure.shape[0]), figure)


@causal_mask.check("value", weight=28, ko="토큰이 몇 개이든 뒤에 오는 토큰 자리만 True입니다.")
def test_other_sizes(student, reference, draw):
    """Whatever the number of tokens, True stands at the tokens that come later, and nowhere else."""
    cases = [checks.given(tokens) for tokens in (*SIZES, draw.choice(range(8, 40)), 1)]
    checks.matches_reference_on_each(student, reference, "causal_mask", cases)


@causal_mask.check("shape", weight=9, needs=("test_the_gate",), ko="모양은 (T, T)이고, 토큰이 하나이면 (1, 1)입니다.")
def test_shape(student, draw):
    """The shape is (T, T), also for a single token."""
    for tokens in (1, 2, draw.choice(range(8, 40))):
        checks.has_shape(student.causal_mask(tokens), (tokens, tokens))


@causal_mask.check("property", weight=12, needs=("test_the_gate",), ko="가려지는 토큰이 다음 행에서 더 늘지 않습니다.")
def test_rows_hide_different_numbers(student):
    """No two of the tokens have the same number of others hidden."""
    mask = checks.has_shape(student.causal_mask(6), (6, 6))
    checks.is_true(
        len(mask.double().sum(dim=-1).unique()) == 6,
        "From two tokens the same number of others is hidden.",
        "두 토큰에게 가려지는 토큰의 수가 같습니다.",
    )


@causal_mask.check("value", weight=8, needs=("test_other_sizes",), ko="토큰이 작은 예보다 훨씬 많아도 맞습니다.")
def test_large_sizes(student, reference, draw):
    """Far more tokens than in small examples are treated rightly."""
    checks.matches_reference(student, reference, "causal_mask", 300 + draw.large())


@causal_mask.check("dtype", weight=16, needs=("test_the_gate",), ko="마스크의 dtype은 bool입니다.")
def test_holds_bools(student):
    """The mask holds bools."""
    checks.has_dtype(student.causal_mask(5), torch.bool)


@causal_mask.check("policy", needs=("test_other_sizes",), ko="라이브러리의 마스크 함수를 쓰지 않고 직접 만듭니다.")
def test_written_by_hand(student, reference, draw):
    """The mask is made without the library's function for it."""
    checks.no_forbidden_call(student, reference, "causal_mask", draw.choice(SIZES))
