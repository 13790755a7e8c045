"""Asks that an exercise computes where its input is, so that it runs on a GPU: without having one.

Student code is called on the pretended device (`grader/inside/pretended`), which computes the CPU's numbers and refuses
what a GPU refuses. What is asked for there is the student's own answer on the CPU, so these checks ask for no value.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
import torch

from grader.inside.pretended import torch_backend
from grader.inside.protocol.rows import PRETENDED
from grader.suite.core import compare
from grader.suite.core.context import current_check, device
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import is_float, require_gradients, uneven
from grader.suite.core.reference import widened
from grader.workers.calls.callees import Callee
from grader.workers.calls.student import ModuleHandle, Observation, Student
from grader.workers.process.failures import StudentFailure

from .changed_inputs import outputs_of

SEED = 11  # of both calls, which then draw the same
LACKING = re.compile(
    "Could not run|INTERNAL ASSERT|Internal error|not implemented for|n[o']t support|Cannot access|Couldn't swap"
    "|already associated"
)
"""How torch says that a device cannot do something that the CPU can; a GPU could, so it is nobody's mistake."""


def on_another_device(
    asked: Callee, *args: Any, moves: Sequence[ModuleHandle] = (), gradients: bool = True, **kwargs: Any
) -> None:
    """Ask of a function, called on another device, for a result that is there and the same as on the CPU.

    Args:
        asked: `student.NAME`.
        moves: The modules among the arguments: they are moved before the call there.
        gradients: Whether the gradients are to be the same, too. A visible check leaves them out: a process that
            computed a gradient before the device was known, as a notebook's may, cannot compute one there.

    Raises:
        CheckFailed: The results or the gradients differ.
        StudentFailure: A call gave no value; the sentence says which tensor is on the CPU.
    """
    place = other_device()
    here = answered(asked, args, kwargs, "", gradients)
    with what_a_gpu_can():
        for module in moves:
            module.to(device=place)
        require_same(here, answered(asked, args, kwargs, place, gradients), args, kwargs)


def module_on_another_device(
    student: Student,
    name: str,
    init: Sequence[Any],
    *args: Any,
    options: Mapping[str, Any] | None = None,
    gradients: bool = True,
    **kwargs: Any,
) -> None:
    """Ask the same of a module after `.to(device)`, in training and then in evaluation.

    One module stays on the CPU and another one, with the same parameters and buffers, is moved before its first call.

    Args:
        init: What the class is called with, by position.
        options: What it is called with by keyword.
    """
    place = other_device()
    stays, moved = (getattr(student, name).built(*init, **options or {}) for _ in range(2))
    moved.load(stays.kept())
    for switch in (ModuleHandle.train, ModuleHandle.eval):
        for module in (stays, moved):
            switch(module)
        here = answered(stays, args, kwargs, "", gradients)
        with what_a_gpu_can():
            moved.to(device=place)
            require_same(here, answered(moved, args, kwargs, place, gradients), args, kwargs)


def other_device() -> str:
    """Return the device on which to try the code: the one it is graded on, or else the pretended one."""
    place = place_to_try()
    if place is not None:
        return place
    if not getattr(current_check.get().course, "pretends", True):
        pytest.skip("a GPU is not pretended in a notebook's own kernel")
    pytest.skip(f"torch {torch.__version__} cannot pretend to have a GPU; torch 2.13 can")


def place_to_try() -> str | None:
    """Return that device, or None where there is none."""
    if not getattr(current_check.get().course, "pretends", True) or (
        device() == "cpu" and not torch_backend.is_there()
    ):
        return None
    return PRETENDED if device() == "cpu" else device()


@contextmanager
def what_a_gpu_can() -> Iterator[None]:
    """Let pass what only the pretended device cannot do, such as a nested tensor."""
    try:
        yield
    except StudentFailure as failure:
        of_torch = (
            failure.exception_type in ("RuntimeError", "NotImplementedError") and "raise" not in failure.line_text
        )
        if device() != "cpu" or not of_torch or not LACKING.search(failure.text):
            raise


def answered(
    callee: Callee, args: Sequence[Any], kwargs: Mapping[str, Any], place: str, gradients: bool
) -> Observation:
    """Return a call's answer on a device, with the gradients of its first floating output."""
    seen = callee.observe(*args, seed=SEED, device=place, **kwargs)
    outputs = outputs_of(seen.value)
    number = next((at for at, each in enumerate(outputs) if is_float(each)), None)
    if not gradients or number is None:
        return seen
    cotangent = uneven(outputs[number].shape).to(outputs[number].dtype)
    return callee.observe(*args, cotangent=cotangent, output=number, seed=SEED, device=place, **kwargs)


def require_same(here: Observation, there: Observation, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Ask that two answers, and their gradients, are the same.

    Raises:
        CheckFailed: They are not.
    """
    dtype = compare.lowest_precision(tuple(args), dict(kwargs))
    try:
        expected = tuple(here.value) if isinstance(here.value, list) else here.value
        compare.require_all_close(there.value, widened(expected), "value", dtype, device())
        pairs = [*zip(there.input_gradients, here.input_gradients, strict=True)]
        pairs += [(there.parameter_gradients.get(name), grad) for name, grad in here.parameter_gradients.items()]
        require_gradients([one for one, _ in pairs], [widened(other) for _, other in pairs], dtype)
    except CheckFailed as failure:
        failure.reword(
            f"On another device than the CPU, such as a GPU: {failure.english}",
            f"GPU처럼 CPU가 아닌 장치에서: {failure.korean}",
        )
        raise
