"""For a gate a module is loaded as far as it has parameters like those that are asked for."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn

from grader.suite import checks
from grader.suite.core.draw import Draw
from grader.suite.core.reference import Reference
from grader.workers.process.failures import StudentFailure

from ....support.workers.open_workers import open_student

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


def twins(make, name="line", options=""):
    return make(open_student(CODE.format(name=name, options=options)), SOLUTION, Draw(4), "Layer")


def test_a_module_with_all_parameters_is_loaded_whole():
    handle, module = twins(checks.partial_twin)
    assert {key: value.tolist() for key, value in handle.parameters().items()} == {
        key: value.float().tolist() for key, value in module.named_parameters()
    }


def test_a_layer_without_its_bias_gets_the_weight_alone():
    layer, module = twins(checks.partial_twin, options=", bias=False")
    assert list(layer.handle.parameters()) == ["line.weight"]
    assert torch.equal(layer.handle.parameters()["line.weight"], module.line.weight.float())
    with pytest.raises(StudentFailure, match=r"no parameter or buffer named line\.bias"):
        twins(checks.twin, options=", bias=False")


def test_parameters_under_other_names_are_loaded_by_shape():
    layer, module = twins(checks.partial_twin, name="other")
    assert layer.names == {"line.weight": "other.weight", "line.bias": "other.bias"}
    x = Draw(5).normal(4, 3)
    checks.module_matches(layer, module, x)
    assert layer.error(x) is None
    assert layer.error(x.T).type_name == "RuntimeError"
    with pytest.raises(StudentFailure, match=r"no parameter or buffer named line\.weight"):
        twins(checks.twin, name="other")


def test_a_module_that_has_nothing_of_the_shapes_asked_for_is_refused():
    with pytest.raises(StudentFailure, match=r"no parameter or buffer named line\.weight"):
        make = checks.partial_twin
        make(open_student(CODE.format(name="other", options="").replace("3, 2", "5, 4")), SOLUTION, Draw(4), "Layer")
