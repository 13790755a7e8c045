"""What can go wrong with student code, as the suite meets it.

    WorkerError
    |- StudentFailure      the student's code did not give a value; the check ends with this status
    |- OutOfTime           inside this package: a limit on time was reached while waiting
    `- WorkerDied          inside this package: the worker's process ended while waiting

`grader.inside.wire.ProtocolViolation` is raised where bytes are read. All of them but StudentFailure are caught here
and turned into one, so that a suite author meets a single exception and need not catch even that.
"""

import signal
from typing import Any, Literal

FailureStatus = Literal["failed", "error", "timeout", "memory", "crash", "forbidden", "missing"]


class WorkerError(Exception):
    """Any failure around a worker."""


class OutOfTime(WorkerError):
    """A limit on time was reached; the message says which."""


class WorkerDied(WorkerError):
    """The worker's process ended, or closed its end of the connection."""


class StudentFailure(WorkerError):
    """The student's code did not give a value that a check could look at.

    Args:
        status: What the check is called because of it.
        sentence: What happened, and what to do, as a whole sentence.
        name: What was called.
        exception_type: Name of the exception that the student's code raised.
        text: What that exception says; the student's words, not to be believed.
        line: Number of the student's own last line.
        cell: Number of the notebook's cell; None for a text file.
        line_text: That line.
        limit: Which limit on time was reached, `wall`, `cpu` or `submission`; empty otherwise.
        near: The name in the submission that comes closest to one that is missing; empty when none does.
        killed: Whether the worker was killed by nobody knows whom: the system, a person, or the code itself.

    Attributes:
        diagnosis: The known mistake that raises the same; filled in by the suite, whose type it is.
    """

    diagnosis: Any = None

    def __init__(
        self,
        status: FailureStatus,
        sentence: str,
        *,
        name: str = "",
        exception_type: str = "",
        text: str = "",
        line: int | None = None,
        cell: int | None = None,
        line_text: str = "",
        limit: str = "",
        near: str = "",
        killed: bool = False,
    ) -> None:
        super().__init__(sentence)
        self.status: FailureStatus = status
        self.sentence = sentence
        self.name = name
        self.exception_type = exception_type
        self.text = text
        self.line = line
        self.cell = cell
        self.line_text = line_text
        self.limit = limit
        self.near = near
        self.killed = killed


def killed_by_somebody(status: int | None) -> bool:
    """Tell whether a worker's end may have nothing to do with what its code did, so that it is worth another try.

    Args:
        status: The wait status as `os.waitpid` gives it; None when nobody knows.
    """
    return status is None or status & 0x7F == signal.SIGKILL


def death(status: int | None) -> tuple[Literal["timeout", "memory", "crash", "forbidden"], str]:
    """Return what the end of a worker's process means for the check, and a sentence about it.

    Args:
        status: The wait status as `os.waitpid` gives it; None when nobody knows.
    """
    if status is None:
        return "crash", "Your code cut the connection to the grader or ended its process in an unknown way."
    number = status & 0x7F
    if number == 0:
        return "crash", (
            f"Your code ended the whole Python process (exit status {status >> 8}); "
            "look for os._exit, exit() in a thread, or a library that gives up."
        )
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    if name == "SIGSYS":
        return (
            "forbidden",
            "Your code was stopped for asking the system for something that is not allowed here (SIGSYS).",
        )
    if name == "SIGXCPU":
        return "timeout", "Your code used up all the processor time that a submission may take (SIGXCPU)."
    if name == "SIGKILL":
        return "memory", "The system stopped your code (SIGKILL), most often because it asked for too much memory."
    return (
        "crash",
        f"Your code crashed the Python process ({name}); recursion without an end is the usual cause.",
    )
