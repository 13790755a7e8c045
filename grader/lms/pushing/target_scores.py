"""Which scores are to be pushed and for whom: the grades and the roster, before any platform is asked."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from grader.errors import UsageError
from grader.export.by_hand import with_points
from grader.export.grades import ClassGrades, read_grades
from grader.export.roster import NUMBERED, Person, Roster, read_roster
from grader.records.report_files import read_file, refuse_unsafe
from grader.results.grades import Grade
from grader.results.redact import student_copy
from grader.results.write import ReportsFolder

from .comments import short_comment
from .plan import Plan


@dataclass(frozen=True)
class TargetScores:
    """What a push starts from.

    Attributes:
        scores: The score of each student whom the roster knows.
        people: Who they are.
        comments: What a student reads with the score: the points, and what to do next.
        left_out: Who cannot be pushed, with the reason.
        absent: Who handed nothing in.
        notes: What else a person should know.
    """

    assignment: str
    max_score: Decimal
    scores: dict[str, Decimal]
    people: dict[str, Person]
    comments: dict[str, str]
    left_out: list[tuple[str, str]]
    absent: list[str]
    notes: list[str]

    def plan(self, target: str) -> Plan:
        """Return a plan that begins with what is known before the platform is asked."""
        return Plan(target, left_out=list(self.left_out), absent=list(self.absent), notes=list(self.notes))


def read_target_scores(
    reports: Path, roster: Path | None, folders_are: str | None, assignment: str | None, *, failed_as_zero: bool
) -> TargetScores:
    """Read what is to be pushed.

    Args:
        roster: A roster other than the class's own; None for that, or where the folders' names are identities.
        folders_are: Which identity the folders' names are.
        assignment: None for the only one.
        failed_as_zero: Whether a submission that could not be graded is pushed as 0.

    Raises:
        UsageError: The reports or the roster are broken, or it is not said who is who.
    """
    folder = read_grades(reports)
    grades = folder.of(folder.assignment(assignment))
    scores = {each.student: each.points for each in grades if each.points is not None}
    failed = {each.student: each.why_none for each in grades if each.points is None and each.status != "missing"}
    if failed_as_zero:
        scores |= dict.fromkeys(failed, Decimal(0))
    students = sorted({*scores, *failed})
    people = _people(folder, students, roster, folders_are)
    left_out = [(student, "the roster has no row for this folder.") for student in students if student not in people]
    not_graded = {student: why for student, why in failed.items() if student not in scores}
    left_out += [(student, f"the submission could not be graded: {why}") for student, why in not_graded.items()]
    return TargetScores(
        assignment=grades[0].assignment,
        max_score=max(each.max for each in grades),
        scores={student: score for student, score in sorted(scores.items()) if student in people},
        people=people,
        comments={each.student: _comment(reports, each) for each in grades if each.student in scores},
        left_out=sorted(set(left_out)),
        absent=[each.student for each in grades if each.status == "missing" and each.student not in scores],
        notes=folder.notes,
    )


def _people(
    folder: ClassGrades, students: list[str], roster: Path | None, folders_are: str | None
) -> dict[str, Person]:
    """Return who is who: by a roster that is named, by the folders' names, or by the class's own roster."""
    if roster is not None and folders_are is not None:
        raise UsageError("Both --roster and --folders-are say who is who.", hint="Give one of them.")
    if roster is not None:
        return Roster(read_roster(roster)[0], students).people
    if folders_are is not None:
        numbers = {student: NUMBERED.fullmatch(student) for student in students if folders_are == "canvas_id"}
        ids = {student: match[2] if (match := numbers.get(student)) else student for student in students}
        return {student: Person(ids={folders_are: identity}) for student, identity in ids.items()}
    if not folder.roster.people:
        hint = "Give --roster roster.csv, or --folders-are login where folders have that name."
        raise UsageError("The class has no roster that says who is who on the platform.", hint=hint)
    return folder.roster.people


def _comment(folder: Path, grade: Grade) -> str:
    """Return what a student reads with the score."""
    if grade.status == "missing":
        return f"{grade.assignment}: {grade.reason}" if grade.reason else ""
    report, _ = read_file(ReportsFolder(folder).places_of(grade.student, grade.assignment)[0])
    refuse_unsafe(report, unsafe=False)
    return short_comment(student_copy(with_points(report, grade.by_hand, grade.reason)))
