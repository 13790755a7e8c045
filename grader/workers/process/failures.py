"""The failures of student code, as a suite sees them.

    WorkerError
    |- StudentFailure      the student's code did not give a value; the check ends with this status
    |- OutOfTime           inside this package: a limit on time was reached while waiting
    `- WorkerDied          inside this package: the worker's process ended while waiting
    NotGraded              nothing is known of the check
    |- KilledBySystem      the machine had no memory left
    `- NoTimeLeft          the time of the whole submission is over

`grader.inside.protocol.wire.ProtocolViolation` is raised where bytes are read. It, OutOfTime and WorkerDied are caught
here and turned into one of the others, so that a suite author meets a single exception and need not catch even that.
"""

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Literal

FailureStatus = Literal["failed", "error", "timeout", "memory", "crash", "forbidden", "missing"]


class WorkerError(Exception):
    """Any failure around a worker."""


class OutOfTime(WorkerError):
    """A limit on time was reached; the message says which."""


class WorkerDied(WorkerError):
    """The worker's process ended, or closed its end of the connection."""


class NotGraded(BaseException):
    """Nothing is known of the check that runs, through no doing of the student's; no check catches it as an error.

    Attributes:
        why: What it is, in a word.
    """

    why: ClassVar[Literal["killed", "time"]]


class KilledBySystem(NotGraded):
    """The system killed the worker for want of memory, which may be that of others."""

    why = "killed"


class NoTimeLeft(NotGraded):
    """The time of the whole submission is over."""

    why = "time"


@dataclass(eq=False, repr=False)
class StudentFailure(WorkerError):
    """The student's code did not give a value that a check could look at.

    Attributes:
        status: The check's status because of it.
        sentence: What happened, and what to do, as a whole sentence; `Words` where the kit says it.
        name: What was called.
        exception_type: Name of the exception that the student's code raised.
        text: The message of that exception; untrusted text of the student's.
        line: Number of the student's own last line.
        cell: Number of the notebook's cell; None for a text file.
        line_text: That line.
        near: The name in the submission closest to a missing one; empty if none is close.
        code: What was refused as a word and its values; empty where an exception or the status says it.
        diagnosis: The known mistake that raises the same; filled in by the suite, whose type it is.
    """

    status: FailureStatus
    sentence: str
    _: KW_ONLY
    name: str = ""
    exception_type: str = ""
    text: str = ""
    line: int | None = None
    cell: int | None = None
    line_text: str = ""
    near: str = ""
    code: str = ""
    diagnosis: Any = field(default=None, init=False)

    def __post_init__(self) -> None:
        super().__init__(self.sentence)


class ForbiddenCall(StudentFailure):
    """The student's code called a library where the exercise asks for an answer by hand."""
