"""The private parts of torch that the pretended device uses are there; a test's name says which one changed."""

import inspect

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


def test_a_tensor_can_wrap_another_and_says_where_it_is() -> None:
    class Wrapper(torch.Tensor):
        """A tensor without memory of its own."""

        __torch_dispatch__ = torch_backend.without_functions

    made = torch_backend.wrap(Wrapper, (2, 3), device="meta")
    assert type(made) is Wrapper and made.shape == (2, 3) and made.device.type == "meta"


def test_a_subclass_can_leave_its_results_alone() -> None:
    class Own(torch.Tensor):
        """A tensor whose results are not of its class."""

        __torch_function__ = torch_backend.without_functions

    assert type(torch.ones(2).as_subclass(Own) + 1) is torch.Tensor


def test_the_data_of_a_tensor_can_be_replaced() -> None:
    tensor = torch.zeros(2)
    torch_backend.TensorBase.data.__set__(tensor, torch.ones(3))
    assert tensor.tolist() == [1.0, 1.0, 1.0]
