"""The failures of student code, as a suite sees them.

    WorkerError
    |- StudentFailure      the student's code did not give a value; the check ends with this status
    |- OutOfTime           inside this package: a limit on time was reached while waiting
    `- WorkerDied          inside this package: the worker's process ended while waiting

`grader.inside.protocol.wire.ProtocolViolation` is raised where bytes are read. All of them but StudentFailure are
caught here and turned into one, so that a suite author meets a single exception and need not catch even that.
"""

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal

FailureStatus = Literal["failed", "error", "timeout", "memory", "crash", "forbidden", "missing"]


class WorkerError(Exception):
    """Any failure around a worker."""


class OutOfTime(WorkerError):
    """A limit on time was reached; the message says which."""


class WorkerDied(WorkerError):
    """The worker's process ended, or closed its end of the connection."""


@dataclass(eq=False, repr=False)
class StudentFailure(WorkerError):
    """The student's code did not give a value that a check could look at.

    Attributes:
        status: The check's status because of it.
        sentence: What happened, and what to do, as a whole sentence.
        sentence_ko: The same in Korean; the English one where none is given.
        name: What was called.
        exception_type: Name of the exception that the student's code raised.
        text: The message of that exception; untrusted text of the student's.
        line: Number of the student's own last line.
        cell: Number of the notebook's cell; None for a text file.
        line_text: That line.
        limit: Which limit on time was reached, `wall`, `cpu` or `submission`; empty otherwise.
        near: The name in the submission closest to a missing one; empty if none is close.
        code: What was refused as a word and its values; empty where an exception or the status says it.
        killed: Whether the worker was killed, by the system, a person, or the code itself.
        diagnosis: The known mistake that raises the same; filled in by the suite, whose type it is.
        is_final: Whether a second try cannot change the verdict, since a forbidden call was observed.
    """

    status: FailureStatus
    sentence: str
    _: KW_ONLY
    sentence_ko: str = ""
    name: str = ""
    exception_type: str = ""
    text: str = ""
    line: int | None = None
    cell: int | None = None
    line_text: str = ""
    limit: str = ""
    near: str = ""
    code: str = ""
    killed: bool = False
    diagnosis: Any = field(default=None, init=False)
    is_final: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        super().__init__(self.sentence)
        self.sentence_ko = self.sentence_ko or self.sentence
