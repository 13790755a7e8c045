"""Turns an exception of student code into data: its kind, its message and the student's own last line.

Nothing of the exception object leaves the worker. Its methods are the student's code, so none of them is trusted.
"""

import errno
import itertools
import linecache
import sys
import traceback
from collections.abc import Mapping
from types import FrameType, TracebackType
from typing import Any, Literal, NamedTuple

from .rows import LONGEST_MESSAGE, LONGEST_NAME

LONGEST_LINE = 500
MOST_BASES = 32
MOST_FRAMES = 100_000
FORBIDDEN_ERRORS = frozenset({errno.EPERM, errno.EACCES, errno.EROFS})
MEMORY_WORDS = ("can't allocate memory", "std::bad_alloc", "out of memory", "Cannot allocate memory")

Kind = Literal["missing", "error", "memory", "forbidden", "gradient"]
_name_of = type.__dict__["__name__"].__get__
_number_of = vars(OSError)["errno"].__get__  # even if a subclass overrides the attribute


def type_name(kind: type) -> str:
    """Return the name of a type, even if its metaclass gives another one."""
    return clean(_name_of(kind), LONGEST_NAME)


def clean(text: str, limit: int) -> str:
    """Return a text that can be encoded and is not too long."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return short.encode("utf-8", "backslashreplace").decode("utf-8")[:limit]


def _without_place(error: BaseException, files: Mapping[str, int]) -> str:
    """Return an exception's message; of a fault in a file of the student's without the place, which is said beside."""
    plain = type(error) in (SyntaxError, IndentationError, TabError)  # a student's own kind may have other attributes
    if plain and isinstance(error, SyntaxError) and error.filename in files:
        return clean(str(error.msg), LONGEST_MESSAGE)
    return words_of(error)


def words_of(error: BaseException) -> str:
    """Return an exception's message, or a fixed text if its `__str__` fails."""
    try:
        text = str(error)
        return clean(str.__str__(text), LONGEST_MESSAGE)
    except BaseException:  # its __str__ is the student's code too
        return "(the exception's text could not be made)"


class Place(NamedTuple):
    """A line of the student's: the number of its cell, its own number and its text."""

    cell: int | None = None
    line: int | None = None
    source: str = ""


def place_in(files: Mapping[str, int], file: str, line: int) -> Place:
    """Return a line of one of the student's files; `files` gives each file name its cell."""
    return Place(files[file], line, clean(linecache.getline(file, line).strip(), LONGEST_LINE))


def last_own_line(start: TracebackType | None, files: Mapping[str, int]) -> Place:
    """Return the line of the last frame of a traceback that is in the student's source."""
    last = Place()
    for frame, number in itertools.islice(traceback.walk_tb(start), MOST_FRAMES):
        if frame.f_code.co_filename in files:
            last = place_in(files, frame.f_code.co_filename, number)
    return last


def own_line(files: Mapping[str, int]) -> Place:
    """Return the student's line that is being run."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename not in files:
        frame = frame.f_back
    return Place() if frame is None else place_in(files, frame.f_code.co_filename, frame.f_lineno)


def kind_of(error: BaseException, source: str) -> Kind:
    """Return the kind of an exception.

    Args:
        source: The text of the student's own last line; torch raises NotImplementedError too, for what it cannot do.
    """
    kind = type(error)
    if issubclass(kind, MemoryError):
        return "memory"
    if issubclass(kind, NotImplementedError):
        no_forward = not source and words_of(error).startswith("Module [")  # of the very module that was called
        return "missing" if no_forward or "NotImplementedError" in source else "error"
    number = _number_of(error) if issubclass(kind, OSError) else None
    if issubclass(kind, PermissionError) or number in FORBIDDEN_ERRORS:
        return "forbidden"
    if issubclass(kind, RuntimeError) and any(word in words_of(error) for word in MEMORY_WORDS):
        return "memory"
    return "error"


class GradientFailed(Exception):
    """The gradients of a result could not be computed; its cause is the exception that autograd raised."""


def explain_gradient(error: BaseException, files: Mapping[str, int]) -> dict[str, Any]:
    """Return the fields of a `RaisedReply` that describe why gradients could not be taken."""
    fields = explain(error, files)
    if fields["kind"] == "error":
        fields["kind"] = "gradient"
    return fields


def explain(error: BaseException, files: Mapping[str, int]) -> dict[str, Any]:
    """Return the fields of a `RaisedReply` that describe an exception."""
    place = last_own_line(error.__traceback__, files)
    return {
        "kind": kind_of(error, place.source),
        "type_name": type_name(type(error)),
        "bases": [type_name(base) for base in type.mro(type(error))[1:-1]][:MOST_BASES],
        "text": _without_place(error, files),
        **place._asdict(),
    }
