"""Asks that an answer computes where its input is, so that it runs on a GPU: without having one.

Student code is called on the pretended device (`grader/inside/pretended`), which computes the CPU's numbers and refuses
what a GPU refuses. What is asked for there is the student's own answer on the CPU, so these checks ask for no value.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from grader.inside.pretended import torch_backend
from grader.inside.protocol.rows import PRETENDED
from grader.suite.core import compare
from grader.suite.core.context import current_check, device
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import gradients_seen, require_gradients
from grader.suite.core.reference import widened
from grader.words import Words
from grader.workers.calls.callees import Callee
from grader.workers.calls.student import Given, ModuleHandle, Observation
from grader.workers.process.failures import StudentFailure

SEED = 11  # of both calls, which then draw the same
LACKING = re.compile(
    "Could not run|INTERNAL ASSERT|Internal error|not implemented for|n[o']t support|Cannot access|Couldn't swap"
    "|already associated|PrivateUse1HooksInterface"
)
"""How torch says that a device cannot do something that the CPU can; a GPU could, so it is nobody's mistake."""


def same_elsewhere(asked: Callee, moved: Callee, given: Given) -> None:
    """Ask that a call on another device has a result there, which is the same as on the CPU.

    No gradient is asked for: a process that computed one before the device was known, as a notebook's may, cannot
    compute one there.

    Args:
        asked: What is called on the CPU.
        moved: What is called there: the same function, or another module with the same parameters, which is moved.

    Raises:
        CheckFailed: The results differ.
        StudentFailure: A call gave no value; the sentence says which tensor is on the CPU.
    """
    elsewhere = other_device()
    here = asked.observe(*given.args, seed=SEED, **given.kwargs)
    with what_a_gpu_can():
        if isinstance(moved, ModuleHandle):
            moved.to(device=elsewhere)
        there = moved.observe(*given.args, seed=SEED, device=elsewhere, **given.kwargs)
        inputs = {str(place): value for place, value in enumerate(given.args)}
        require_same(here, there, inputs | dict(given.kwargs))


def other_device() -> str:
    """Return the device on which to try the code: the one it is graded on, or else the pretended one."""
    tried = device_to_try()
    if tried is None:
        pytest.skip("No GPU is pretended in a notebook's own kernel, nor by a torch before 2.13.")
    return tried


def device_to_try() -> str | None:
    """Return that device, or None where there is none."""
    if not getattr(current_check.get().course, "pretends", True):
        return None
    if device() != "cpu":
        return device()
    return PRETENDED if torch_backend.is_there() else None


@contextmanager
def what_a_gpu_can() -> Iterator[None]:
    """Let pass what only the pretended device cannot do, such as a nested tensor."""
    try:
        yield
    except StudentFailure as failure:
        of_torch = (
            failure.exception_type in ("RuntimeError", "NotImplementedError") and "raise" not in failure.line_text
        )
        # torch itself crashes where gradients are taken forward
        crashes = failure.status == "crash" and "SIGSEGV" in failure.sentence
        lacks = crashes or (of_torch and LACKING.search(failure.text))
        if device() != "cpu" or not lacks:
            raise


def require_same(here: Observation, there: Observation, inputs: Mapping[str, Any]) -> None:
    """Ask that two answers, and their gradients, are the same.

    Args:
        inputs: Those of both calls by name.

    Raises:
        CheckFailed: They are not.
    """
    dtype = compare.lowest_precision(dict(inputs))
    try:
        expected = tuple(here.value) if isinstance(here.value, list) else here.value
        compare.require_all_close(there.value, widened(expected), "value", dtype, device())
        require_gradients(gradients_seen(there, inputs), widened(gradients_seen(here, inputs)), dtype)
    except CheckFailed as failure:
        advice = of_the_device(failure.advice) if failure.advice else failure.advice
        raise CheckFailed(of_the_device(failure.found), advice, failure.values) from None


def of_the_device(found: Words) -> Words:
    """Say of a difference that it is one between devices."""
    return Words("On another device than the CPU, such as a GPU: {found}", found=found)
