"""What is compared as extreme has finite gradients as well, and is called no more often."""

import pytest
import torch

from grader.suite import checks
from grader.suite.core.failures import CheckFailed

from ....support.workers.open_workers import open_student

X = torch.tensor([-1.0, 200.0])
RIGHT = "import torch\ndef f(x):\n    return x.clamp(max=0).exp()"
BY_WHERE = "import torch\ndef f(x):\n    return torch.where(x > 0, 1.0, x.exp())"  # 0 times infinity in its gradient
COUNTS = "calls = []\ndef f(x):\n    calls.append(x)\n    return x * len(calls)"


def solution(x: torch.Tensor) -> torch.Tensor:
    return x.clamp(max=0).exp()


def test_a_gradient_of_nan_fails_what_is_extreme_and_nothing_else():
    checks.matches(open_student(RIGHT).f, solution, X, kind="extreme")
    checks.matches(open_student(BY_WHERE).f, solution, X)
    with pytest.raises(CheckFailed, match="NaN"):
        checks.matches(open_student(BY_WHERE).f, solution, X, kind="extreme")


def test_each_input_is_called_once():
    first, second = checks.given(X), checks.given(2 * X)
    checks.matches(open_student(COUNTS).f, lambda x: x if float(x[1]) == 200 else 2 * x, first, second, kind="extreme")
