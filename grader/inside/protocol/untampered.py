"""Reads tensors and modules whatever student code did to their classes.

The readers are bound at import, so replacing a name later in torch.Tensor or nn.Module, on one tensor or in a subclass,
has no effect here. `without_modes_and_overrides` disables modes that were left on. This is not a security boundary:
code in the same process can reach these names as well.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from .torch_internals import (
    StorageBase,
    TensorBase,
    pop_saved_hooks,
    push_saved_hooks,
    top_saved_hooks,
    without_functions,
    without_modes,
)

dtype_of = TensorBase.dtype.__get__
shape_of = TensorBase.shape.__get__
device_of = TensorBase.device.__get__
layout_of = TensorBase.layout.__get__
requires_grad = TensorBase.requires_grad.__get__
gradient_of, set_gradient = TensorBase.grad.__get__, TensorBase.grad.__set__
is_quantized = TensorBase.is_quantized.__get__
is_nested = TensorBase.is_nested.__get__
dimensions = TensorBase.dim
elements = TensorBase.nelement
is_contiguous = TensorBase.is_contiguous
is_conj, is_neg = TensorBase.is_conj, TensorBase.is_neg
resolve_conj, resolve_neg = TensorBase.resolve_conj, TensorBase.resolve_neg
is_floating_point = TensorBase.is_floating_point
detach = TensorBase.detach
view = TensorBase.view
to_cpu = TensorBase.cpu
to_numpy = TensorBase.numpy
as_subclass = TensorBase.as_subclass
follow = TensorBase.requires_grad_
clone = TensorBase.clone
dense = TensorBase.to_dense
times = TensorBase.__mul__
total = TensorBase.sum
copy_into, fill = TensorBase.copy_, TensorBase.fill_
state_dict, load_state_dict = nn.Module.state_dict, nn.Module.load_state_dict
no_grad, enable_grad = torch.no_grad, torch.enable_grad

_storage, _address = TensorBase.untyped_storage, StorageBase.data_ptr
_Scripted: Any = torch.jit.ScriptModule
_dict_of: Any = vars(nn.Module)["__dict__"].__get__
_graph: Any = torch.autograd.graph
_refuse_hooks = _graph.disable_saved_tensors_hooks


@contextlib.contextmanager
def without_modes_and_overrides() -> Iterator[None]:
    """Read without calling modes or overrides of tensor subclasses."""
    with without_functions(), without_modes():
        yield


@contextlib.contextmanager
def saved_copies() -> Iterator[None]:
    """Have autograd save copies for the backward pass, so that code may work in place on its own tensors.

    `e = x.exp(); e /= e.sum()` is right, but plain torch refuses its gradient, since the saved numbers were
    overwritten. With copies the gradient is that of the out-of-place version. torch's allow_mutation_on_saved_tensors
    copies less, by a mode that sees every operation: for small tensors the call then takes four times as long.
    """
    push_saved_hooks(clone, _unchanged)
    _graph.disable_saved_tensors_hooks = _pause_copies
    try:
        yield
    finally:
        _graph.disable_saved_tensors_hooks = _refuse_hooks
        pop_saved_hooks()


@contextlib.contextmanager
def _pause_copies(message: str) -> Iterator[None]:
    """Stop copying while torch.func's grad, vjp and the like run, which refuse to run with any hook."""
    hooks = (
        top_saved_hooks(False) if top_saved_hooks else (clone, _unchanged)
    )  # torch 2.5 cannot return the hooks, so assume ours
    paused = hooks is not None and hooks[0] is clone
    if paused:
        pop_saved_hooks()
    try:
        with _refuse_hooks(message):
            yield
    finally:
        if paused:
            push_saved_hooks(clone, _unchanged)


def _unchanged(copy: torch.Tensor) -> torch.Tensor:
    return copy


def storage_address(tensor: torch.Tensor) -> int:
    return int(_address(_storage(tensor)))


def named_modules(module: nn.Module, twice: bool = False) -> list[tuple[str, nn.Module]]:
    """Return a module as '' and all below it by dotted name.

    One with several names has that with the fewest parts, as `W_query` is shorter than `layers.0`; with `twice` each.
    """
    modules: list[tuple[str, nn.Module]] = []
    if twice:
        _add_with_all_below(module, "", set(), modules)
        return modules
    seen = {id(module)}
    modules.append(("", module))
    for name, part in modules:  # which grows, level by level
        for key, below in _modules_in(part, name):
            if id(below) not in seen:
                seen.add(id(below))
                modules.append((key, below))
    return modules


def _modules_in(module: nn.Module, name: str) -> list[tuple[str, nn.Module]]:
    registered = _registered(module, "_modules")
    return [
        (f"{name}.{key}" if name else str(key), part) for key, part in registered if issubclass(type(part), nn.Module)
    ]


def _add_with_all_below(module: nn.Module, name: str, above: set[int], modules: list[tuple[str, nn.Module]]) -> None:
    if id(module) in above:  # a module within itself
        return
    modules.append((name, module))
    for key, part in _modules_in(module, name):
        _add_with_all_below(part, key, above | {id(module)}, modules)


def named_parameters(module: nn.Module, twice: bool = False) -> dict[str, nn.Parameter]:
    """Return the parameters by dotted name; one with several names under the shortest, or with `twice` under each."""
    return _tensors(module, "_parameters", twice)


def named_buffers(module: nn.Module, twice: bool = False) -> dict[str, torch.Tensor]:
    """Return the buffers by dotted name, in the same way."""
    return _tensors(module, "_buffers", twice)


def has_own(module: nn.Module, name: str) -> bool:
    """Return whether a module itself, and not its class, has an attribute."""
    return name in _dict_of(module)


def is_training(module: nn.Module) -> bool:
    return bool(module.training if issubclass(type(module), _Scripted) else _dict_of(module)["training"])


def _tensors(module: nn.Module, kind: str, twice: bool) -> dict[str, Any]:
    tensors: dict[str, Any] = {}
    seen: set[int] = set()
    for name, part in named_modules(module, twice):
        for key, tensor in _registered(part, kind):
            if tensor is None or id(tensor) in seen:
                continue
            if not twice:
                seen.add(id(tensor))
            tensors[f"{name}.{key}" if name else str(key)] = tensor
    return tensors


def _registered(module: nn.Module, kind: str) -> list[tuple[Any, Any]]:
    """Return what a module has registered; a scripted one keeps it outside of Python, behind its attributes."""
    registry = getattr(module, kind) if issubclass(type(module), _Scripted) else _dict_of(module)[kind]
    return list(dict.items(registry) if issubclass(type(registry), dict) else registry.items())
