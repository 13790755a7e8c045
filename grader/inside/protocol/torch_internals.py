"""Every private part of torch that is used; `tests/unit/house/test_torch_parts.py` names one that a new version broke.

The names are bound at import, so that student code cannot replace them later.
"""

import sys
from typing import Any

import torch
from torch.optim import optimizer as torch_optimizer
from torch.utils._python_dispatch import TorchDispatchMode

__all__ = ["TorchDispatchMode"]

_C: Any = torch._C

# tensors, past overrides by a class or a mode
TensorBase: Any = _C.TensorBase
StorageBase: Any = _C.StorageBase
without_functions = _C.DisableTorchFunction
without_modes = _C._DisableTorchDispatch

# memory that nobody has written to yet is NaN then, or the largest whole number; the public switch imports the compiler
set_deterministic = _C._set_deterministic_algorithms

# what autograd saves for the backward pass
push_saved_hooks = _C._autograd._push_saved_tensors_default_hooks
pop_saved_hooks = _C._autograd._pop_saved_tensors_default_hooks
top_saved_hooks = getattr(_C._autograd, "_top_saved_tensors_default_hooks", None)

# the dispatcher: replacing kernels
register_kernels = _C._dispatch_library
registrations_of = _C._dispatch_dump
has_kernel = _C._dispatch_has_kernel_for_dispatch_key
operation_names = _C._dispatch_get_all_op_names

# what bypasses the dispatcher
PAST_THE_DISPATCHER = (
    "_dispatch_get_computed_kernel_for_dispatch_key", "_jit_to_static_module", "_te", "_jit_set_te_must_use_llvm_cpu",
    "_create_function_from_graph", "_fuse_to_static_module", "_jit_interpret_graph", "parse_ir", "Graph.create",
    "Graph.createClone", "Node.g_",
)  # fmt: skip


def close_past_the_dispatcher() -> None:
    """Remove the kernels as objects, and the ways to run a graph without the dispatcher."""
    for name in PAST_THE_DISPATCHER:
        owner, _, last = name.rpartition(".")
        place = getattr(_C, owner) if owner else _C
        if hasattr(place, last):
            delattr(place, last)
    sys.modules.pop("torch._C._te", None)
    _C._jit_set_llga_enabled(False)
    _C._jit_set_llga_enabled = lambda enable: None


# optimizers: the wrappers that import torch's compiler, by the code that they share
ASKS_FOR_THE_COMPILER = torch._compile._disable_dynamo(lambda: None).__code__
FOLLOWS_GRADIENTS = torch_optimizer._use_grad_for_differentiable(lambda: None).__code__
WITHOUT_COMPILER = "__dynamo_disable"
"""The attribute in which a function that is never compiled keeps the compiler's version of it."""


def replace_gradient_wrapper(step: Any) -> None:
    """Replace torch's wrapper that turns gradients on for differentiable optimizer steps."""
    torch_optimizer._use_grad_for_differentiable = step
