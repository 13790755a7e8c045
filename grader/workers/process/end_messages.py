"""What it means for a check that a worker gave no answer: out of time, dead, or an invalid reply."""

import signal
from typing import Literal

from grader.errors import IsolationError
from grader.limits import Limits

from .failures import OutOfTime, StudentFailure, WorkerDied

Death = tuple[Literal["timeout", "memory", "crash", "forbidden"], str, str]
NOT_ALLOWED_KO = "채점기가 허용하지 않는 동작을 해서 코드를 멈췄습니다."
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
        "memory",
        "The system stopped your code (SIGKILL), most often because it asked for too much memory.",
        "시스템이 코드를 멈췄습니다(SIGKILL). 대개 메모리를 너무 많이 요구했기 때문입니다.",
    ),
}


class KilledBySystem(IsolationError):
    """The system killed a worker for want of memory, which may be that of others: nothing is known of the check."""

    def __init__(self) -> None:
        super().__init__(
            "The system killed a process of this submission, since this machine or its container had no memory left, "
            "although the submission may use as much.",
            "Grade again with fewer --jobs, a smaller `memory_bytes` in course.toml or more memory.",
        )


def failure_of(error: Exception, exit_status: int | None, limits: Limits, doing: str) -> StudentFailure:
    """Return the failure that a check ends with.

    Args:
        error: `OutOfTime`, `WorkerDied`, or a `ProtocolViolation`.
        exit_status: The wait status of a worker that died; None if it is unknown.
        doing: What was being done, as the beginning of a sentence: `softmax_naive`.
    """
    if isinstance(error, OutOfTime):
        sentence, korean = time_sentence(str(error), limits, doing)
        return StudentFailure("timeout", sentence, sentence_ko=korean, name=doing, limit=str(error))
    if isinstance(error, WorkerDied):
        status, sentence, korean = death(exit_status)
        return StudentFailure(status, sentence, sentence_ko=korean, name=doing, killed=killed_by_somebody(exit_status))
    sentence = f"What came back from your code's process was not an answer of this kit. {error}"
    return StudentFailure("forbidden", sentence, sentence_ko=NOT_ALLOWED_KO, name=doing)


def time_sentence(which: str, limits: Limits, doing: str) -> tuple[str, str]:
    """Return the sentence about a limit on time, `wall`, `cpu` or `submission`, in English and in Korean."""
    if which == "submission":
        seconds = f"{limits.submission_wall_s:g}"
        return (
            f"{doing} was stopped, because the whole submission had used up its {seconds} s.",
            f"제출물 전체의 시간 제한 {seconds}초를 다 써서 멈췄습니다.",
        )
    if which == "cpu" and limits.check_cpu_s != limits.check_wall_s:
        seconds = f"{limits.check_cpu_s:g}"
        return (
            f"{doing} used more than {seconds} s of processor time in one check; "
            "look for a loop that never ends or for far too many small steps.",
            f"한 검사에서 프로세서 시간을 {seconds}초 넘게 썼습니다. 끝나지 않는 반복문이나 지나치게 많은 작은 계산이 "
            "없는지 확인하세요.",
        )
    seconds = f"{limits.check_wall_s:g}"
    return (
        f"{doing} did not finish within {seconds} s; look for a loop that never ends.",
        f"{seconds}초 안에 끝나지 않았습니다. 끝나지 않는 반복문이 없는지 확인하세요.",
    )


def killed_by_somebody(status: int | None) -> bool:
    """Return whether a worker with this wait status may have been killed from outside, so that a try may help."""
    return status is None or status & 0x7F == signal.SIGKILL


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
