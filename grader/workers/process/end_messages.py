"""What it means for a check that a worker gave no answer: out of time, dead, or an invalid reply."""

import signal
from typing import Literal

from .failures import OutOfTime, StudentFailure, WorkerDied

Death = tuple[Literal["timeout", "memory", "crash", "forbidden"], str, str]
NOT_ALLOWED_KO = "채점기가 허용하지 않는 동작을 해서 코드를 멈췄습니다."
TOO_LONG = (
    "{doing} did not finish in the time that a check has; look for a loop that never ends, or for far too many small "
    "steps.",
    "{doing}: 한 검사에 주어진 시간 안에 끝나지 않았습니다. 끝나지 않는 반복문이나 지나치게 많은 작은 계산이 없는지 "
    "확인하세요.",
)
DEATHS: dict[str, Death] = {
    "SIGSYS": (
        "forbidden",
        "Your code was stopped for asking the system for something that is not allowed here (SIGSYS).",
        NOT_ALLOWED_KO,
    ),
    "SIGXCPU": (
        "timeout",
        "Your code used up all the processor time that a submission may take (SIGXCPU).",
        "코드가 제출물 하나에 허용된 프로세서 시간을 다 썼습니다(SIGXCPU).",
    ),
    "SIGKILL": (
        "crash",
        "Your code's process was killed (SIGKILL); look for code that ends its own process.",
        "코드의 프로세스가 강제로 끝났습니다(SIGKILL). 자기 프로세스를 끝내는 코드가 없는지 확인하세요.",
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
        sentence, korean = (words.format(doing=doing) for words in TOO_LONG)
        return StudentFailure("timeout", sentence, sentence_ko=korean, name=doing)
    if isinstance(error, WorkerDied):
        status, sentence, korean = death(exit_status)
        return StudentFailure(status, sentence, sentence_ko=korean, name=doing)
    sentence = f"What came back from your code's process was not an answer of this kit. {error}"
    return StudentFailure("forbidden", sentence, sentence_ko=NOT_ALLOWED_KO, name=doing)


def death(status: int | None) -> Death:
    """Return what the end of a worker's process means for the check, and a sentence about it."""
    if status is None:
        return (
            "crash",
            "Your code cut the connection to the grader or ended its process in an unknown way.",
            "코드가 채점기와의 연결을 끊었거나 알 수 없는 방식으로 프로세스를 끝냈습니다.",
        )
    number = status & 0x7F
    if number == 0:
        return (
            "crash",
            f"Your code ended the whole Python process (exit status {status >> 8}); "
            "look for os._exit, exit() in a thread, or a library that gives up.",
            f"코드가 파이썬 프로세스 전체를 끝냈습니다(종료 코드 {status >> 8}). os._exit나 스레드 안의 exit(), 스스로 "
            "끝내는 라이브러리가 없는지 확인하세요.",
        )
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return DEATHS.get(name) or (
        "crash",
        f"Your code crashed the Python process ({name}); recursion without an end is the usual cause.",
        f"코드 때문에 파이썬 프로세스가 비정상 종료되었습니다({name}). 대개 끝없는 재귀 때문입니다.",
    )
