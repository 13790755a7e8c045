"""Says which check the course's own solution does not pass and why, before any student is held to the suite."""

from collections.abc import Mapping

import pytest

from grader.errors import CourseError
from grader.faults import fault
from grader.results.verdict import CheckVerdict

LONGEST = 600
MEND_CHECK = "Mend the check; nothing is graded before."
MEND_EITHER = "Mend the check or the solution; nothing is graded before."


def solution_fails(verdict: CheckVerdict, items: Mapping[str, pytest.Item]) -> CourseError:
    """Return the error for a check that the solution does not pass.

    Args:
        verdict: What came of the check.
        items: The suite's items by the id of their check.
    """
    item = items[verdict.id]
    rule = f"the check `{getattr(item, 'originalname', item.name)}` must pass on the course's own solution."
    found, hint = failure_and_remedy(verdict)
    return fault(item.path, verdict.suite_line or (item.location[1] or 0) + 1, rule, found, hint)


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
