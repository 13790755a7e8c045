"""What it means for a check that a worker gave no answer: out of time, dead, or an invalid reply."""

import signal
from typing import Literal

from grader.words import Words

from .failures import OutOfTime, StudentFailure, WorkerDied

Death = tuple[Literal["timeout", "memory", "crash", "forbidden"], Words]
DEATHS: dict[str, Death] = {
    "SIGSYS": (
        "forbidden",
        Words("Your code was stopped for asking the system for something that is not allowed here (SIGSYS)."),
    ),
    "SIGXCPU": (
        "timeout",
        Words("Your code used up all the processor time that a submission may take (SIGXCPU)."),
    ),
    "SIGKILL": (
        "crash",
        Words("Your code's process was killed (SIGKILL); look for code that ends its own process."),
    ),
}


def failure_of(error: Exception, exit_status: int | None, doing: str) -> StudentFailure:
    """Return the failure that a check ends with.

    Args:
        error: `OutOfTime`, `WorkerDied`, or a `ProtocolViolation`.
        exit_status: The wait status of a worker that died; None if it is unknown.
        doing: What was being done, as the beginning of a sentence: `softmax_naive`.
    """
    if isinstance(error, OutOfTime):
        late = Words(
            "{doing} did not finish in the time that a check has; look for a loop that never ends, or for far too many "
            "small steps.",
            doing=doing,
        )
        return StudentFailure("timeout", late, name=doing)
    if isinstance(error, WorkerDied):
        status, sentence = death(exit_status)
        return StudentFailure(status, sentence, name=doing)
    strange = Words("What came back from your code's process was not an answer of this kit. {what}", what=error)
    return StudentFailure("forbidden", strange, name=doing)


def death(status: int | None) -> Death:
    """Return what the end of a worker's process means for the check, and a sentence about it."""
    if status is None:
        return "crash", Words("Your code cut the connection to the grader or ended its process in an unknown way.")
    number = status & 0x7F
    if number == 0:
        ended = Words(
            "Your code ended the whole Python process (exit status {status}); look for os._exit, exit() in a thread, "
            "or a library that gives up.",
            status=status >> 8,
        )
        return "crash", ended
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    crashed = Words(
        "Your code crashed the Python process ({signal}); recursion without an end is the usual cause.", signal=name
    )
    return DEATHS.get(name) or ("crash", crashed)
