"""What a status means for the student, in sentences that hold nothing of the run.

They are in the student's copy of hidden checks too, so they are fixed: no name, no number, no text of the student's
process goes into them. What does is in the report's `detail`.
"""

from .verdict import Category, Language, Status

OUTCOMES: dict[Status, tuple[str, str]] = {
    "passed": ("", ""),
    "failed": ("The answer is not the expected one.", "결과가 기대한 것과 다릅니다."),
    "error": ("Your code raised an exception.", "코드에서 예외가 났습니다."),
    "timeout": (
        "Your code did not end within the time limit. Look for a loop that never ends.",
        "제한 시간 안에 끝나지 않았습니다. 끝나지 않는 반복문이 없는지 확인하세요.",
    ),
    "memory": (
        "Your code needed more memory than it may use. Look for a tensor that is larger than it needs to be.",
        "메모리 제한을 넘었습니다. 필요 이상으로 큰 텐서를 만들지 않는지 확인하세요.",
    ),
    "crash": (
        "The process that ran your code ended before it could answer.",
        "코드를 실행하던 프로세스가 답을 내기 전에 끝났습니다.",
    ),
    "forbidden": (
        "Your code did something that the grader does not allow.",
        "채점기가 허용하지 않는 동작을 했습니다.",
    ),
    "missing": (
        "This is not written yet, or its name was changed.",
        "아직 작성되지 않았거나 이름이 바뀌었습니다.",
    ),
    "skipped": ("This check was not run.", "이 검사는 실행하지 않았습니다."),
}
POLICY = (
    "This exercise asks you to write it yourself, and gives at most 30 % of its points otherwise; see what its text "
    "does not allow.",
    "이 문제는 직접 구현해야 하며, 그러지 않으면 점수의 30 %까지만 받습니다. 문제에서 쓰지 말라고 한 것을 확인하세요.",
)
NO_VERDICT = (
    "Some checks have no verdict, because the process that graded this submission ended early.",
    "채점 프로세스가 도중에 끝나서 일부 검사에는 판정이 없습니다.",
)
NO_VERDICTS = (
    "The process that graded this submission ended before its first verdict, so nothing was graded. Grade it again; "
    "if it happens again, tell your teacher.",
    "이 제출물을 채점하던 프로세스가 첫 판정 전에 끝나서 채점하지 못했습니다. 다시 채점하고, 반복되면 선생님께 "
    "알리세요.",
)
MACHINES_ENDED = (
    "Every machine that was grading this submission ended before it had a result, so nothing was graded. Grade it "
    "again; if it happens again, tell your teacher.",
    "이 제출물을 채점하던 컴퓨터가 모두 결과를 내기 전에 멈춰서 채점하지 못했습니다. 다시 채점하고, 반복되면 선생님께 "
    "알리세요.",
)
STRANGE_VERDICTS = (
    "The verdicts of this submission are not those of its checks, so none of them counts. Grade it again; if it "
    "happens again, tell your teacher.",
    "이 제출물의 판정이 검사 목록과 맞지 않아 인정하지 않았습니다. 다시 채점하고, 반복되면 선생님께 알리세요.",
)
UNGRADED = {
    "killed": (
        "{exercises}: not graded, because the system ended the process of this submission twice for want of memory on "
        "this machine. Grade it again with fewer --jobs, or on a machine with more memory.",
        "{exercises}: 이 컴퓨터의 메모리가 모자라 시스템이 이 제출물의 프로세스를 두 번 끝내서 채점하지 못했습니다. "
        "--jobs를 줄이거나 메모리가 더 많은 컴퓨터에서 다시 채점하세요.",
    ),
    "time": (
        "{exercises}: not graded, because this submission had used up the time that a submission has. Look for code "
        "that waits or takes very long, and grade it again.",
        "{exercises}: 이 제출물이 제출물 하나에 주어진 시간을 다 써서 채점하지 못했습니다. 기다리거나 아주 오래 걸리는 "
        "코드가 없는지 확인하고 다시 채점하세요.",
    ),
}
"""Why exercises have no score, by the word that says it."""
BY_HEART = (
    "{exercise}: some checks with known numbers pass, but none with other inputs does, so it earns no points yet.",
    "{exercise}: 알려진 숫자로 하는 검사는 통과했지만 다른 입력으로는 하나도 통과하지 못해 아직 점수가 없습니다.",
)


def pick(sentence: tuple[str, str], language: Language) -> str:
    """Return the English or the Korean one of a pair."""
    return sentence[language == "ko"]


def outcome(status: Status, category: Category, language: Language) -> str:
    """Return what a status means for the student; empty for a check that passed."""
    policy = category == "policy" and status in ("failed", "forbidden")
    return pick(POLICY if policy else OUTCOMES[status], language)
