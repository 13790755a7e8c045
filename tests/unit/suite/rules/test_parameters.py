"""Parameters are asked for by name and shape, and those that nobody asked for are named."""

import pytest
import torch

from grader.suite.core.failures import CheckFailed
from grader.suite.rules.module_rules import require_shapes

RIGHT = {"q.weight": torch.zeros(2, 3)}


def test_parameters_that_nobody_asked_for_are_named():
    require_shapes(RIGHT, RIGHT)
    with pytest.raises(CheckFailed) as caught:
        require_shapes(RIGHT | {"q.bias": torch.zeros(2), "k": torch.zeros(1)}, RIGHT)
    assert "not asked for: 'k', 'q.bias'." in caught.value.found


@pytest.mark.parametrize("given", [{}, {"q.weight": torch.zeros(3, 2)}, {"q": torch.zeros(2, 3), "k": torch.zeros(1)}])
def test_other_names_and_shapes_fail(given):
    with pytest.raises(CheckFailed) as caught:
        require_shapes(given, RIGHT)
    assert caught.value.code.startswith("parameters")
