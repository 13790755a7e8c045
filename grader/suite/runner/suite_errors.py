"""Says what is wrong with a check itself, so that its author is sent to the file and the line and not to the solution.

A misspelt name, fixture or figure is Python's or pytest's to find; what they say is put into one sentence here.
"""

import re
import traceback
from pathlib import Path

import pytest

from grader.errors import CourseError
from grader.faults import did_you_mean, fault
from grader.suite.core.fixtures import NAMES

LONGEST = 600


def last_line_in(file: Path, error: BaseException | None) -> int | None:
    """Return the last line of a file that an exception came through; None when it came through none."""
    steps = traceback.walk_tb(None if error is None else error.__traceback__)
    return next((line for frame, line in reversed([*steps]) if frame.f_code.co_filename == str(file)), None)


def exception_sentence(error: BaseException) -> str:
    """Return an exception's type and the first line of its text."""
    first = next(iter(str(error).strip().splitlines()), "")[:LONGEST]
    return f"{type(error).__name__}: {first}".rstrip(": .") + "."


def with_place(error: BaseException | None, item: pytest.Item) -> BaseException | None:
    """Return the error that ended a check; one of the check itself with its file and the line to look at."""
    if isinstance(error, pytest.FixtureLookupError):
        _, line, name = item.location
        near = did_you_mean(str(error.argname), NAMES)
        return fault(item.path, (line or 0) + 1, f"`{name}` asks for {error.argname!r}, which is not a fixture.", near)
    if isinstance(error, CourseError) and (line := last_line_in(item.path, error)) is not None:
        return fault(item.path, line, error.problem, error.hint)
    return error


def solution_error(exercise: str, file: Path, error: Exception) -> CourseError:
    """Return the error for a solution that gives no result for a small example of its contract."""
    problem = f"the solution of `{exercise}` ends with {exception_sentence(error)[:-1]} on an example of its contract."
    return fault(file, last_line_in(file, error), problem, "Mend the solution, or the contract in its hidden suite.")


def collection_error(report: pytest.CollectReport) -> CourseError:
    """Return the error for a suite that pytest could not collect, with the line where it stopped."""
    lines = [line.strip() for line in report.longreprtext.splitlines() if line.strip()]
    told = [line.removeprefix("E").strip() for line in lines if line.startswith("E ")] or lines
    name = re.escape(report.nodeid.rpartition("/")[2])
    places = re.findall(rf'{name}", line (\d+)|{name}:(\d+)', report.longreprtext)
    place = f" (line {''.join(places[-1])})" if places else ""
    reason = told[-1].removeprefix("grader.errors.CourseError: ") if told else "pytest gives no reason."
    return CourseError(f"The suite tests/{report.nodeid}{place} could not be read: {reason}")
