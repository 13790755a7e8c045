"""Hidden checks of `merge_heads`: the place of every number, and a result in the order of its axes in memory."""

import torch

from grader.suite import checks, exercise

merge_heads = exercise("merge_heads")
merge_heads.contract(x="B H T d", result="B T H*d")


@merge_heads.check("document", ko="노트의 헤드별 결과가 노트에 찍힌 대로 합쳐집니다.")
def test_heads_of_the_note(student, golden):
    """The note's heads, unmasked and masked, are put together as the note prints them."""
    batch = torch.stack([golden(f"N2 In[{cell}] transposed").float32 for cell in (42, 64)])
    merged = checks.has_shape(student.merge_heads(batch), (2, 3, 4))
    for printed, rows in zip(("N2 In[44]", "N2 In[66]"), merged, strict=True):
        checks.matches_figure(rows, golden(printed))


@merge_heads.check("property", ko="숫자는 자리만 바뀔 뿐 그대로입니다.")
def test_numbers_are_moved_only(student):
    """The result holds the numbers of the input, each of them once."""
    x = torch.arange(120.0).reshape(2, 3, 5, 4)
    merged = checks.has_shape(student.merge_heads(x), (2, 5, 12))
    checks.close(merged.flatten().sort().values, x.flatten().double())


@merge_heads.check("property", row="point", ko="결과는 메모리에서 연속(contiguous)입니다.")
def test_result_is_contiguous(student, draw):
    """The result is contiguous in memory."""
    checks.is_true(
        student.merge_heads.observe(draw.normal(2, 3, 5, 4)).facts[0].contiguous,
        "The result is not contiguous in memory.",
        "결과가 메모리에서 연속적(contiguous)이지 않습니다.",
        for_students=True,
    )
