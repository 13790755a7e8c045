"""Parameters are asked for by name and shape."""

import pytest
import torch

from grader.suite.core.failures import CheckFailed
from grader.suite.rules.module_rules import require_shapes

RIGHT = {"q.weight": torch.zeros(2, 3)}


def test_the_same_names_and_shapes_pass():
    require_shapes(RIGHT, RIGHT)


@pytest.mark.parametrize(
    "given",
    [RIGHT | {"k": torch.zeros(1)}, {}, {"q.weight": torch.zeros(3, 2)}, {"q": torch.zeros(2, 3), "k": torch.zeros(1)}],
)
def test_other_names_and_shapes_fail(given):
    with pytest.raises(CheckFailed, match="The parameters are"):
        require_shapes(given, RIGHT)
