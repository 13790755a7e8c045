"""Takes the forbidden operations of the libraries away for the time of one call.

At torch's dispatcher their kernels are replaced by one that records the name and raises. It is reached from every
caller: aliases, modules, autograd, vmap, scripted and compiled code, other threads. So a right answer of that call was
computed without them. A recorded call counts even if student code caught the exception.

Library functions in Python that compute the same by other operations, and those of packages that a course allows, get
other code for that time. The function stays the same object, so references taken earlier are covered. Callables of such
a package that are not Python functions are wrapped at its import, before student code can hold a reference.
"""

import functools
import os
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.machinery import ExtensionFileLoader, SourceFileLoader, SourcelessFileLoader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NoReturn, Self

import torch

from ..protocol.exceptions import Place, own_line
from ..protocol.torch_internals import (
    close_past_the_dispatcher,
    has_kernel,
    operation_names,
    register_kernels,
    registrations_of,
)
from .groups import GROUPS

BACKENDS = (
    "CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional",
    "CPU", "MkldnnCPU", "QuantizedCPU", "NestedTensorCPU", "SparseCPU", "SparseCsrCPU",
    "CUDA", "QuantizedCUDA", "NestedTensorCUDA", "SparseCUDA", "SparseCsrCUDA", "MPS", "SparseMPS",
)  # fmt: skip
PLACE = "grader/blocking.py"
"""The label under which torch lists the kernels that raise; it is not the path of a file."""
TORCH = tuple(map(int, torch.__version__.partition("+")[0].split(".")[:2]))
PLACES = (PLACE,) if TORCH >= (2, 13) else (PLACE, "/dev/null")
"""Where torch says that such a kernel comes from; older versions, as in a student's own check, may not say."""
METHODS = ("forward", "__call__", "call", "_call", "_forward_impl", "_materialize", "_merge_one")
IN_PYTHON = (
    "torch._refs", "torch._decomp", "torch._prims", "torch._inductor", "torch._higher_order_ops", "torch.ao.nn",
    "torch.distributed.tensor", "torch.distributions", "torch.nested", "torch.nn.attention",
    "torch.nn.modules.linear_cross_entropy", "torch.onnx.ops",
)  # fmt: skip
PACKAGES = f"{Path(torch.__file__).parents[1]}{os.sep}"
_now: "list[Blocked]" = []
_functions: dict[str, dict[FunctionType, CodeType]] = defaultdict(dict)


class Forbidden(RuntimeError):
    """A forbidden operation was called."""


class Blocked:
    """Blocks operations from `enter` to `leave`.

    Args:
        groups: The groups to block, by name; an unknown name is ignored.
        files: The student's file names as the compiler knows them.

    Attributes:
        forbids: The groups as they were given.
        calls_seen: The blocked operations that were called, in order, each with the student's line.
    """

    def __init__(self, groups: Sequence[str], files: Mapping[str, int] | None = None) -> None:
        self.forbids, self.groups = groups, [group for group in groups if group in GROUPS]
        self.calls_seen: list[tuple[str, Place]] = []
        self._files = files or {}
        if self.groups:  # without, nothing is wrapped either: this may be a kernel
            scan_loaded_modules()
        self._kernels = {name: keys for group in self.groups for name, keys in kernels()[group].items()}
        self._libraries: dict[str, Any] = {}
        self._codes: dict[FunctionType, CodeType] = {}

    def refuse(self, name: str) -> NoReturn:
        """Record a call of a blocked operation, and raise."""
        self.calls_seen.append((name, own_line(self._files)))
        raise Forbidden(f"{name} is not there: this exercise forbids it.")

    def enter(self) -> Self:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns about replaced kernels
            for operation, backends in self._kernels.items():
                space, name = operation.split("::")
                if space not in self._libraries:
                    self._libraries[space] = register_kernels("IMPL", space, "", PLACE, 0)
                kernel = self._kernel(f"torch's {name.split('.')[0].lstrip('_').removeprefix('native_')}")
                for backend in backends:
                    self._libraries[space].impl(name, backend, kernel, False)
        _now.append(self)
        self.change_codes()
        return self

    def is_undone(self) -> bool:
        """Tell whether something took the kernels that raise away; a library has all of its kernels or none.

        A kernel that student code puts before one of them is no way to the library: it computes by hand, or raises.
        """
        return not all(map(is_blocked, {operation.split("::")[0]: operation for operation in self._kernels}.values()))

    def leave(self) -> None:
        _now.remove(self)
        for function, code in self._codes.items():
            function.__code__ = code
        for library in self._libraries.values():
            library.reset()

    def change_codes(self) -> None:
        """Replace the code of the Python functions found so far."""
        for group in self.groups:
            for function, code in list(_functions[group].items()):
                if function not in self._codes:
                    self._codes[function] = function.__code__
                    function.__code__ = code

    def _kernel(self, name: str) -> Callable[..., Any]:
        def kernel(*args: Any, **kwargs: Any) -> NoReturn:
            self.refuse(name)

        return kernel


