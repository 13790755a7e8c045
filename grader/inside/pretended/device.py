"""A device written in Python: a tensor on it wraps a CPU tensor, and refuses what CUDA would refuse.

torch lets a backend be written in Python. Every operation that meets a tensor of it comes to `compute`, which asks that
all operands are on one device, computes on the CPU and wraps the results. So a mask that was made on the CPU fails
here as it fails on a GPU, and everything else gives the CPU's numbers.
"""

import contextlib
import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import torch
from torch.overrides import TorchFunctionMode

from ..protocol.rows import PRETENDED
from . import torch_backend
from .kernels import KERNELS

CPU = torch.device("cpu")
COPYING = frozenset({"aten::_to_copy", "aten::copy_", "aten::_copy_from", "aten::_copy_from_and_resize"})
INDEXING = frozenset({"aten::index", "aten::index_put", "aten::index_put_", "aten::_index_put_impl_"})
PACKING = "aten::_pack_padded_sequence"  # the lengths are on the CPU on every device, and so are the batch sizes
NUMBERS = frozenset({"aten::_local_scalar_dense", "aten::equal", "aten::is_same_size"})
_data: Any = torch_backend.TensorBase.data
FACTORIES = frozenset({torch.tensor, torch.as_tensor, torch.asarray})


class PretendedTensor(torch.Tensor):
    """A tensor on the pretended device.

    Attributes:
        numbers: The CPU tensor that it wraps.
    """

    numbers: torch.Tensor
    __torch_function__ = torch_backend.without_functions  # results are wrapped where they are computed

    @staticmethod
    def __new__(cls, numbers: torch.Tensor) -> "PretendedTensor":
        """Wrap a CPU tensor, with its own layout in memory."""
        wrapper = torch_backend.wrap(
            cls,
            numbers.size(),
            strides=numbers.stride(),
            storage_offset=numbers.storage_offset(),
            dtype=numbers.dtype,
            layout=numbers.layout,
            device=torch_backend.device(),
        )
        wrapper.numbers = numbers
        return cast(PretendedTensor, wrapper)

    @classmethod
    def _dispatch(
        cls, operation: Any, types: Sequence[type], args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        return compute(operation, args, dict(kwargs or {}))

    __torch_dispatch__: Any = _dispatch  # torch declares it as a plain function

    @property
    def data(self) -> torch.Tensor:
        """The same numbers, which autograd does not follow; setting it replaces them."""
        return cast(torch.Tensor, _data.__get__(self))

    @data.setter
    def data(self, value: torch.Tensor) -> None:
        _data.__set__(self, value)
        self.numbers = cast(PretendedTensor, value).numbers

    @property
    def is_cuda(self) -> bool:  # type: ignore[override]  # torch declares a variable
        """What code asks that moves its other tensors then, by `cuda()`."""
        return True

    def follow(self) -> None:
        """Take on the shape of the numbers, where an operation in place gave them another one."""
        if self.shape != self.numbers.shape or self.stride() != self.numbers.stride():
            _data.__set__(self, PretendedTensor(self.numbers))

    def __tensor_flatten__(self) -> tuple[list[str], None]:
        """Name the tensor inside; nn.Module.to then exchanges whole parameters instead of setting `data`."""
        return ["numbers"], None

    @staticmethod
    def __tensor_unflatten__(
        inner: Mapping[str, torch.Tensor], context: None, size: object, stride: object
    ) -> "PretendedTensor":
        """Wrap the tensor inside again."""
        return PretendedTensor(inner["numbers"])

    def _text(self, **options: Any) -> str:
        """Return the numbers and the device, as torch does for CUDA."""
        return f"{repr(self.detach().cpu())[:-1]}, device='{self.device}')"

    __repr__: Any = _text  # torch declares it without types

    def __format__(self, wanted: str) -> str:
        """Format a single number as Python's own, as torch does for its tensors."""
        return format(self.item(), wanted) if not self.dim() else object.__format__(self, wanted)

    def tolist(self) -> Any:
        """Return the numbers as Python's own."""
        return self.numbers.detach().tolist()

    def numpy(self, *, force: bool = False) -> Any:
        """Refuse as CUDA does, unless `force` copies the numbers to the CPU first."""
        if force:
            return self.numbers.detach().numpy(force=True)
        raise TypeError(
            f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
            "memory first."
        )

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse as `numpy` does: NumPy asks this of what it is given."""
        return self.numpy()

    def __deepcopy__(self, memo: dict[int, Any]) -> torch.Tensor:
        """Copy a parameter or a plain tensor, once where it is shared."""
        if id(self) not in memo:
            copied: torch.Tensor = PretendedTensor(self.numbers.detach().clone()).requires_grad_(self.requires_grad)
            memo[id(self)] = torch.nn.Parameter(copied, self.requires_grad) if _is_parameter(self) else copied
        return cast(torch.Tensor, memo[id(self)])


class Factories(TorchFunctionMode):
    """While it is on, tensors are made of numbers on the pretended device, too: torch's own way ends in a crash."""

    def __torch_function__(
        self, function: Any, types: Sequence[type], args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Call a function of torch, by way of the CPU where it makes a tensor of numbers."""
        kwargs = dict(kwargs or {})
        if function is torch.Tensor.cuda:
            return args[0].to(torch_backend.device())
        if function is torch.Tensor.new_tensor:
            kwargs.setdefault("device", args[0].device)
            function, args = torch.tensor, args[1:]
        if function not in FACTORIES or (args and isinstance(args[0], torch.Tensor)):
            return function(*args, **kwargs)
        asked = kwargs.pop("device", None)
        device = torch.device(torch.get_default_device() if asked is None else asked)
        follow = kwargs.pop("requires_grad", False)
        made = function(*map(_as_numbers, args), device=CPU, **kwargs).to(device)
        return made.requires_grad_() if follow else made  # torch.func takes no such call, nor one that changes nothing


_entered: list[None] = []


@functools.cache
def set_up() -> torch.device:
    """Make the device known to torch, once in a process, and return it.

    It comes before the first gradient of a process, since autograd asks once which devices there are.
    """
    _entered.append(None)  # since the first tensor is made here
    torch_backend.register(compute)
    _entered.pop()
    torch_backend.show_accelerator(lambda: bool(_entered))
    torch.autograd.set_multithreading_enabled(False)  # a thread of autograd's own costs more than it computes
    return torch_backend.device()


@contextlib.contextmanager
def entered() -> Iterator[None]:
    """Let code compute on the device for a while, with the ways to make tensors of numbers on it."""
    set_up()
    _entered.append(None)
    try:
        with Factories():
            yield
    finally:
        _entered.pop()


def compute(operation: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Compute an operation of torch on the CPU, and wrap what belongs on the pretended device.

    Raises:
        RuntimeError: Its tensors are on two devices.
    """
    name = torch_backend.name_of(operation)
    tensors: list[torch.Tensor] = []
    inner = [_inner(arg, tensors) for arg in args]
    options = {key: _inner(value, tensors) for key, value in kwargs.items()}
    away = [tensor for tensor in tensors if isinstance(tensor, PretendedTensor)]
    if away and name not in COPYING and name != PACKING:
        require_one_device(name, args, tensors)
    device = kwargs.get("device")
    goes_away = bool(away) if device is None else torch.device(device).type == PRETENDED
    if device is not None and goes_away:
        if not (away or _entered):  # device=0 in code that is graded on the CPU
            raise RuntimeError("Cannot access accelerator device when none is available.")
        options["device"] = CPU
    result = KERNELS.get(name, operation)(*inner, **options)
    if torch_backend.changes_operands(operation):
        for tensor in away:
            tensor.follow()
    if name == "aten::copy_":
        return args[0]
    if name == PACKING:
        return PretendedTensor(result[0]), result[1]
    if name in NUMBERS or not goes_away:
        return result
    return _wrapped(result, {id(tensor.numbers): tensor for tensor in away})


def require_one_device(name: str, args: Sequence[Any], tensors: Sequence[torch.Tensor]) -> None:
    """Ask that no operand is on the CPU, but single numbers, and the indices of a tensor that is not.

    Raises:
        RuntimeError: One is.
    """
    if name in INDEXING:
        if not isinstance(args[0], PretendedTensor):
            raise RuntimeError("indices should be either on cpu or on the same device as the indexed tensor (cpu)")
        tensors = [operand for operand in (args[0], *args[2:3]) if isinstance(operand, torch.Tensor)]
    if any(tensor.dim() and not isinstance(tensor, PretendedTensor) for tensor in tensors):
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{torch_backend.device()} and cpu! (when computing {name.removeprefix('aten::')})"
        )


def _is_parameter(value: torch.Tensor) -> bool:
    return isinstance(value, torch.nn.Parameter)


def _inner(value: Any, tensors: list[torch.Tensor]) -> Any:
    """Return an operand, or each of a list, as the CPU gets it; and keep the tensors that are met."""
    if isinstance(value, torch.Tensor):
        tensors.append(value)
        return value.numbers if isinstance(value, PretendedTensor) else value
    if isinstance(value, list | tuple):
        return [_inner(operand, tensors) for operand in value]
    return value


def _as_numbers(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_as_numbers(entry) for entry in value]
    return value.numbers.item() if isinstance(value, PretendedTensor) and not value.dim() else value


def _wrapped(value: Any, known: Mapping[int, PretendedTensor]) -> Any:
    """Return a result as a tensor of the device; one that is an operand itself, computed in place, stays that one."""
    if isinstance(value, list | tuple):
        return type(value)(_wrapped(result, known) for result in value)
    if not isinstance(value, torch.Tensor) or isinstance(value, PretendedTensor):
        return value
    operand = known.get(id(value))
    return PretendedTensor(value) if operand is None else operand
