"""Each private part of torch that the kit uses is there and does what it is for; a test's name says which broke."""

import pytest
import torch
from torch.overrides import TorchFunctionMode

from grader.inside.protocol import torch_internals as parts


class Loud(torch.Tensor):
    """A tensor that answers every method with its own words."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return "its own words"

    def numel(self):
        return "its own words"


class Changing(TorchFunctionMode):
    """A mode that answers every function of torch."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return "the mode's words"


def test_memory_that_nobody_has_written_to_is_nan():
    parts.set_deterministic(True, warn_only=True)
    try:
        assert bool(torch.empty(64).isnan().all()) and bool(torch.ones(64).new_empty(64).isnan().all())
    finally:
        parts.set_deterministic(False)


def test_tensors_are_read_past_their_class():
    tensor = torch.ones(2).as_subclass(Loud)
    with parts.without_functions():
        assert parts.TensorBase.nelement(tensor) == 2
    assert torch.add(tensor, 1) == "its own words"


def test_tensors_are_read_past_modes():
    class Refusing(parts.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            raise RuntimeError("the mode was asked")

    with Refusing(), parts.without_modes():
        assert torch.ones(2).clone().tolist() == [1.0, 1.0]
    with Changing(), parts.without_functions():
        assert torch.ones(2).tolist() == [1.0, 1.0]


def test_a_storage_has_an_address():
    tensor = torch.ones(4)
    assert parts.StorageBase.data_ptr(tensor.untyped_storage()) == tensor.data_ptr()


def test_what_autograd_saves_goes_through_hooks():
    saved = []
    parts.push_saved_hooks(lambda tensor: saved.append(tensor.shape) or tensor, lambda tensor: tensor)
    try:
        assert parts.top_saved_hooks(False) is not None
        torch.ones(3, requires_grad=True).exp().sum().backward()
    finally:
        parts.pop_saved_hooks()
    assert saved == [torch.Size([3])] and parts.top_saved_hooks(False) is None


@pytest.mark.filterwarnings("ignore:Warning only once for all operators")
def test_an_operation_can_be_taken_away_and_given_back():
    def refuses(*args, **kwargs):
        raise RuntimeError("taken away")

    assert "aten::erfinv" in parts.operation_names() and parts.has_kernel("aten::erfinv", "CPU")
    library = parts.register_kernels("IMPL", "aten", "", "grader/test_torch_parts.py", 0)
    try:
        library.impl("erfinv", "CPU", refuses, False)
        assert " registered at grader/test_torch_parts.py:0 " in parts.registrations_of("aten::erfinv")
        with pytest.raises(RuntimeError, match="taken away"):
            torch.zeros(1).erfinv()
    finally:
        library.reset()
    assert torch.zeros(1).erfinv().item() == 0.0


def test_optimizers_carry_the_wrappers_that_ask_for_the_compiler():
    assert parts.ASKS_FOR_THE_COMPILER is torch.optim.Optimizer.zero_grad.__code__
    assert parts.FOLLOWS_GRADIENTS.co_name == "_use_grad"
