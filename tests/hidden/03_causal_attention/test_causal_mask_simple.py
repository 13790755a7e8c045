"""Hidden checks of `causal_mask_simple`: where the ones stand, at any size, as numbers of the default dtype."""

import torch

from grader.suite import checks, exercise

causal_mask_simple = exercise("causal_mask_simple")


SIZES = (2, 3, 7)


@causal_mask_simple.check(
    "property", weight=9, ko="결과는 (T, T) 텐서이고, 앞을 보는 것과 뒤를 보는 것이 서로 다릅니다."
)
def test_the_gate(student):
    """The result is a tensor (T, T) in which to look back is not the same as to look ahead."""
    for tokens in (3, 4):
        mask = checks.has_shape(student.causal_mask_simple(tokens), (tokens, tokens))
        checks.is_true(
            not torch.equal(mask, mask.mT),
            "The tokens before a token are treated as those after it.",
            "앞의 토큰과 뒤의 토큰을 똑같이 다룹니다.",
        )


@causal_mask_simple.check("document", weight=4, ko="노트의 토큰 수에서 노트에 찍힌 마스크가 나옵니다.")
def test_mask_of_the_note(student, golden):
    """The note's number of tokens gives the mask that the note prints."""
    figure = golden("N0 In[28]")
    checks.matches_figure(student.causal_mask_simple(figure.shape[0]), figure)


@causal_mask_simple.check("value", weight=20, ko="토큰이 몇 개이든 자신과 앞의 토큰 자리만 1입니다.")
def test_other_sizes(student, reference, draw):
    """Whatever the number of tokens, the ones stand at a token itself and at those before it, and nowhere else."""
    cases = [checks.given(tokens) for tokens in (*SIZES, draw.choice(range(8, 40)), 1)]
    checks.matches_reference_on_each(student, reference, "causal_mask_simple", cases)


@causal_mask_simple.check(
    "shape", weight=9, needs=("test_the_gate",), ko="모양은 (T, T)이고, 토큰이 하나이면 (1, 1)입니다."
)
def test_shape(student, draw):
    """The shape is (T, T), also for a single token."""
    for tokens in (1, 2, draw.choice(range(8, 40))):
        checks.has_shape(student.causal_mask_simple(tokens), (tokens, tokens))


@causal_mask_simple.check("property", weight=10, needs=("test_the_gate",), ko="마스크에는 0과 1만 있습니다.")
def test_ones_and_zeros(student, draw):
    """The mask holds ones and zeros, and nothing else."""
    mask = checks.has_shape(student.causal_mask_simple(6), (6, 6))
    checks.is_true(bool(((mask == 0) | (mask == 1)).all()), "It holds other numbers.", "다른 수가 들어 있습니다.")


@causal_mask_simple.check(
    "property", weight=10, needs=("test_the_gate",), ko="두 토큰이 얼마나 떨어져 있는지만으로 값이 정해집니다."
)
def test_only_the_distance_counts(student):
    """Whether one token may look at another depends on how far apart they are, not on where they are."""
    mask = checks.has_shape(student.causal_mask_simple(7), (7, 7))
    checks.is_true(
        torch.equal(mask[1:, 1:], mask[:-1, :-1]),
        "Two tokens in a row are treated otherwise than two others in a row.",
        "나란한 두 토큰을 나란한 다른 두 토큰과 다르게 다룹니다.",
    )


@causal_mask_simple.check("value", weight=8, needs=("test_other_sizes",), ko="토큰이 작은 예보다 훨씬 많아도 맞습니다.")
def test_large_sizes(student, reference, draw):
    """Far more tokens than in small examples are treated rightly."""
    checks.matches_reference(student, reference, "causal_mask_simple", 300 + draw.large())


@causal_mask_simple.check("dtype", weight=16, needs=("test_the_gate",), ko="마스크의 dtype은 기본값인 float32입니다.")
def test_default_dtype(student):
    """The mask has torch's default dtype, float32."""
    checks.has_dtype(student.causal_mask_simple(4), torch.float32)


@causal_mask_simple.check(
    "policy", needs=("test_other_sizes",), ko="라이브러리의 마스크 함수를 쓰지 않고 직접 만듭니다."
)
def test_written_by_hand(student, reference, draw):
    """The mask is made without the library's function for it."""
    checks.no_forbidden_call(student, reference, "causal_mask_simple", draw.choice(SIZES))
