"""Turns what happened inside one check into its verdict.

Only a check that pytest saw pass is `passed`. Everything else, down to an exception nobody thought of, is some way of
not passing: when the suite stumbles over a strange answer, the answer is at fault, since the solution never trips it.
That holds for an error of the course as well, once the solution was proven: a broken file of the course would have been
found there, and one submission must not end the run of all others.
"""

import traceback

import msgspec
import pytest

from grader.errors import GraderError, IsolationError
from grader.results.verdict import CheckVerdict
from grader.suite.core.failures import CheckFailed
from grader.suite.diagnosis.device_faults import with_origins
from grader.words import Words, in_language, joined
from grader.workers.process.failures import StudentFailure

from .suite_errors import exception_sentence

LONGEST_DETAIL = 4000
LATE = Words(
    "In the text of your file this exercise only raises NotImplementedError. What other code puts in its place while "
    "the file runs is not counted; write the answer where the exercise is."
)
STUMBLED = Words("This check could not use what your code returned.")
TOO_LARGE = Words("There is not enough memory to compare your answer; does it have the shape that the text asks for?")
DIFFERS = Words("The answer is not what this check asks for.")
UNUSABLE = Words("The result could not be checked; does it have the type and shape that the text asks for?")


def verdict_of(check: str, error: BaseException | None, *, may_be_excused: bool, proven: bool) -> CheckVerdict:
    """Describe the end of a check by the exception that left it, None when there was none.

    Args:
        may_be_excused: Whether a skip takes the check out of the count. Once the student's code was asked it does not,
            or an answer could be a reason to count one check less.
        proven: Whether the course's own solution passed the whole suite before.

    Raises:
        IsolationError: There is no worker for the submission's code.
        GraderError: The course or the kit is broken, as far as nothing is proven.
    """
    if error is None:
        return CheckVerdict(id=check, status="passed")
    if isinstance(error, GraderError):
        if not proven or isinstance(error, IsolationError):
            raise error
        return suite_error_verdict(check, joined(STUMBLED, " ".join(str(error).split())), error)
    if isinstance(error, StudentFailure):
        return student_verdict(check, error)
    if isinstance(error, CheckFailed):
        return failed_verdict(check, error)
    if isinstance(error, pytest.skip.Exception):
        reason = str(error)
        return CheckVerdict(id=check, status="skipped", reason=reason, reason_ko=reason, excused=may_be_excused)
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):  # Python's own, or torch's allocator's
        return suite_error_verdict(check, TOO_LARGE, error)
    return suite_error_verdict(check, DIFFERS if isinstance(error, AssertionError) else UNUSABLE, error)


def failed_verdict(check: str, error: CheckFailed) -> CheckVerdict:
    """Describe an answer that is not what was asked."""
    return CheckVerdict(
        id=check,
        status="failed",
        found=error.found[:LONGEST_DETAIL],
        found_ko=in_language(error.found, "ko")[:LONGEST_DETAIL],
        diagnosis=error.diagnosis,
        advice=str(error.advice),
        advice_ko=in_language(error.advice, "ko"),
        values=error.values,
        shapes=error.shapes,
        code=error.code[:LONGEST_DETAIL],
    )


def suite_error_verdict(check: str, sentence: Words, error: BaseException) -> CheckVerdict:
    """Describe a check that came to no end of its own.

    Args:
        sentence: What the student is told.
        error: What ended it, told to whoever reads the instructor's report.
    """
    text = "".join(traceback.format_exception(error))[-LONGEST_DETAIL:]
    failed = failed_verdict(check, CheckFailed(sentence))
    return msgspec.structs.replace(failed, exception_text=text, suite_raised=exception_sentence(error))


def student_verdict(check: str, failure: StudentFailure) -> CheckVerdict:
    """Describe a failure inside the student's process."""
    sentence, values = failure.sentence, {"exception": failure.exception_type, "text": with_origins(failure.text)}
    if failure.status == "error" and failure.line:
        sentence = Words("Your code raised {exception} in line {line}: {text}", line=failure.line, **values)
    elif failure.status == "error":
        sentence = Words("Your code raised {exception}: {text}", **values)
    elif failure.status == "missing" and failure.exception_type:
        sentence = Words("{name} is not written yet: it still raises {exception}.", name=failure.name, **values)
    return CheckVerdict(
        id=check,
        status=failure.status,
        found=sentence.rstrip(": ")[:LONGEST_DETAIL],
        found_ko=in_language(sentence, "ko").rstrip(": ")[:LONGEST_DETAIL],
        diagnosis=failure.diagnosis,
        near=failure.near,
        exception_type=failure.exception_type,
        exception_text=failure.text,
        code=failure.code[:LONGEST_DETAIL],
        line=failure.line,
        cell=failure.cell,
        line_text=failure.line_text,
    )
