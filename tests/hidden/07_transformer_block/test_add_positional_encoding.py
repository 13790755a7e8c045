"""Hidden checks of `add_positional_encoding`: which axis counts the positions, the dtype of the result, the input.

Batch, tokens and features are pairwise different first, with more items than tokens and fewer; then equal, then one.
The encoding may be made in float32 and turned into the input's dtype, so float64 is held to float32's bounds.
"""

import torch

from grader.suite import checks, exercise

from .encoding_places import sum_placed

add_positional_encoding = exercise("add_positional_encoding")

NAME = "add_positional_encoding"


@add_positional_encoding.check(
    "property", weight=4, ko="결과가 x에 달려 있고, 같은 토큰이라도 위치가 다르면 결과가 다릅니다."
)
def test_uses_every_input(student, reference, draw):
    """The result depends on x, and equal tokens come out differently where they stand at different positions."""
    x = draw.normal(1, 1, 6).repeat(3, 5, 1)
    answer = checks.uses_every_input(student, reference, NAME, x, draw=draw)
    checks.is_true(
        len(torch.unique(answer.reshape(-1, answer.shape[-1]), dim=0)) > 1,
        "Equal tokens come out equal wherever they stand.",
        "같은 토큰이 위치와 관계없이 같은 결과가 됩니다.",
        for_students=True,
    )


@add_positional_encoding.check("value", weight=15, ko="토큰마다 자기 위치의 인코딩이 더해집니다.")
def test_random_tokens(student, reference, draw):
    """To every token of every item the encoding of its position is added, and to nothing else."""
    with sum_placed(student, reference, draw):
        for B, T, d_model in ((2, 7, 6), (5, 3, 4), (3, 4, 10), (3, 4, 10)):
            checks.matches_reference(student, reference, NAME, draw.normal(B, T, d_model))


@add_positional_encoding.check("value", weight=5, ko="항목, 토큰, 특징의 수가 같아도 위치는 토큰 축을 따라 셉니다.")
def test_equal_sizes(student, reference, draw):
    """Where items, tokens and features are equally many, the positions still run along the tokens."""
    checks.matches_reference(student, reference, NAME, draw.normal(4, 4, 4))


@add_positional_encoding.check(
    "shape",
    weight=2,
    needs=("test_random_tokens",),
    ko="항목이나 토큰이 하나뿐이거나 특징이 둘뿐이어도 모양이 그대로입니다.",
)
def test_smallest_sizes(student, reference, draw):
    """A single item or token, or a single pair of features, keeps its shape."""
    for B, T, d_model in ((1, 5, 6), (4, 1, 6), (3, 4, 2), (1, 1, 2)):
        checks.matches_reference(student, reference, NAME, draw.normal(B, T, d_model))


@add_positional_encoding.check(
    "value", weight=4, needs=("test_random_tokens",), ko="긴 시퀀스에서도 위치마다 자기 인코딩이 더해집니다."
)
def test_long_sequence(student, reference, draw):
    """In a long sequence, too, every position has its own encoding."""
    for T, d_model in ((5000, 8), (12000, 2)):
        checks.matches_reference(student, reference, NAME, draw.normal(1, T, d_model), kind="extreme")


