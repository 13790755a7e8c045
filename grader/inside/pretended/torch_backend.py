"""The private parts of torch with which a device is written in Python, and nothing else of it.

`tests/unit/inside/pretended/test_torch_backend.py` says which part changed when another torch breaks one.
"""

import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import torch
import torch.distributed
from torch.utils import backend_registration

from ..protocol.rows import PRETENDED

TensorBase: Any = torch._C.TensorBase
wrap: Any = torch.Tensor._make_wrapper_subclass
without_functions: Any = torch._C._disabled_torch_function_impl
untyped: Any = torch.library
_library: list[Any] = []
"""Keeps what is registered: it would be taken back with the object."""
_DTENSOR = "torch.distributed.tensor"


def device() -> torch.device:
    """Return the pretended device; it is the first and only one of its kind."""
    return torch.device(PRETENDED, 0)


def name_of(operation: Any) -> str:
    """Return the name of an operation without its overload, such as `aten::add`."""
    return str(operation._schema.name)


def changes_operands(operation: Any) -> bool:
    """Tell whether an operation writes into what it is given."""
    return bool(operation._schema.is_mutable)


def is_there() -> bool:
    """Tell whether this torch can carry a device that is written in Python: 2.5 and 2.8 cannot."""
    free = torch._C._get_privateuse1_backend_name() in ("privateuseone", PRETENDED)  # or an extension has taken it
    return free and hasattr(backend_registration, "_setup_privateuseone_for_python_backend")


def register(compute: Callable[[Any, Sequence[Any], dict[str, Any]], Any]) -> None:
    """Name the device, and have every operation on it computed by `compute(operation, args, kwargs)`."""
    backend_registration._setup_privateuseone_for_python_backend(PRETENDED, backend_module=_backend())
    library: Any = untyped.Library("_", "IMPL")
    library.fallback(lambda operation, *args, **kwargs: compute(operation, args, kwargs), "PrivateUse1")
    _library.append(library)
    _skip_distributed_tensors()


def show_accelerator(shown: Callable[[], bool]) -> None:
    """Have `torch.accelerator` know the device only while `shown` says so: a grading on the CPU has no accelerator."""
    find: Any = torch._C._accelerator_getAccelerator
    internals: Any = torch._C
    internals._accelerator_getAccelerator = lambda: find() if shown() else None


def _skip_distributed_tensors() -> None:
    """Make the first tensor without the 500 modules that torch imports then, only to ask whether it is one of theirs.

    torch asks for the class once in a process, and keeps what it finds.
    """
    stand_in: Any = ModuleType(_DTENSOR)
    stand_in.DTensor = type("DTensor", (), {})
    imported = sys.modules.setdefault(_DTENSOR, stand_in) is not stand_in
    try:
        torch.ones(1, device=device())
    finally:
        if not imported:
            del sys.modules[_DTENSOR]


def _backend() -> ModuleType:
    """Return `torch.pretended`, which torch asks for the number of devices and for what is drawn: on the CPU."""
    backend = ModuleType(f"torch.{PRETENDED}")
    answers: dict[str, Any] = {
        "is_available": lambda: True,
        "is_initialized": lambda: True,
        "device_count": lambda: 1,
        "current_device": lambda: 0,
        "synchronize": lambda device=None: None,
        "_is_in_bad_fork": lambda: False,
        "manual_seed_all": lambda seed: None,
        "manual_seed": lambda seed: None,
        "get_rng_state": lambda device=None: torch.get_rng_state(),
        "set_rng_state": lambda state, device=None: torch.set_rng_state(state),
        "get_amp_supported_dtype": lambda: [torch.float16, torch.bfloat16],
    }
    vars(backend).update(answers)
    return backend
