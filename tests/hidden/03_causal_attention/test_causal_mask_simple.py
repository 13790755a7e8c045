"""Hidden checks of `causal_mask_simple`: where the ones stand, at any size, as numbers of the default dtype."""

import torch

from grader.suite import checks, exercise

causal_mask_simple = exercise("causal_mask_simple")


@causal_mask_simple.check("document", weight=1, ko="노트의 토큰 수에서 노트에 찍힌 마스크가 나옵니다.")
def test_mask_of_the_note(student, golden):
    """The note's number of tokens gives the mask that the note prints."""
    figure = golden("N0 In[28]")
    checks.matches_figure(student.causal_mask_simple(figure.shape[0]), figure)


@causal_mask_simple.check("value", weight=3, ko="토큰이 몇 개이든 자신과 앞의 토큰 자리만 1입니다.")
def test_other_sizes(student, reference, draw):
    """Whatever the number of tokens, the ones stand at a token itself and at those before it, and nowhere else."""
    cases = [checks.given(tokens) for tokens in (2, 3, 7, draw.choice(range(8, 40)))]
    checks.matches_reference_on_each(student, reference, "causal_mask_simple", cases)


@causal_mask_simple.check("shape", weight=1, needs=("test_other_sizes",), ko="토큰이 하나이면 모양은 (1, 1)입니다.")
def test_single_token(student, reference):
    """A single token gives a tensor of shape (1, 1) that holds 1."""
    checks.matches_reference(student, reference, "causal_mask_simple", 1)


@causal_mask_simple.check(
    "value",
    weight=1,
    needs=("test_other_sizes",),
    ko="토큰이 작은 예보다 훨씬 많아도 맞습니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens than in small examples are treated rightly."""
    checks.matches_reference(student, reference, "causal_mask_simple", draw.large())


@causal_mask_simple.check("dtype", weight=1, needs=("test_other_sizes",), ko="마스크의 dtype은 기본값인 float32입니다.")
def test_default_dtype(student):
    """The mask has torch's default dtype, float32."""
    checks.has_dtype(student.causal_mask_simple(4), torch.float32)


@causal_mask_simple.check(
    "policy", needs=("test_other_sizes",), ko="라이브러리의 마스크 함수를 쓰지 않고 직접 만듭니다."
)
def test_written_by_hand(student, reference, draw):
    """The mask is made without the library's function for it."""
    checks.no_forbidden_call(student, reference, "causal_mask_simple", draw.choice((2, 3, 7)))
