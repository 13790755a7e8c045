"""Hidden checks of `softmax_naive`, the exercise that nearly every attack is after: one of each kind of check."""

import torch

from grader.suite import checks, exercise

softmax_naive = exercise("softmax_naive")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)


@softmax_naive.check("value", weight=50, ko="지수 함수를 그 합으로 나눈 값이 나옵니다.")
def test_random_scores(student, reference, draw):
    """Random scores give exponentials over their sum, also a second time with the same length.

    It comes first, since a wrong answer has to fail here and not at a check before it.
    """
    cases = [checks.given(2 * draw.normal(length)) for length in (6, 6)]
    checks.matches(student.softmax_naive, reference.softmax_naive, *cases)


@softmax_naive.check("shape", weight=5, needs=("test_random_scores",), ko="모양이 입력과 같습니다.")
def test_shape(student, draw):
    """The result has the shape of what is given, also where a size is 1."""
    for size in (5, 1):
        checks.has_shape(student.softmax_naive(draw.normal(size)), (size,))


@softmax_naive.check("dtype", weight=5, needs=("test_random_scores",), ko="dtype이 입력과 같습니다.")
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given."""
    for dtype in DTYPES:
        checks.has_dtype(student.softmax_naive(draw.normal(5, dtype=dtype)), dtype)


@softmax_naive.check("property", weight=5, needs=("test_random_scores",), ko="가중치의 합이 1입니다.")
def test_sums_to_one(student, draw):
    """No weight is negative, and the weights sum to 1."""
    checks.rows_sum_to_one(student.softmax_naive(2 * draw.normal(6)))


@softmax_naive.check("purity", weight=10, needs=("test_random_scores",), ko="입력을 바꾸지 않습니다.")
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.inputs_unchanged(student.softmax_naive, draw.normal(5))


@softmax_naive.check("gradient", weight=5, needs=("test_random_scores",), ko="그래디언트가 맞습니다.")
def test_gradients(student, reference, draw):
    """The right gradients flow to the scores."""
    checks.gradients_match(student.softmax_naive, reference.softmax_naive, draw.normal(6))
