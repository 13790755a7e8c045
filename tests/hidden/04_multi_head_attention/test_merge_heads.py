"""Checks of `merge_heads`: the place of every number, and that the result lies in memory in the order of its axes.

Where T differs from H a reshape without moving the axes gives the right shape and the wrong tokens, which is the
mistake that these checks look for.
"""

import torch

from grader.suite import checks, exercise

merge_heads = exercise("merge_heads")

SIZES = (
    (2, 3, 5, 4),
    (1, 2, 7, 5),
    (3, 4, 4, 6),
    (2, 3, 3, 3),
    (2, 1, 3, 6),
    (2, 6, 3, 1),
    (2, 5, 1, 3),
    (3, 3, 5, 4),
    (1, 1, 1, 1),
)  # B, H, T, head_dim


def numbered(B, H, T, head_dim, dtype=torch.float32):
    """Return (B, H, T, head_dim) numbers, all different."""
    return torch.arange(B * H * T * head_dim, dtype=dtype).reshape(B, H, T, head_dim)


@merge_heads.check("property", weight=4, ko="결과의 차원과 원소의 수가 맞고, 입력이 바뀌면 결과도 바뀝니다.")
def test_the_gate(student, reference, draw):
    """The result has as many dimensions and entries as asked, and another input gives another result."""
    checks.uses_every_input(student, reference, "merge_heads", draw.normal(2, 3, 5, 4), draw=draw)


@merge_heads.check("document", weight=3, ko="노트의 헤드별 결과가 노트에 찍힌 대로 합쳐집니다.")
def test_heads_of_the_note(student, golden):
    """The note's heads, unmasked and masked, are put together as the note prints them."""
    for heads, merged in (("N2 In[42] transposed", "N2 In[44]"), ("N2 In[64] transposed", "N2 In[66]")):
        result = student.merge_heads(golden(heads).float32.unsqueeze(0))
        checks.has_shape(result, (1, 3, 4))
        checks.matches_figure(result[0], golden(merged))


@merge_heads.check("value", weight=13, ko="연속된 숫자를 넣으면 토큰마다 헤드가 순서대로 놓입니다.")
def test_consecutive_numbers(student, reference):
    """Fed with consecutive numbers, every token gets its own heads side by side, head 0 first."""
    cases = [checks.given(numbered(*sizes)) for sizes in SIZES]
    checks.matches_reference_on_each(student, reference, "merge_heads", cases)


@merge_heads.check("value", weight=5, ko="임의의 입력도 크기에 관계없이 올바르게 합쳐집니다.")
def test_random_input(student, reference, draw):
    """Random numbers of several sizes end up at the right token and feature."""
    cases = [checks.given(draw.normal(*sizes)) for sizes in ((2, 3, 6, 5), (2, 3, 6, 5), (4, 5, 2, 3))]
    checks.matches_reference_on_each(student, reference, "merge_heads", cases)


@merge_heads.check("shape", weight=4, needs=("test_the_gate",), ko="모양은 (B, T, H * head_dim)입니다.")
def test_shape(student, draw):
    """The shape is (B, T, H * head_dim), also where one of these is 1."""
    for B, H, T, head_dim in ((2, 3, 5, 4), (1, 2, 4, 3), (2, 3, 1, 2), (2, 1, 3, 4), (2, 4, 3, 1)):
        checks.has_shape(student.merge_heads(draw.normal(B, H, T, head_dim)), (B, T, H * head_dim))


@merge_heads.check("property", weight=5, needs=("test_the_gate",), ko="숫자는 자리만 바뀔 뿐 그대로입니다.")
def test_numbers_are_moved_only(student):
    """The result holds the numbers of the input, each of them once."""
    x = numbered(2, 3, 5, 4)
    merged = checks.has_shape(student.merge_heads(x), (2, 5, 12))
    checks.close(merged.flatten().sort().values, x.flatten().double())


@merge_heads.check("property", weight=5, needs=("test_the_gate",), ko="결과는 메모리에서 연속(contiguous)입니다.")
def test_result_is_contiguous(student, draw):
    """The result is contiguous in memory."""
    for sizes in ((2, 3, 5, 4), (1, 2, 3, 4)):
        checks.is_contiguous(student.merge_heads.observe(draw.normal(*sizes)))


@merge_heads.check(
    "value", weight=3, needs=("test_consecutive_numbers",), ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다."
)
def test_views(student, reference, draw):
    """Heads that are views (transposed, sliced, expanded, or of `split_heads`) are treated like any others."""
    checks.any_layout(student, reference, "merge_heads", draw.normal(2, 3, 5, 4))
    as_split = draw.normal(2, 5, 3, 4).transpose(1, 2)
    checks.matches_reference(student, reference, "merge_heads", as_split)


@merge_heads.check(
    "value",
    weight=3,
    needs=("test_consecutive_numbers",),
    ko="항목, 토큰, 헤드, 특징이 작은 예보다 훨씬 많아도 됩니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more items, tokens, heads or features than in small examples are treated rightly."""
    cases = []
    for axis in range(4):
        sizes = [2, 3, 4, 2]
        sizes[axis] = (300 if axis in (1, 2) else 1000) + draw.large()
        cases.append(checks.given(draw.normal(*sizes)))
    checks.matches_reference_on_each(student, reference, "merge_heads", cases)


@merge_heads.check("dtype", weight=5, needs=("test_the_gate",), ko="결과의 dtype은 입력의 dtype과 같습니다.")
def test_keeps_the_dtype(student):
    """The result has the dtype of the input: float32, float64, bfloat16 and float16."""
    dtypes = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
    checks.keeps_dtypes(student, "merge_heads", [checks.given(numbered(2, 3, 4, 2, dtype)) for dtype in dtypes])


@merge_heads.check(
    "dtype", weight=1, needs=("test_consecutive_numbers",), ko="float64 숫자는 모든 자릿수를 그대로 지닙니다."
)
def test_float64_is_exact(student, reference, draw):
    """Numbers in float64 keep all their digits."""
    x = draw.normal(2, 3, 5, 4, dtype=torch.float64)
    checks.matches_reference(student, reference, "merge_heads", x, kind="exact")


@merge_heads.check("gradient", weight=8, needs=("test_the_gate",), ko="기울기가 입력까지 흐릅니다.")
def test_gradients_flow(student, reference, draw):
    """Gradients reach the input."""
    checks.gradients_flow(student, reference, "merge_heads", draw.normal(2, 3, 5, 4))


@merge_heads.check("gradient", weight=7, needs=("test_consecutive_numbers",), ko="기울기가 입력까지 올바르게 흐릅니다.")
def test_gradient_reaches_the_input(student, reference, draw):
    """The gradient flows back to the head that each number came from."""
    checks.gradient_matches(student, reference, "merge_heads", draw.normal(2, 3, 5, 4))


@merge_heads.check(
    "property", weight=3, needs=("test_consecutive_numbers",), ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다."
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, "merge_heads", draw.normal(2, 3, 5, 4), before=(draw.normal(2, 3, 5, 4),))


@merge_heads.check("purity", weight=15, needs=("test_the_gate",), ko="입력은 바뀌지 않습니다.")
def test_input_unchanged(student, draw):
    """The input holds the same numbers after the call."""
    checks.input_unchanged(student, "merge_heads", draw.normal(2, 3, 5, 4))


@merge_heads.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, "merge_heads", draw.normal(2, 3, 5, 4))
