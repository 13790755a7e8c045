"""What suites ask of an exercise that is an nn.Module.

The student's module stays on the other side; a twin of the solution is built here with the same parameters, loaded by
name into both, so that values are compared whatever the student's order of creation or way of drawing them.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.context import Mistake
from grader.suite.core.draw import Draw
from grader.suite.core.reference import Reference, answer_of
from grader.suite.diagnosis.by_measurement import Scaling
from grader.suite.library.reference_checks import Probe, given_to
from grader.tolerances import Kind
from grader.workers.calls.student import Given, ModuleHandle, Student


def twin(
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


def load(module: nn.Module, values: Mapping[str, torch.Tensor]) -> None:
    """Copy values into a module's parameters by name; of two names for one parameter the later value stays."""
    parameters = dict(module.named_parameters(remove_duplicate=False))
    with torch.no_grad():
        for key, value in values.items():
            parameters[key].copy_(value)


def module_probe(handle: ModuleHandle, module: nn.Module, case: Given, kind: Kind, dtype: str = "") -> Probe:
    """Return the probe of a call of the student's module, for which a known mistake is built as that was built."""

    def run_mistake(mistake: Mistake) -> Any:
        init, options = handle.built_with
        wrong = mistake.make(*init, **options)
        load(wrong, dict(module.named_parameters()))
        wrong.train(module.training).to(getattr(torch, compare.lowest_precision(case.args, case.kwargs)))
        with torch.no_grad():
            return given_to(wrong, case)

    def again() -> Any:
        return handle(*case.args, **case.kwargs)

    return Probe(
        handle.name, case, kind, None, lambda _: answer_of(module, case.args, case.kwargs), run_mistake, again, dtype,
        lambda: handle.unset or [],
    )  # fmt: skip


@contextmanager
def scaled_parameters(module: nn.Module, scaling: Scaling | None, divisor: float | None) -> Iterator[None]:
    """Let a module answer as if its scores were divided by another number, by scaling what they are linear in."""
    if scaling is None or divisor is None:
        yield
        return
    chosen = [value for name, value in module.named_parameters() if name.endswith(scaling.parameters)]
    before = [value.clone() for value in chosen]
    try:
        for value in chosen:
            value.mul_(scaling.right / divisor)
        yield
    finally:
        for value, old in zip(chosen, before, strict=True):
            value.copy_(old)
