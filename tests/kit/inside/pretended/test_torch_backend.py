"""The private parts of torch that the pretended device uses are there; a test's name says which one changed."""

import inspect

import pytest
import torch
from torch.utils import backend_registration

from grader.inside.pretended import torch_backend


def test_a_backend_can_be_written_in_python() -> None:
    setup = inspect.signature(backend_registration._setup_privateuseone_for_python_backend)
    assert [*setup.parameters][:2] == ["rename", "backend_module"]


def test_an_operation_has_a_name() -> None:
    assert torch_backend.name_of(torch.ops.aten.add.Tensor) == "aten::add"


def test_an_operation_says_whether_it_writes_into_its_operands() -> None:
    assert torch_backend.changes_operands(torch.ops.aten.add_.Tensor)
    assert not torch_backend.changes_operands(torch.ops.aten.add.Tensor)


@pytest.mark.parametrize("part", ["wrap", "without_functions"])
def test_a_tensor_subclass_can_be_made_and_left(part: str) -> None:
    assert callable(getattr(torch_backend, part))


def test_the_data_of_a_tensor_can_be_replaced() -> None:
    assert hasattr(torch_backend.TensorBase.data, "__set__")
