"""Makes the teacher's page of a check that a student asks about; it may hold everything of a hidden check."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.language import N_
from grader.results.report import Check
from grader.results.verdict import CheckVerdict, ManifestCheck
from grader.suite.diagnosis.shown_calls import ShownCall

from .rendering import page

SINCE = {
    "submission": N_("The student's file was changed."),
    "suite": N_("The suite, the solution or something else that the course provides for this assignment was changed."),
    "kit": N_("The grader was changed."),
    "inputs": N_("The inputs are different: the report does not record the seed that they were drawn from."),
    "conditions": N_("The machine, its libraries or the course's secret are different."),
    "unknown": N_(
        "The journal does not have this report, so it is not known whether the suite or the grader was changed."
    ),
    "nothing": N_("Nothing that decides a verdict."),
    "chance": N_(
        "So the code draws its own random numbers, or it runs close to a limit on time or memory: run it once more."
    ),
}
"""What may be different since a report was written."""
NumberedLine = tuple[str, str]
"""A line of a submission with its number."""


@dataclass(frozen=True)
class AppealedCheck:
    """A check that was run again.

    Attributes:
        check: The check as today's suite has it.
        before: What the report says of it; None where that has no such check.
        now: What came of it now.
        since: What is different since the report: keys of `SINCE`.
        calls: What it asked.
    """

    check: ManifestCheck
    before: Check | None
    now: CheckVerdict
    since: list[str]
    calls: Sequence[ShownCall]


def appeal_page(
    language: str, student: str, assignment: str, check: str, checks: Sequence[AppealedCheck],
    file_name: str, lines: Sequence[NumberedLine],
) -> bytes:  # fmt: skip
    """Return the page of one submission.

    Args:
        check: The id that was asked for; that of a check with parameters means all of them.
        checks: Each of those checks.
        lines: The student's code.
    """
    asked = {"check": check, "checks": checks, "since": SINCE, "file_name": file_name, "lines": lines}
    return page("appeal.html", language, student=student, assignment=assignment, **asked)