@add_positional_encoding.check(
    "value",
    weight=2,
    needs=("test_random_tokens",),
    ko="항목이나 특징이 작은 예보다 훨씬 많아도 맞습니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more items or features than in small examples are treated rightly."""
    for B, T, d_model in ((1024 + draw.large(), 3, 4), (2, 3, 1024 + 2 * draw.large())):
        checks.matches_reference(student, reference, NAME, draw.normal(B, T, d_model))


@add_positional_encoding.check(
    "dtype", weight=4, needs=("test_uses_every_input",), ko="결과의 dtype은 x의 dtype과 같습니다."
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of `x`: float32, float64, bfloat16 and float16."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        checks.has_dtype(student.add_positional_encoding(draw.normal(2, 5, 6, dtype=dtype)), dtype)


@add_positional_encoding.check(
    "dtype", weight=3, needs=("test_random_tokens",), ko="x의 정밀도를 잃지 않고, 어느 dtype에서도 값이 맞습니다."
)
def test_precision(student, reference, draw):
    """In every dtype the encoding is added rightly, and `x` is not rounded to a narrower dtype."""
    for dtype in (torch.float64, torch.bfloat16, torch.float16):
        x = draw.normal(2, 5, 6, dtype=dtype)
        answer, expected = student.add_positional_encoding(x), reference.add_positional_encoding(x)
        checks.close(answer, expected, dtype="float32" if dtype == torch.float64 else None)
    x = 1000 * draw.normal(2, 5, 6, dtype=torch.float64)
    encoding = reference.add_positional_encoding(torch.zeros_like(x))
    checks.close(student.add_positional_encoding(x) - x, encoding, dtype="float32")


@add_positional_encoding.check(
    "dtype", weight=3, needs=("test_precision",), ko="좁은 dtype에서도 인코딩은 float32로 만든 만큼 정확합니다."
)
def test_long_sequence_of_a_narrow_dtype(student, reference, draw):
    """In bfloat16 and float16 the encoding of a long sequence is as precise as one that was made in float32."""
    for dtype in (torch.bfloat16, torch.float16):
        checks.matches_reference(student, reference, NAME, draw.normal(2, 300, 6, dtype=dtype))


@add_positional_encoding.check(
    "dtype", weight=2, needs=("test_precision",), ko="앞서 다른 dtype이 왔어도 인코딩은 그만큼 정확합니다."
)
def test_dtypes_in_turn(student, reference, draw):
    """After tokens of another dtype the encoding is as precise as before them, and the result has the dtype of `x`."""
    # What is kept for a length fits one dtype only; no other check asks for these lengths.
    for T, dtype in ((9, torch.bfloat16), (9, torch.float32), (11, torch.float64), (11, torch.float32)):
        x = draw.normal(2, T, 6, dtype=dtype)
        answer = student.add_positional_encoding(x)
        checks.has_dtype(answer, dtype)
        checks.close(answer, reference.add_positional_encoding(x), dtype="float32" if dtype == torch.float64 else None)


@add_positional_encoding.check("gradient", weight=15, needs=("test_uses_every_input",), ko="그래디언트가 x로 흐릅니다.")
def test_gradient(student, reference, draw):
    """The gradient reaches `x` unchanged."""
    checks.gradient_matches(student, reference, NAME, draw.normal(2, 5, 6))


@add_positional_encoding.check(
    "property",
    weight=2,
    needs=("test_random_tokens",),
    ko="전치되었거나 잘라 낸 텐서처럼 메모리에서 연속적이지 않아도 결과가 같습니다.",
)
def test_any_layout(student, reference, draw):
    """Tensors that do not lie in order in memory, such as transposed or sliced ones, give the same."""
    checks.any_layout(student, reference, NAME, draw.normal(3, 5, 6))


@add_positional_encoding.check(
    "property",
    weight=2,
    needs=("test_random_tokens",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, draw.normal(2, 5, 6), before=(draw.normal(2, 5, 6),))


@add_positional_encoding.check(
    "purity", weight=15, needs=("test_uses_every_input",), ko="호출한 뒤에도 x는 그대로입니다."
)
def test_input_unchanged(student, draw):
    """`x` is the same after the call."""
    checks.input_unchanged(student, NAME, draw.normal(2, 5, 6))


@add_positional_encoding.check(
    "errors", weight=5, needs=("test_uses_every_input",), ko="특징 수가 홀수이면 ValueError가 납니다."
)
def test_odd_features(student, draw):
    """An odd number of features raises ValueError."""
    for d_model in (5, 1):
        checks.raises(student, NAME, "ValueError", draw.normal(2, 4, d_model))
