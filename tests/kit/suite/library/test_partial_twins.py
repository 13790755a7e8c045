"""For a gate a module is loaded as far as its parameters are those that are asked for."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn

from grader.suite import checks
from grader.suite.core.draw import Draw
from grader.suite.core.reference import Reference
from grader.workers.process.failures import StudentFailure

from ...support.open_workers import open_student
from ...support.small_suites import in_a_check

CODE = """
from torch import nn
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.{name} = nn.Linear(3, 2{options})
    def forward(self, x): return self.{name}(x)
"""


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(3, 2)

    def forward(self, x):
        return self.line(x)


SOLUTION = Reference(SimpleNamespace(Layer=Layer, __name__="it"))


@pytest.fixture(autouse=True)
def graded():
    in_a_check()


def twins(make, name="line", options=""):
    return make(open_student(CODE.format(name=name, options=options)), SOLUTION, Draw(4), "Layer")


def test_a_module_with_all_parameters_is_loaded_whole():
    handle, module = twins(checks.partial_twin)
    assert {key: value.tolist() for key, value in handle.parameters().items()} == {
        key: value.float().tolist() for key, value in module.named_parameters()
    }


def test_a_layer_without_its_bias_gets_the_weight_alone():
    handle, module = twins(checks.partial_twin, options=", bias=False")
    assert list(handle.parameters()) == ["line.weight"]
    assert torch.equal(handle.parameters()["line.weight"], module.line.weight.float())
    with pytest.raises(StudentFailure, match=r"no parameter or buffer named line\.bias"):
        twins(checks.twin, options=", bias=False")


def test_a_module_that_has_none_of_the_parameters_is_refused():
    with pytest.raises(StudentFailure, match=r"no parameter or buffer named line\.weight"):
        twins(checks.partial_twin, name="other")
