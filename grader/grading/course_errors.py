"""Says in which check the course is at fault: the solution does not pass it, or it cannot be made with an answer."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import CourseError
from grader.faults import fault, read_text
from grader.results.verdict import COURSE_ERROR, CheckVerdict
from grader.submissions.submission import Submission
from grader.text import name_shown

if TYPE_CHECKING:
    import pytest

LONGEST = 600
MEND_CHECK = "Fix the check; nothing is graded until then."
MEND_EITHER = "Fix the check or the solution; nothing is graded until then."


def solution_fails(verdict: CheckVerdict, items: Mapping[str, "pytest.Item"]) -> CourseError:
    """Return the error for a check that the course's own solution does not pass, before any student is held to it."""
    if verdict.suite_raised.startswith(COURSE_ERROR):  # it names the place itself
        return CourseError(verdict.suite_raised.removeprefix(COURSE_ERROR).strip(": "))
    item = items[verdict.id]
    name = getattr(item, "originalname", item.name)
    failure, hint = failure_and_remedy(verdict)
    problem = f"the course's own solution does not pass the check `{name}`. {failure}"
    return fault(item.path, verdict.suite_line or line_of(item), problem, hint)


def line_of(item: "pytest.Item") -> int:
    """Return the line in which a check is written, or the contract that it follows from."""
    path, line, _ = item.reportinfo()
    if Path(path) == item.path:
        return (line or 0) + 1
    lines = enumerate(read_text(item.path).split("\n"), start=1)
    return next((number for number, text in lines if ".contract(" in text), 1)


def failure_and_remedy(verdict: CheckVerdict) -> tuple[str, str]:
    """Return what went wrong in a check, in words for its author, and what to mend."""
    if verdict.suite_raised.startswith("AssertionError"):
        words = verdict.suite_raised.removeprefix("AssertionError").strip(": .")
        return (f"Its own assertion fails: {words}." if words else "Its own assertion fails."), MEND_EITHER
    if verdict.suite_raised:
        return f"The check itself ends with {verdict.suite_raised}", MEND_CHECK
    if verdict.status == "skipped":
        return f"It is skipped: {verdict.reason.rstrip('.')}.", MEND_EITHER
    if verdict.status == "missing":
        return f"{verdict.found.partition('. ')[0].rstrip('.')}.", MEND_EITHER  # the rest tells a student to define it
    if verdict.exception_type:
        line = verdict.line_text.strip()
        place = f" in `{line}`" if line else ""
        text = " ".join(verdict.exception_text.split())[:LONGEST].rstrip(".")
        return f"The solution raised {verdict.exception_type}{place}: {text}.", MEND_EITHER
    return " ".join(verdict.found.split())[:LONGEST], MEND_EITHER


def course_error_notes(submission: Submission, verdicts: Sequence[CheckVerdict]) -> list[str]:
    """Return a sentence for whoever can tell whether the answer or a check is at fault, or none.

    It names the checks in which one submission met an error of the course, although the solution had passed all.
    """
    met = [verdict for verdict in verdicts if verdict.suite_raised.startswith(COURSE_ERROR)]
    if not met:
        return []
    reason = met[0].suite_raised.removeprefix(COURSE_ERROR).strip(": ")
    many = "checks that count as failed since they" if len(met) > 1 else "a check that counts as failed since it"
    names = ", ".join(verdict.id for verdict in met)
    who = f"{name_shown(submission.student)}, {submission.assignment}"
    return [f"{who}: {many} could not be made with this answer ({names}). {reason}"]
