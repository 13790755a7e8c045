"""Says what is wrong with a check itself, so that its author is sent to the file and the line and not to the solution.

A misspelt name, fixture or figure is Python's or pytest's to find; what they say is put into one sentence here, with
the nearest name that there is.
"""

import builtins
import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from types import FunctionType, TracebackType
from typing import Any

import pytest

from grader.errors import CourseError
from grader.faults import did_you_mean, fault, nearest
from grader.suite.core.fixtures import MAKERS
from grader.suite.core.manifest import Check

from .pytest_internals import function_that_asks

LONGEST = 300


def last_line_in(file: Path, step: TracebackType | None) -> int:
    """Return the last line of a file that a traceback came through; 0 when it came through none."""
    found = 0
    while step is not None:
        if step.tb_frame.f_code.co_filename == str(file):
            found = step.tb_lineno
        step = step.tb_next
    return found


def exception_sentence(error: BaseException) -> str:
    """Return an exception's type and the first line of its text, with the nearest name where one is misspelt."""
    first = next(iter(str(error).strip().splitlines()), "")[:LONGEST]
    words = f"{type(error).__name__}: {first}".rstrip(": .") + "."
    near = nearest_name(error)
    return f"{words} Did you mean `{near}`?" if near else words


def nearest_name(error: BaseException) -> str | None:
    """Return the name that a NameError or an AttributeError came closest to; None for another or when none is close."""
    name = getattr(error, "name", None)
    if not isinstance(name, str):
        return None
    if isinstance(error, AttributeError):
        return nearest(name, (each for each in dir(error.obj) if not each.startswith("_")))
    step = error.__traceback__
    if not isinstance(error, NameError) or step is None:
        return None
    while step.tb_next is not None:
        step = step.tb_next
    frame = step.tb_frame
    return nearest(name, {*frame.f_locals, *frame.f_globals}) or nearest(name, dir(builtins))


def unknown_fixture_error(error: pytest.FixtureLookupError) -> CourseError:
    """Return the error for a check, or a fixture of a suite, that asks for a fixture which does not exist."""
    asking: list[Any] = [function_that_asks(error), *(each.func for each in error.fixturestack)]
    if error.msg is not None and len(asking) > 1:
        asking.pop()  # as pytest does: that fixture is what is asked for
    file, line = place_of(asking[-1])
    why = "is not a fixture." if error.msg is None else f"cannot be given: {' '.join(error.msg.split())}"
    problem = f"the argument `{error.argname}` of `{asking[-1].__name__}` {why}"
    return fault(file, line, problem, did_you_mean(str(error.argname), MAKERS))


def unknown_need_error(check: Check, need: str, stems: Iterable[str]) -> CourseError:
    """Return the error for a `needs` that names no check which runs before."""
    exercise = check.spec.exercise
    others = {f"test_{name}" for owner, _, name in (stem.partition(".") for stem in stems) if owner == exercise}
    near = nearest(need, others - {need})
    return CourseError(
        f"tests/{check.node} needs {need!r}, but no such check of {exercise} runs before it.",
        hint=f"Did you mean `{near}`?" if near else "Name a function above it in the same file.",
    )


def place_of(function: FunctionType) -> tuple[Path, int]:
    """Return the file and the line in which a function's `def` stands, behind its decorators."""
    code = inspect.unwrap(function).__code__
    lines, first = inspect.getsourcelines(code)
    above = next((number for number, text in enumerate(lines) if text.lstrip().startswith(("def ", "async "))), 0)
    return Path(code.co_filename), first + above


def collection_error(report: pytest.CollectReport) -> CourseError:
    """Return the error for a suite that pytest could not collect, with the line where it stopped."""
    lines = [line.strip() for line in report.longreprtext.splitlines() if line.strip()]
    told = [line.removeprefix("E").strip() for line in lines if line.startswith("E ")] or lines
    name = re.escape(report.nodeid.rpartition("/")[2])
    places = re.findall(rf'{name}", line (\d+)|{name}:(\d+)', report.longreprtext)
    place = f" (line {''.join(places[-1])})" if places else ""
    reason = told[-1].removeprefix("grader.errors.CourseError: ") if told else "pytest gives no reason."
    return CourseError(f"The suite tests/{report.nodeid}{place} could not be read: {reason}")
