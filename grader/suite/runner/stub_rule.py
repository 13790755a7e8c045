"""Counts nothing for an exercise that is a stub in the text of a file, whatever takes its place while the file runs.

An answer that another exercise's function installs at its first call is not the work of that exercise; nobody who
writes an exercise hands it in as a stub.
"""

from grader.results.verdict import CheckVerdict
from grader.suite.core.failures import CheckFailed

from .outcomes import verdict_of

LATE = (
    "In the text of your file this exercise only raises NotImplementedError. What other code puts in its place while "
    "the file runs is not counted; write the answer where the exercise stands.",
    "제출한 파일에는 이 문제가 NotImplementedError만 내도록 적혀 있습니다. 실행 중에 다른 코드가 바꾸어 넣은 것은 "
    "채점하지 않습니다. 답을 그 문제의 자리에 직접 쓰세요.",
)


def apply_stub_rule(verdict: CheckVerdict, is_stub: bool) -> CheckVerdict:
    """Return a check's verdict, but a failure where it passed on an exercise that is a stub in the text."""
    if verdict.status != "passed" or not is_stub:
        return verdict
    return verdict_of(verdict.id, CheckFailed.for_students(*LATE))
