"""Turns what happened inside one check into its verdict.

Only a check that pytest saw pass is `passed`. Everything else, down to an exception nobody thought of, is some way of
not passing: when the suite stumbles over a strange answer, the answer is at fault, since the solution never trips it.
That holds for an error of the course as well: the solution is graded first and would have met a broken file, and one
submission must not end the run of all others.
"""

import traceback

import pytest

from grader.results.verdict import LONGEST_SENTENCE, CheckVerdict, both
from grader.suite.core.course_faults import exception_sentence
from grader.suite.core.failures import CheckFailed
from grader.suite.diagnosis.by_torch import meaning_of
from grader.words import Words
from grader.workers.process.failures import ForbiddenCall, StudentFailure

LATE = Words(
    "In the text of your file this exercise only raises NotImplementedError. What other code puts in its place while "
    "the file runs is not counted; write the answer where the exercise is."
)
TOO_LARGE = Words("There is not enough memory to compare your answer; does it have the shape that the text asks for?")
DIFFERS = Words("The answer is not what this check asks for.")
UNUSABLE = Words("The result could not be checked; does it have the type and shape that the text asks for?")


def verdict_of(check: str, error: BaseException | None) -> CheckVerdict:
    match error:
        case None:
            return CheckVerdict(id=check, status="passed")
        case StudentFailure():
            return student_verdict(check, error)
        case CheckFailed():
            told = both(found=error.found, advice=error.advice)
            return CheckVerdict(id=check, status="failed", **told, diagnosis=error.diagnosis, values=error.values)
        case pytest.skip.Exception():
            return CheckVerdict(id=check, status="skipped", **both(reason=str(error)), excused=True)
        case _ if isinstance(error, MemoryError) or "can't allocate memory" in str(error):  # the latter is torch's
            sentence = TOO_LARGE
        case AssertionError():
            sentence = DIFFERS
        case _:
            sentence = UNUSABLE
    text = "".join(traceback.format_exception(error))[-LONGEST_SENTENCE:]
    raised = exception_sentence(error)
    return CheckVerdict(id=check, status="failed", **both(found=sentence), exception_text=text, suite_raised=raised)


def student_verdict(check: str, failure: StudentFailure) -> CheckVerdict:
    sentence, values = failure.sentence, {"exception": failure.exception_type, "text": failure.text}
    if failure.status == "error" and failure.line:
        sentence = Words("Your code raised {exception} in line {line}: {text}", line=failure.line, **values)
    elif failure.status == "error":
        sentence = Words("Your code raised {exception}: {text}", **values)
    return CheckVerdict(
        id=check,
        status=failure.status,
        **both(found=sentence),
        diagnosis=failure.diagnosis or (meaning_of(failure.text) if failure.status == "error" else None),
        near=failure.near,
        is_forbidden_call=isinstance(failure, ForbiddenCall),
        exception_type=failure.exception_type,
        exception_text=failure.text,
        line=failure.line,
        cell=failure.cell,
        line_text=failure.line_text,
    )
