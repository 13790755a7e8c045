"""Reads tensors and modules past what student code did to the classes that they are of.

The readers are taken at import, so a name that is replaced later in torch.Tensor or nn.Module, on one tensor or in a
subclass, changes nothing here. `unmoved` keeps modes away that were left on. It is no wall: code in the same process
can reach these names as well.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

_Base: Any = torch._C.TensorBase
dtype_of = _Base.dtype.__get__
shape_of = _Base.shape.__get__
device_of = _Base.device.__get__
layout_of = _Base.layout.__get__
requires_grad = _Base.requires_grad.__get__
is_quantized = _Base.is_quantized.__get__
is_nested = _Base.is_nested.__get__
dimensions = _Base.dim
elements = _Base.nelement
is_contiguous = _Base.is_contiguous
is_conj, is_neg = _Base.is_conj, _Base.is_neg
resolve_conj, resolve_neg = _Base.resolve_conj, _Base.resolve_neg
is_floating_point = _Base.is_floating_point
detach = _Base.detach
view = _Base.view
to_cpu = _Base.cpu
to_numpy = _Base.numpy
as_subclass = _Base.as_subclass
follow = _Base.requires_grad_
clone = _Base.clone
times = _Base.__mul__
total = _Base.sum
copy_into = _Base.copy_
state_dict, load_state_dict = nn.Module.state_dict, nn.Module.load_state_dict
no_grad, enable_grad = torch.no_grad, torch.enable_grad

_storage, _address = _Base.untyped_storage, torch._C.StorageBase.data_ptr  # type: ignore[attr-defined]  # no types
_without_functions, _without_dispatch = torch._C.DisableTorchFunction, torch._C._DisableTorchDispatch
_Scripted: Any = torch.jit.ScriptModule
_dict_of: Any = vars(nn.Module)["__dict__"].__get__
_push, _pop = torch._C._autograd._push_saved_tensors_default_hooks, torch._C._autograd._pop_saved_tensors_default_hooks
_top: Any = torch._C._autograd._top_saved_tensors_default_hooks
_graph: Any = torch.autograd.graph
_refuse_hooks = _graph.disable_saved_tensors_hooks


@contextlib.contextmanager
def unmoved() -> Iterator[None]:
    """Keep modes and overrides of tensor subclasses from hearing of what is read."""
    with _without_functions(), _without_dispatch():
        yield


@contextlib.contextmanager
def saved_copies() -> Iterator[None]:
    """Have autograd save copies for the way back, so that code may go on in place on tensors of its own.

    `e = x.exp(); e /= e.sum()` is right, but plain torch refuses its gradient, since the numbers that it needs are
    gone. With copies it has the gradient that it would have out of place. torch's allow_mutation_on_saved_tensors
    copies less, by a mode that sees every operation: for small tensors the call then takes four times as long.
    """
    _push(clone, _itself)
    _graph.disable_saved_tensors_hooks = _pause_copies
    try:
        yield
    finally:
        _graph.disable_saved_tensors_hooks = _refuse_hooks
        _pop()


@contextlib.contextmanager
def _pause_copies(message: str) -> Iterator[None]:
    """Make no copies while torch.func's grad, vjp and the like run, which refuse to with any hook in place."""
    hooks = _top(False)
    paused = hooks is not None and hooks[0] is clone
    if paused:
        _pop()
    try:
        with _refuse_hooks(message):
            yield
    finally:
        if paused:
            _push(clone, _itself)


def _itself(copy: torch.Tensor) -> torch.Tensor:
    return copy


def storage_address(tensor: torch.Tensor) -> int:
    """Return the address of a tensor's storage."""
    return int(_address(_storage(tensor)))


def named_modules(module: nn.Module, twice: bool = False) -> list[tuple[str, nn.Module]]:
    """Return a module as '' and all below it by dotted name, in torch's order.

    Args:
        module: The module.
        twice: Whether a module that is registered in several places comes under each of its names.
    """
    found: list[tuple[str, nn.Module]] = []
    _add_with_all_below(module, "", set(), twice, found)
    return found


def _add_with_all_below(
    module: nn.Module, name: str, seen: set[int], twice: bool, found: list[tuple[str, nn.Module]]
) -> None:
    if id(module) in seen:
        return
    seen.add(id(module))
    found.append((name, module))
    for key, part in _registered(module, "_modules"):
        if issubclass(type(part), nn.Module):
            _add_with_all_below(part, f"{name}.{key}" if name else str(key), seen, twice, found)
    if twice:
        seen.discard(id(module))  # only a module within itself is left out


def named_parameters(module: nn.Module, twice: bool = False) -> dict[str, nn.Parameter]:
    """Return the parameters by dotted name; one that has several names under the first, or under each if asked."""
    return _tensors(module, "_parameters", twice)


def named_buffers(module: nn.Module, twice: bool = False) -> dict[str, torch.Tensor]:
    """Return the buffers by dotted name, in the same way."""
    return _tensors(module, "_buffers", twice)


def is_training(module: nn.Module) -> bool:
    """Return a module's `training`."""
    return bool(module.training if issubclass(type(module), _Scripted) else _dict_of(module)["training"])


def _tensors(module: nn.Module, kind: str, twice: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    seen: set[int] = set()
    for name, part in named_modules(module, twice):
        for key, tensor in _registered(part, kind):
            if tensor is None or id(tensor) in seen:
                continue
            if not twice:
                seen.add(id(tensor))
            found[f"{name}.{key}" if name else str(key)] = tensor
    return found


def _registered(module: nn.Module, kind: str) -> list[tuple[Any, Any]]:
    """Return what a module has registered; one that is scripted keeps it outside of Python and can be asked only."""
    own = getattr(module, kind) if issubclass(type(module), _Scripted) else _dict_of(module)[kind]
    return list(dict.items(own) if issubclass(type(own), dict) else own.items())
