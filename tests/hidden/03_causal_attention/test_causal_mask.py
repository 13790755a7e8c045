"""Hidden checks of `causal_mask`: where True stands, at any size, as bools that `masked_fill` takes."""

import torch

from grader.suite import checks, exercise

causal_mask = exercise("causal_mask")


@causal_mask.check("document", weight=1, ko="노트의 토큰 수에서 노트에 찍힌 마스크가 나옵니다.")
def test_mask_of_the_note(student, golden):
    """The note's number of tokens gives the mask that the note prints."""
    figure = golden("N2 In[61]")
    checks.matches_figure(student.causal_mask(figure.shape[0]), figure)


@causal_mask.check("value", weight=3, ko="토큰이 몇 개이든 뒤에 오는 토큰 자리만 True입니다.")
def test_other_sizes(student, reference, draw):
    """Whatever the number of tokens, True stands at the tokens that come later, and nowhere else."""
    cases = [checks.given(tokens) for tokens in (2, 6, 7, draw.choice(range(8, 40)))]
    checks.matches_reference_on_each(student, reference, "causal_mask", cases)


@causal_mask.check("shape", weight=1, needs=("test_other_sizes",), ko="토큰이 하나이면 모양은 (1, 1)입니다.")
def test_single_token(student, reference):
    """A single token gives a tensor of shape (1, 1) that hides nothing."""
    checks.matches_reference(student, reference, "causal_mask", 1)


@causal_mask.check(
    "value",
    weight=1,
    needs=("test_other_sizes",),
    ko="토큰이 작은 예보다 훨씬 많아도 맞습니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens than in small examples are treated rightly."""
    checks.matches_reference(student, reference, "causal_mask", draw.large())


@causal_mask.check("dtype", weight=2, needs=("test_other_sizes",), ko="마스크의 dtype은 bool입니다.")
def test_holds_bools(student):
    """The mask holds bools."""
    checks.has_dtype(student.causal_mask(5), torch.bool)


@causal_mask.check("policy", needs=("test_other_sizes",), ko="라이브러리의 마스크 함수를 쓰지 않고 직접 만듭니다.")
def test_written_by_hand(student, reference, draw):
    """The mask is made without the library's function for it."""
    checks.no_forbidden_call(student, reference, "causal_mask", draw.choice((2, 6, 7)))
