"""Hidden checks of `causal_mask`: where True stands, at any size, as bools that `masked_fill` takes."""

import torch

from grader.suite import checks, exercise

causal_mask = exercise("causal_mask")
causal_mask.contract(context_length="=T", result="T T")


@causal_mask.check("document", ko="노트의 토큰 수에서 노트에 찍힌 마스크가 나옵니다.")
def test_mask_of_the_note(student, golden):
    """The note's number of tokens gives the mask that the note prints."""
    figure = golden("N2 In[61]")
    checks.matches_figure(student.causal_mask(figure.shape[0]), figure)


@causal_mask.check("property", ko="가려지는 토큰이 다음 행에서 더 늘지 않습니다.")
def test_rows_hide_different_numbers(student):
    """No two of the tokens have the same number of others hidden."""
    mask = checks.has_shape(student.causal_mask(6), (6, 6))
    checks.is_true(
        len(mask.double().sum(dim=-1).unique()) == 6,
        "From two tokens the same number of others is hidden.",
        "두 토큰에게 가려지는 토큰의 수가 같습니다.",
    )


@causal_mask.check("dtype", row="point", ko="마스크의 dtype은 bool입니다.")
def test_holds_bools(student):
    """The mask holds bools."""
    checks.has_dtype(student.causal_mask(5), torch.bool)
