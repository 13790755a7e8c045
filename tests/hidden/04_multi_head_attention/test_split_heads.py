"""Checks of `split_heads`, fed with consecutive numbers so that every misplaced feature shows.

Sizes are pairwise different where a swapped pair of axes must show, and equal (T = H = head_dim) where a mistake would
otherwise end in an error instead of a wrong number. The first random size comes twice, with other numbers.
"""

import torch

from grader.suite import checks, exercise

split_heads = exercise("split_heads")

SIZES = (
    (2, 5, 3, 4),
    (1, 7, 2, 5),
    (3, 4, 4, 6),
    (2, 3, 3, 3),
    (2, 3, 1, 6),
    (2, 3, 6, 1),
    (2, 1, 3, 4),
    (3, 5, 3, 4),
    (1, 1, 1, 1),
)  # B, T, H, head_dim


def numbered(B, T, d_model, dtype=torch.float32):
    """Return (B, T, d_model) numbers, all different."""
    return torch.arange(B * T * d_model, dtype=dtype).reshape(B, T, d_model)


@split_heads.check("property", weight=4, ko="결과의 차원과 원소의 수가 맞고, 입력이 바뀌면 결과도 바뀝니다.")
def test_the_gate(student, reference, draw):
    """The result has as many dimensions and entries as asked, and another input gives another result."""
    checks.uses_every_input(student, reference, "split_heads", draw.normal(2, 5, 12), 3, draw=draw)


@split_heads.check("document", weight=3, ko="노트의 Q, K, V가 노트에 찍힌 대로 헤드로 나뉩니다.")
def test_heads_of_the_note(student, golden):
    """The note's queries, keys and values are cut into the heads that the note prints."""
    for name in "QKV":
        heads = student.split_heads(golden(f"N2 In[35] {name}").float32.unsqueeze(0), 2)
        checks.has_shape(heads, (1, 2, 3, 2))
        checks.matches_figure(heads[0], golden(f"N2 In[39] {name}h transposed"))


@split_heads.check("value", weight=12, ko="연속된 숫자를 넣으면 헤드마다 자기 특징 블록을 받습니다.")
def test_consecutive_numbers(student, reference):
    """Fed with consecutive numbers, every head gets its own block of every token's features."""
    cases = [checks.given(numbered(B, T, H * head_dim), H) for B, T, H, head_dim in SIZES]
    checks.matches_reference_on_each(student, reference, "split_heads", cases)


@split_heads.check("value", weight=5, ko="임의의 입력도 크기에 관계없이 올바르게 나뉩니다.")
def test_random_input(student, reference, draw):
    """Random numbers of several sizes end up in the right head, token and place."""
    cases = [
        checks.given(draw.normal(B, T, H * head_dim), H)
        for B, T, H, head_dim in ((2, 6, 3, 5), (2, 6, 3, 5), (4, 2, 5, 3))
    ]
    checks.matches_reference_on_each(student, reference, "split_heads", cases)


@split_heads.check("shape", weight=4, needs=("test_the_gate",), ko="모양은 (B, H, T, head_dim)입니다.")
def test_shape(student, draw):
    """The shape is (B, H, T, head_dim), also where one of these is 1."""
    for B, T, H, head_dim in ((2, 5, 3, 4), (1, 4, 2, 3), (2, 1, 3, 2), (2, 3, 1, 4), (2, 3, 4, 1)):
        checks.has_shape(student.split_heads(draw.normal(B, T, H * head_dim), H), (B, H, T, head_dim))


@split_heads.check("property", weight=4, needs=("test_the_gate",), ko="숫자는 자리만 바뀔 뿐 그대로입니다.")
def test_numbers_are_moved_only(student):
    """The result holds the numbers of the input, each of them once."""
    x = numbered(2, 5, 12)
    heads = checks.has_shape(student.split_heads(x, 3), (2, 3, 5, 4))
    checks.close(heads.flatten().sort().values, x.flatten().double())


@split_heads.check(
    "property", weight=4, needs=("test_the_gate",), ko="헤드마다 토큰 자리에는 그 토큰의 특징만 있습니다."
)
def test_tokens_keep_their_features(student):
    """In every head a token's place holds features of that token."""
    heads = checks.has_shape(student.split_heads(numbered(2, 5, 12), 3), (2, 3, 5, 4))
    owner = torch.arange(10.0, dtype=torch.float64).reshape(2, 1, 5, 1).expand(2, 3, 5, 4)
    checks.close((heads / 12).floor(), owner)


@split_heads.check(
    "value",
    weight=3,
    needs=("test_consecutive_numbers",),
    ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다.",
    guard="`view`, which refuses a tensor that is not contiguous",
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    checks.any_layout(student, reference, "split_heads", draw.normal(2, 5, 12), 3)


@split_heads.check(
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
        sizes[axis] = 1000 + draw.large()
        B, T, H, head_dim = sizes
        cases.append(checks.given(draw.normal(B, T, H * head_dim), H))
    checks.matches_reference_on_each(student, reference, "split_heads", cases)


@split_heads.check("dtype", weight=4, needs=("test_the_gate",), ko="결과의 dtype은 입력의 dtype과 같습니다.")
def test_keeps_the_dtype(student):
    """The result has the dtype of the input: float32, float64, bfloat16 and float16."""
    dtypes = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
    checks.keeps_dtypes(student, "split_heads", [checks.given(numbered(2, 4, 6, dtype), 3) for dtype in dtypes])


@split_heads.check(
    "dtype", weight=1, needs=("test_consecutive_numbers",), ko="float64 숫자는 모든 자릿수를 그대로 지닙니다."
)
def test_float64_is_exact(student, reference, draw):
    """Numbers in float64 keep all their digits."""
    x = draw.normal(2, 5, 12, dtype=torch.float64)
    checks.matches_reference(student, reference, "split_heads", x, 3, kind="exact")


@split_heads.check("gradient", weight=8, needs=("test_the_gate",), ko="기울기가 입력까지 흐릅니다.")
def test_gradients_flow(student, reference, draw):
    """Gradients reach the input."""
    checks.gradients_flow(student, reference, "split_heads", draw.normal(2, 5, 12), 3)


@split_heads.check("gradient", weight=7, needs=("test_consecutive_numbers",), ko="기울기가 입력까지 올바르게 흐릅니다.")
def test_gradient_reaches_the_input(student, reference, draw):
    """The gradient flows back to the feature that each number came from."""
    checks.gradient_matches(student, reference, "split_heads", draw.normal(2, 5, 12), 3)


@split_heads.check(
    "property", weight=3, needs=("test_consecutive_numbers",), ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다."
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    first, second = ((draw.normal(2, 5, 12), 3) for _ in range(2))
    checks.computed_anew(student, reference, "split_heads", *second, before=first)


@split_heads.check("purity", weight=15, needs=("test_the_gate",), ko="입력은 바뀌지 않습니다.")
def test_input_unchanged(student, draw):
    """The input holds the same numbers after the call."""
    checks.input_unchanged(student, "split_heads", draw.normal(2, 5, 12), 3)


@split_heads.check(
    "errors", weight=7, needs=("test_the_gate",), ko="특징 수가 헤드 수로 나누어떨어지지 않으면 ValueError입니다."
)
def test_indivisible_features(student, draw):
    """Features that cannot be shared equally among the heads raise ValueError."""
    for d_model, H in ((10, 4), (7, 2), (3, 5)):
        checks.raises(student, "split_heads", "ValueError", draw.normal(2, 4, d_model), H)


@split_heads.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, "split_heads", draw.normal(2, 5, 12), 3)
