"""Which scores are to be pushed and for whom: the reports and the roster, before any platform is asked."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from grader.errors import UsageError
from grader.lms.feedback import copies_of, short_comment
from grader.lms.platform_rosters import read_people
from grader.lms.reports import read_class
from grader.lms.roster import Identity, roster_of_folders
from grader.lms.visibility import grade_comment

from .plan import Plan


@dataclass(frozen=True)
class TargetScores:
    """What a push starts from.

    Attributes:
        scores: The score of each student whom the roster knows.
        comments: What a student reads with the score: points, and nothing of any check; or a short comment with a hint.
        left_out: Who cannot be pushed, with the reason.
        absent: Who handed nothing in.
        notes: What else a person should know.
    """

    assignment: str
    max_score: Decimal
    scores: dict[str, Decimal]
    people: dict[str, Identity]
    comments: dict[str, str]
    left_out: list[tuple[str, str]]
    absent: list[str]
    notes: list[str]

    def plan(self, target: str) -> Plan:
        """Return a plan that begins with what is known before the platform is asked."""
        return Plan(target, left_out=list(self.left_out), absent=list(self.absent), notes=list(self.notes))


def read_target_scores(
    reports: Path,
    roster: Path | None,
    folders_are: str | None,
    assignment: str | None,
    *,
    failed_as_zero: bool,
    keep_gone: bool = False,
    short_comments: bool = False,
) -> TargetScores:
    """Read what is to be pushed.

    Args:
        roster: The roster; None where the folders' names are identities.
        folders_are: Which identity the folders' names are.
        assignment: None for the only one.
        failed_as_zero: Whether a submission that could not be graded is pushed as 0.
        keep_gone: Whether reports are pushed too whose submission the class no longer has.
        short_comments: Whether a comment says what to do next, by the student's copy, and not the points alone.

    Raises:
        UsageError: The reports or the roster are broken, or it is not said who is who.
    """
    if (roster is None) == (folders_are is None):
        raise UsageError(
            "Who is who on the platform was looked for.",
            "Neither --roster nor --folders-are is given." if roster is None else "Both are given.",
            "Give --roster roster.csv, or --folders-are login where folders have that name.",
        )
    folder = read_class(reports, keep_gone=keep_gone)
    scores = folder.scores(folder.assignment(assignment), failed_as_zero=failed_as_zero)
    names = [*scores.scores, *(name for name in scores.failed if name not in scores.scores)]
    given = read_people(roster, names) if roster is not None else roster_of_folders(names, folders_are or "")
    people, unknown = given.match(names)
    left_out = [(student, f"{given.name} has no row for this folder.") for student in unknown]
    left_out += [
        (student, f"the submission could not be graded: {problem}")
        for student, problem in scores.failed.items()
        if student not in scores.scores
    ]
    comments = {student: grade_comment(each) for student, each in scores.graded.items()}
    if short_comments:
        copies = copies_of(folder.of(scores.assignment))
        comments |= {copy.student: short_comment(copy) for copy in copies}
    known = {student: score for student, score in sorted(scores.scores.items()) if student in people}
    return TargetScores(
        assignment=scores.assignment,
        max_score=scores.max_score,
        scores=known,
        people=people,
        comments=comments,
        left_out=sorted(set(left_out)),
        absent=scores.absent,
        notes=folder.notes,
    )
