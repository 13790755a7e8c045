"""Lets torch's optimizers work without torch's compiler, which they import at their first use only to leave it out.

That import takes a second of processor time and seventy megabytes, in the zygote for everybody or in each worker that
makes an optimizer. Nothing is compiled in a worker (`TORCHDYNAMO_DISABLE`), so nothing is lost. Whatever else asks for
the compiler imports it as ever.
"""

import functools
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import torch

from ..protocol.torch_internals import (
    ASKS_FOR_THE_COMPILER,
    FOLLOWS_GRADIENTS,
    WITHOUT_COMPILER,
    replace_gradient_wrapper,
)

PACKAGE = "torch.optim"


def skip_compiler() -> None:
    """Settle beforehand what the compiler would make of the functions that are not to be compiled: themselves."""
    for holder, name, function in list(_functions()):
        if function.__code__ is ASKS_FOR_THE_COMPILER:
            setattr(function.__wrapped__, WITHOUT_COMPILER, function.__wrapped__)
        elif function.__code__ is FOLLOWS_GRADIENTS:
            setattr(holder, name, _step(function.__wrapped__))
    replace_gradient_wrapper(_step)  # for optimizers of a student's own
    torch.compile = _as_it_is


def _as_it_is(model: Any = None, **options: Any) -> Any:
    """Stand in for torch.compile, which would make of what it is given the same, after an import of many backends."""
    return (lambda function: function) if model is None else model


def _functions() -> Iterator[tuple[Any, str, Any]]:
    """Yield the functions of the package and of its classes, each with what holds it and its name there."""
    modules = [module for name, module in sys.modules.items() if name.startswith(PACKAGE)]
    classes = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    for holder in (*modules, *(kind for kind in classes if kind.__module__.startswith(PACKAGE))):
        for name, value in list(vars(holder).items()):
            if isinstance(value, FunctionType):
                yield holder, name, value


def _step(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return an optimizer's step that follows gradients only where the optimizer is to be differentiable."""

    @functools.wraps(function)
    def step(*args: Any, **kwargs: Any) -> Any:
        before = torch.is_grad_enabled()
        try:
            torch.set_grad_enabled(args[0].defaults["differentiable"])
            return function(*args, **kwargs)
        finally:
            torch.set_grad_enabled(before)

    return step
