"""Hidden checks of `add_positional_encoding`: which axis counts the positions, the dtype of the result, the input.

Batch, tokens and features are pairwise different first, with more items than tokens and fewer; then equal, then one.
The encoding may be made in float32 and turned into the input's dtype, so float64 is held to float32's bounds.
"""

import torch

from grader.suite import checks, exercise

add_positional_encoding = exercise("add_positional_encoding")
add_positional_encoding.contract(
    x="B T 2*pairs",
    result="B T 2*pairs",
    without={"float64": "an encoding that is made in float32 is right"},
)


@add_positional_encoding.check("value", row="point", ko="긴 시퀀스에서도 위치마다 자기 인코딩이 더해집니다.")
def test_long_sequence(student, reference, draw):
    """In a long sequence, too, every position has its own encoding."""
    cases = [checks.given(draw.normal(1, T, d_model)) for T, d_model in ((200, 64), (5200, 2))]
    checks.matches(student.add_positional_encoding, reference.add_positional_encoding, *cases, kind="extreme")


@add_positional_encoding.check("dtype", ko="x의 정밀도를 잃지 않고, 어느 dtype에서도 값이 맞습니다.")
def test_precision(student, reference, draw):
    """In every dtype the encoding is added rightly, and `x` is not rounded to a narrower dtype."""
    for dtype in (torch.float64, torch.bfloat16, torch.float16):
        x = draw.normal(2, 5, 6, dtype=dtype)
        answer, expected = student.add_positional_encoding(x), reference.add_positional_encoding(x)
        checks.has_dtype(answer, dtype)
        checks.close(answer, expected, dtype="float32" if dtype == torch.float64 else None)
    x = 1000 * draw.normal(2, 5, 6, dtype=torch.float64)
    encoding = reference.add_positional_encoding(torch.zeros_like(x))
    checks.close(student.add_positional_encoding(x) - x, encoding, dtype="float32")


@add_positional_encoding.check("dtype", ko="좁은 dtype에서도 인코딩은 float32로 만든 만큼 정확합니다.")
def test_long_sequence_of_a_narrow_dtype(student, reference, draw):
    """In bfloat16 and float16 the encoding of a long sequence is as precise as one that was made in float32."""
    for dtype in (torch.bfloat16, torch.float16):
        checks.matches(
            student.add_positional_encoding, reference.add_positional_encoding, draw.normal(2, 300, 6, dtype=dtype)
        )


@add_positional_encoding.check("dtype", ko="앞서 다른 dtype이 왔어도 인코딩은 그만큼 정확합니다.")
def test_dtypes_in_turn(student, reference, draw):
    """After tokens of another dtype the encoding is as precise as before them, and the result has the dtype of `x`."""
    # What is kept for a length fits one dtype only; no other check asks for these lengths.
    for T, dtype in ((9, torch.bfloat16), (9, torch.float32), (11, torch.float64), (11, torch.float32)):
        x = draw.normal(2, T, 6, dtype=dtype)
        answer = student.add_positional_encoding(x)
        checks.has_dtype(answer, dtype)
        checks.close(answer, reference.add_positional_encoding(x), dtype="float32" if dtype == torch.float64 else None)


@add_positional_encoding.check("errors", ko="특징 수가 홀수이면 ValueError가 납니다.")
def test_odd_features(student, draw):
    """An odd number of features raises ValueError."""
    for d_model in (5, 1):
        checks.raises(student.add_positional_encoding, "ValueError", draw.normal(2, 4, d_model))
