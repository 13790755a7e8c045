"""Every private part of torch that is used; `tests/kit/house/test_torch_parts.py` says which one a new version broke.

Taken at import, so that a name which student code replaces later changes nothing here.
"""

import sys
from typing import Any

import torch
from torch.optim import optimizer as torch_optimizer
from torch.utils._python_dispatch import TorchDispatchMode

__all__ = ["TorchDispatchMode"]

_C: Any = torch._C

# tensors past what a class or a mode puts in the place of their methods
TensorBase: Any = _C.TensorBase
StorageBase: Any = _C.StorageBase
without_functions = _C.DisableTorchFunction
without_functions_of_subclasses = _C.DisableTorchFunctionSubclass
without_modes = _C._DisableTorchDispatch

# what autograd saves for the way back
push_saved_hooks = _C._autograd._push_saved_tensors_default_hooks
pop_saved_hooks = _C._autograd._pop_saved_tensors_default_hooks
top_saved_hooks = getattr(_C._autograd, "_top_saved_tensors_default_hooks", None)

# the dispatcher: kernels in the place of others
register_kernels = _C._dispatch_library
registrations_of = _C._dispatch_dump
has_kernel = _C._dispatch_has_kernel_for_dispatch_key
operation_names = _C._dispatch_get_all_op_names

# what runs operations past the dispatcher
PAST_THE_DISPATCHER = ("_dispatch_get_computed_kernel_for_dispatch_key", "_jit_to_static_module", "_te")


def close_past_the_dispatcher() -> None:
    """Take away kernels as objects, and the ways to run a graph by other code than the dispatcher's kernels."""
    for name in PAST_THE_DISPATCHER:
        if hasattr(_C, name):
            delattr(_C, name)
    sys.modules.pop("torch._C._te", None)
    _C._jit_set_llga_enabled(False)
    _C._jit_set_llga_enabled = lambda enable: None


# optimizers: the wrappers that ask for torch's compiler, by the code that all of them share
ASKS_FOR_THE_COMPILER = torch._compile._disable_dynamo(lambda: None).__code__
FOLLOWS_GRADIENTS = torch_optimizer._use_grad_for_differentiable(lambda: None).__code__
WITHOUT_COMPILER = "__dynamo_disable"
"""Where a function that is never compiled keeps what the compiler made of it, once it was asked."""


def replace_gradient_wrapper(step: Any) -> None:
    """Put a wrapper in the place of the one by which an optimizer's step follows gradients where it is to."""
    torch_optimizer._use_grad_for_differentiable = step
