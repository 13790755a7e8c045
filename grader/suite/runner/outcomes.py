"""Turns what happened inside one check into its verdict.

Only a check that pytest saw pass is `passed`. Everything else, down to an exception nobody thought of, is some way of
not passing: when the suite stumbles over a strange answer, the answer is at fault, since the solution never trips it.
That holds for an error of the course as well, once the solution was proven: a broken file of the course would have been
found there, and one submission must not end the run of all others.
"""

import traceback

import pytest

from grader.errors import GraderError, IsolationError
from grader.results.verdict import COURSE_ERROR, CheckVerdict
from grader.suite.core.failures import CheckFailed
from grader.suite.diagnosis.device_faults import origins_in_korean
from grader.words import say
from grader.workers.process.failures import StudentFailure

from .suite_errors import exception_sentence, unknown_fixture_error

LONGEST_DETAIL = 4000
LATE = (
    "In the text of your file this exercise only raises NotImplementedError. What other code puts in its place while "
    "the file runs is not counted; write the answer where the exercise is.",
    "제출한 파일에는 이 문제가 NotImplementedError만 내도록 적혀 있습니다. 실행 중에 다른 코드가 바꾸어 넣은 것은 "
    "채점하지 않습니다. 답을 그 문제의 자리에 직접 쓰세요.",
)


def verdict_of(
    check: str, error: BaseException | None, item: pytest.Function, *, may_be_excused: bool, proven: bool
) -> CheckVerdict:
    """Describe the end of a check by the exception that left it, None when there was none.

    Args:
        item: What pytest ran.
        may_be_excused: Whether a skip takes the check out of the count. Once the student's code was asked it does not,
            or an answer could be a reason to count one check less.
        proven: Whether the course's own solution passed the whole suite before.

    Raises:
        IsolationError: There is no worker for the submission's code.
        GraderError: The course or the kit is broken, as far as nothing is proven.
    """
    if error is None:
        return CheckVerdict(id=check, status="passed")
    if isinstance(error, pytest.FixtureLookupError):
        error = unknown_fixture_error(error, item)
    if isinstance(error, GraderError):
        if not proven or isinstance(error, IsolationError):
            raise error
        return suite_error_verdict(check, "stumbled", error, COURSE_ERROR)
    if isinstance(error, StudentFailure):
        return student_verdict(check, error)
    if isinstance(error, CheckFailed):
        return failed_verdict(check, error)
    if isinstance(error, pytest.skip.Exception):
        reason = str(error)
        return CheckVerdict(id=check, status="skipped", reason=reason, reason_ko=reason, excused=may_be_excused)
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):  # Python's own, or torch's allocator's
        return suite_error_verdict(check, "too_large", error)
    return suite_error_verdict(check, "differs" if isinstance(error, AssertionError) else "unusable", error)


def failed_verdict(check: str, error: CheckFailed) -> CheckVerdict:
    """Describe an answer that is not what was asked."""
    return CheckVerdict(
        id=check,
        status="failed",
        found=error.english[:LONGEST_DETAIL],
        found_ko=error.korean[:LONGEST_DETAIL],
        diagnosis=error.diagnosis,
        advice=error.advice[0],
        advice_ko=error.advice[1],
        values=error.values,
        shapes=error.shapes,
        code=error.code[:LONGEST_DETAIL],
    )


def suite_error_verdict(check: str, key: str, error: BaseException, kind: str = "") -> CheckVerdict:
    """Describe a check that came to no end of its own, with a sentence of `grader.words` for the student.

    Args:
        error: What ended it, told to whoever reads the instructor's report.
        kind: What `suite_raised` begins with in place of the exception's type.
    """
    words = " ".join(str(error).split())
    return CheckVerdict(
        id=check,
        status="failed",
        found=say(key, "en", text=words)[:LONGEST_DETAIL],
        found_ko=say(key, "ko", text=words)[:LONGEST_DETAIL],
        exception_text="".join(traceback.format_exception(error))[-LONGEST_DETAIL:],
        suite_raised=f"{kind}: {words}"[:LONGEST_DETAIL] if kind else exception_sentence(error),
    )


def student_verdict(check: str, failure: StudentFailure) -> CheckVerdict:
    """Describe a failure inside the student's process."""
    values = {
        "name": failure.name,
        "exception": failure.exception_type,
        "text": failure.text,
        "line": failure.line or 0,
    }
    english, korean = failure.sentence, failure.sentence_ko
    key = ""
    if failure.status == "error":
        key = "error" if failure.line else "error_nowhere"
    elif failure.status == "missing" and failure.exception_type:
        key = "missing_stub"
    if key:
        values_ko = {**values, "text": origins_in_korean(failure.text)}
        english, korean = say(key, "en", **values), say(key, "ko", **values_ko)
    return CheckVerdict(
        id=check,
        status=failure.status,
        found=english.rstrip(": ")[:LONGEST_DETAIL],
        found_ko=korean.rstrip(": ")[:LONGEST_DETAIL],
        diagnosis=failure.diagnosis,
        near=failure.near,
        exception_type=failure.exception_type,
        exception_text=failure.text,
        code=failure.code[:LONGEST_DETAIL],
        line=failure.line,
        cell=failure.cell,
        line_text=failure.line_text,
    )


def without_late_answers(verdict: CheckVerdict, is_stub: bool) -> CheckVerdict:
    """Return a check's verdict, but a failure where it passed on an exercise that is a stub in the text of the file.

    An answer that another exercise's function installs at its first call is not the work of that exercise; nobody who
    writes an exercise hands it in as a stub.
    """
    if verdict.status != "passed" or not is_stub:
        return verdict
    return failed_verdict(verdict.id, CheckFailed.for_students(*LATE))
