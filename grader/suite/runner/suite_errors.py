"""Says what is wrong with a check itself, so that its author is sent to the file and the line and not to the solution.

A misspelt name, fixture or figure is Python's or pytest's to find; what they say is put into one sentence here.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

import pytest

from grader.errors import CourseError
from grader.faults import did_you_mean, fault, nearest
from grader.suite.core.fixtures import NAMES
from grader.suite.core.manifest import Check

LONGEST = 300


def last_line_in(file: Path, step: TracebackType | None) -> int:
    """Return the last line of a file that a traceback came through; 0 when it came through none."""
    line = 0
    while step is not None:
        if step.tb_frame.f_code.co_filename == str(file):
            line = step.tb_lineno
        step = step.tb_next
    return line


def exception_sentence(error: BaseException) -> str:
    """Return an exception's type and the first line of its text."""
    first = next(iter(str(error).strip().splitlines()), "")[:LONGEST]
    return f"{type(error).__name__}: {first}".rstrip(": .") + "."


def unknown_fixture_error(error: pytest.FixtureLookupError, item: pytest.Function) -> CourseError:
    """Return the error for a check that asks, itself or through a fixture, for a fixture which does not exist."""
    _, line, name = item.location
    near = did_you_mean(str(error.argname), NAMES)
    return fault(item.path, (line or 0) + 1, f"`{name}` asks for {error.argname!r}, which is not a fixture.", near)


def unknown_need_error(check: Check, need: str, stems: Iterable[str]) -> CourseError:
    """Return the error for a `needs` that names no check which runs before."""
    exercise = check.spec.exercise
    others = {f"test_{name}" for owner, _, name in (stem.partition(".") for stem in stems) if owner == exercise}
    near = nearest(need, others - {need})
    return CourseError(
        f"tests/{check.node} needs {need!r}, but no such check of {exercise} runs before it.",
        hint=f"Did you mean `{near}`?" if near else "Name a function above it in the same file.",
    )


def solution_error(exercise: str, file: Path, error: Exception) -> CourseError:
    """Return the error for a solution that gives no result for a small example of its contract."""
    problem = f"the solution of `{exercise}` ends with {exception_sentence(error)[:-1]} on an example of its contract."
    line = last_line_in(file, error.__traceback__) or None
    return fault(file, line, problem, "Mend the solution, or the contract in its hidden suite.")


def collection_error(report: pytest.CollectReport) -> CourseError:
    """Return the error for a suite that pytest could not collect, with the line where it stopped."""
    lines = [line.strip() for line in report.longreprtext.splitlines() if line.strip()]
    told = [line.removeprefix("E").strip() for line in lines if line.startswith("E ")] or lines
    name = re.escape(report.nodeid.rpartition("/")[2])
    places = re.findall(rf'{name}", line (\d+)|{name}:(\d+)', report.longreprtext)
    place = f" (line {''.join(places[-1])})" if places else ""
    reason = told[-1].removeprefix("grader.errors.CourseError: ") if told else "pytest gives no reason."
    return CourseError(f"The suite tests/{report.nodeid}{place} could not be read: {reason}")