@functools.cache
def kernels() -> dict[str, dict[str, list[str]]]:
    """Return the operations of each group, every overload with the backends that this build has a kernel for.

    An overload that writes into a given tensor and has no kernel for a backend calls the overload that returns one, or
    an operation that has such a kernel; so it need not be blocked.
    """
    wanted = {name for group in GROUPS.values() for name in group.operations}
    known = [backend for backend in BACKENDS if is_known(backend)]
    overloads: dict[str, dict[str, list[str]]] = {name: {} for name in wanted}
    for overload in sorted(operation_names()):
        name = overload.split(".")[0].removeprefix("aten::")
        if name in wanted:
            backends = [backend for backend in known if has_kernel(overload, backend)]
            if backends and not (overload.endswith("out") and backends == ["CompositeExplicitAutograd"]):
                overloads[name][overload] = backends
    return {
        name: {overload: backends for member in group.operations for overload, backends in overloads[member].items()}
        for name, group in GROUPS.items()
    }


def is_known(backend: str) -> bool:
    """Return whether this torch has a backend; each version adds some."""
    try:
        has_kernel("aten::add.Tensor", backend)
    except RuntimeError:
        return False
    return True


def is_blocked(operation: str) -> bool:
    """Return whether an operation has a kernel that raises."""
    kernels_now = registrations_of(operation)
    return any(f": registered at {place}:0 " in kernels_now for place in PLACES)


# -- functions in Python ----------------------------------------------------------------------------------------------


def scan_module(module: ModuleType) -> None:
    """Find the functions and classes with a forbidden name in a module of an installed package."""
    if not is_installed(vars(module).get("__file__")):
        return
    names = vars(module)
    of_torch = f"{module.__name__}.".startswith("torch.")
    in_python = module.__name__.startswith(IN_PYTHON)
    for group, what in GROUPS.items():
        searched = (what.composed if of_torch else what.names) & names.keys()
        if in_python and what.in_python is not None:
            searched |= {name for name in names if what.in_python.search(name)}
        for name in searched:
            value = names[name]
            for function in functions_of(value):
                _functions[group].setdefault(function, code_that_refuses(function, group))
            if callable(value) and not isinstance(value, FunctionType | type) and not of_torch:
                names[name] = wrapped(value, group, module.__name__, name)


@functools.cache
def scan_loaded_modules() -> None:
    """Scan all loaded modules; `scan_what_it_loads` sees those imported later."""
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType):
            scan_module(module)


def is_installed(file: object) -> bool:
    """Return whether a file belongs to an installed package."""
    return isinstance(file, str) and (file.startswith(PACKAGES) or "site-packages" in file)


def functions_of(value: Any) -> Iterator[FunctionType]:
    """Yield a function and those that it wraps, or the functions by which a class is called."""
    if isinstance(value, type):
        for name in METHODS:
            method = vars(value).get(name)
            yield from functions_of(getattr(method, "__func__", method))
        return
    while isinstance(value, FunctionType):
        yield value
        value = vars(value).get("__wrapped__")


def _refuses(*args: Any, **kwargs: Any) -> Any:
    return "refuse".__call__()  # type: ignore[operator]  # `code_that_refuses` replaces the text by a function


def code_that_refuses(function: FunctionType, group: str) -> CodeType:
    """Return code that refuses a function, with as many free variables as the function has."""
    name = f"{function.__module__}.{function.__qualname__}"
    constants = tuple(functools.partial(refuse, group, name) if slot == "refuse" else slot for slot in _CODE.co_consts)
    return _CODE.replace(co_consts=constants, co_freevars=function.__code__.co_freevars)


_CODE = _refuses.__code__


def refuse(group: str, name: str) -> None:
    """Refuse a call of a function whose group is blocked now."""
    for blocked in _now:
        if group in blocked.groups:
            blocked.refuse(name)


def wrapped(value: Any, group: str, module: str, name: str) -> Callable[..., Any]:
    """Return a function that calls a module's callable unless its group is blocked."""

    def call(*args: Any, **kwargs: Any) -> Any:
        refuse(group, f"{module}.{name}")
        return value(*args, **kwargs)

    call.__module__, call.__qualname__ = module, name
    return call


def scan_what_it_loads(loader: Any) -> None:
    """Have a class of loaders scan each module of an installed package as soon as it is loaded."""
    execute = loader.exec_module

    def exec_module(self: Any, module: ModuleType) -> None:
        execute(self, module)
        scan_module(module)
        for blocked in _now:
            blocked.change_codes()

    loader.exec_module = exec_module


def prepare() -> None:
    """Do once before the first fork what each worker would do otherwise."""
    install()
    scan_loaded_modules()
    kernels()


@functools.cache
def install() -> None:
    """Prepare the process for student code: watch imports, and close the ways past the dispatcher."""
    for loader in (SourceFileLoader, SourcelessFileLoader, ExtensionFileLoader):
        scan_what_it_loads(loader)
    close_past_the_dispatcher()
