"""Says what is wrong with a suite or a solution, so that its author is sent to the file and the line.

A misspelt name, fixture or figure is Python's or pytest's to find; what they say is put into one sentence here.
"""

import traceback
from pathlib import Path

from grader.errors import CourseError
from grader.faults import fault

LONGEST = 600


def last_line_in(file: Path, error: BaseException | None) -> int | None:
    """Return the last line of a file that an exception came through; None when it came through none."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return error.lineno
    steps = traceback.walk_tb(None if error is None else error.__traceback__)
    return next((line for frame, line in reversed([*steps]) if frame.f_code.co_filename == str(file)), None)


def exception_sentence(error: BaseException) -> str:
    first = next(iter(str(error).strip().splitlines()), "")[:LONGEST]
    return f"{type(error).__name__}: {first}".rstrip(": .") + "."


def fault_in(file: Path, error: BaseException, what: str = "", hint: str = "") -> CourseError:
    """Return the error for a file of the course in which an exception was raised.

    Args:
        what: Begins the sentence about an exception that is none of the kit's, which `hint` ends.
    """
    line = last_line_in(file, error)
    if isinstance(error, CourseError):  # without a line it is about something else, which it names
        return error if line is None else fault(file, line, error.problem, error.hint)
    return fault(file, line, f"{what} {exception_sentence(error)}", hint)
