"""What suites ask of an exercise that is an nn.Module.

The student's module stays on the other side; a twin of the solution is built here with the same parameters, loaded by
name into both, so that values are compared whatever the student's order of creation or way of drawing them.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import Reference
from grader.words import Words
from grader.workers.calls.student import ModuleHandle, Student


def twins(
    student: Student, reference: Reference, draw: Draw, name: str, *init: Any,
    values: Mapping[str, torch.Tensor] | None = None, **options: Any,
) -> tuple[ModuleHandle, nn.Module]:  # fmt: skip
    """Build the student's module and the solution's with the same random parameters.

    Args:
        values: Parameters by name that get these numbers.

    Returns:
        The student's handle (float32) and the solution's module (float64), both in training mode.
    """
    module = getattr(reference.module, name)(*init, **options).double()
    numbers = {**draw.parameters(module), **(values or {})}
    load(module, numbers)
    handle: ModuleHandle = getattr(student, name).built(*init, loads=numbers, **options)
    return handle, module


def remembered(handle: ModuleHandle, *names: str) -> dict[str, torch.Tensor]:
    """Return tensors that the student's module keeps by name, whether as buffers or otherwise in its state_dict.

    Raises:
        CheckFailed: It keeps none of a name.
    """
    kept = handle.kept()
    for name in names:
        if name not in kept:
            raise CheckFailed.for_students(
                Words("The module keeps nothing named {name}; it keeps {kept}.", name=name, kept=sorted(kept)),
            )
    return {name: kept[name] for name in names}


def load(module: nn.Module, values: Mapping[str, torch.Tensor]) -> None:
    """Copy values into a module's parameters by name; of two names for one parameter the later value stays."""
    parameters = dict(module.named_parameters(remove_duplicate=False))
    with torch.no_grad():
        for key, value in values.items():
            parameters[key].copy_(value)
