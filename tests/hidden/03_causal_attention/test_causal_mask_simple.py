"""Hidden checks of `causal_mask_simple`: where the ones stand, at any size, as numbers of the default dtype."""

import torch

from grader.suite import checks, exercise

causal_mask_simple = exercise("causal_mask_simple")
causal_mask_simple.contract(context_length="=T", result="T T")


@causal_mask_simple.check("document", ko="노트의 토큰 수에서 노트에 찍힌 마스크가 나옵니다.")
def test_mask_of_the_note(student, golden):
    """The note's number of tokens gives the mask that the note prints."""
    figure = golden("N0 In[28]")
    checks.matches_figure(student.causal_mask_simple(figure.shape[0]), figure)


@causal_mask_simple.check("property", ko="마스크에는 0과 1만 있습니다.")
def test_ones_and_zeros(student, draw):
    """The mask holds ones and zeros, and nothing else."""
    mask = checks.has_shape(student.causal_mask_simple(6), (6, 6))
    checks.is_true(bool(((mask == 0) | (mask == 1)).all()), "It holds other numbers.", "다른 수가 들어 있습니다.")


@causal_mask_simple.check("property", ko="두 토큰이 얼마나 떨어져 있는지만으로 값이 정해집니다.")
def test_only_the_distance_counts(student):
    """Whether one token may look at another depends on how far apart they are, not on where they are."""
    mask = checks.has_shape(student.causal_mask_simple(7), (7, 7))
    checks.is_true(
        torch.equal(mask[1:, 1:], mask[:-1, :-1]),
        "Two tokens in a row are treated otherwise than two others in a row.",
        "나란한 두 토큰을 나란한 다른 두 토큰과 다르게 다룹니다.",
    )


@causal_mask_simple.check("dtype", row="point", ko="마스크의 dtype은 기본값인 float32입니다.")
def test_default_dtype(student):
    """The mask has torch's default dtype, float32."""
    checks.has_dtype(student.causal_mask_simple(4), torch.float32)
