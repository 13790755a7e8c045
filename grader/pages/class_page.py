"""Makes what a teacher looks at: a page of a class in one assignment."""

from collections.abc import Sequence
from decimal import Decimal
from urllib.parse import quote

from grader.export.by_hand import note_on
from grader.results.grades import Grade
from grader.results.scoring import plain
from grader.results.summary import Summary, mean_of, median_of
from grader.results.write import STUDENT_COPIES, folder_of

from .figures import ClassFigures, Student, bins
from .rendering import page

MOST_MISSED = 5


def class_page(
    figures: ClassFigures, grades: Sequence[Grade], summary: Summary | None, language: str | None = None
) -> bytes:
    """Return the page of a class in one assignment.

    Args:
        grades: Everybody's; also of those whose report is not among the figures.
        summary: What the newest run says of itself; None where there is none.
        language: That of the page's own words; the reports' if not given.
    """
    language = language or figures.language
    handed_in = [grade for grade in grades if grade.status != "missing"]
    scores = [grade.points for grade in grades if grade.points is not None]
    by_hand = [grade for grade in grades if grade.by_hand is not None]
    absent = [Student(grade, {}) for grade in by_hand if grade.status == "missing"]
    distribution = bins(scores, figures.max_score)
    return page(
        "class.html",
        language,
        figures=figures,
        exercises=figures.exercises.values(),
        checks=figures.checks.values(),
        missed=figures.missed(MOST_MISSED),
        handed_in=handed_in,
        graded=sum(grade.status == "graded" for grade in grades),
        students=[*figures.students, *absent],
        scores=scores,
        mean=mean_of(scores),
        median=median_of(scores),
        bins=distribution,
        fullest=max(count for _, _, count in distribution) or 1,
        address=lambda student: _address(student, figures.assignment),
        problems=[grade for grade in handed_in if grade.status != "graded"],
        by_hand=[(grade.shown, note_on(grade, language)) for grade in by_hand],
        untouched=[student.grade.shown for student in figures.students if student.untouched],
        absent=[grade.shown for grade in grades if grade.status == "missing" and grade.points is None],
        lowered=[drop for drop in summary.lowered if drop.assignment == figures.assignment] if summary else [],
        summary=summary,
        number=number,
        percent=percent,
    )


def number(value: Decimal | None) -> str:
    """Return points as a person writes them, to a hundredth; a stroke where there are none."""
    return "-" if value is None else f"{plain(round(value, 2)):f}"


def percent(part: int, whole: int) -> str:
    """Return a share in percent; empty where nobody is counted."""
    return f"{100 * part / whole:.0f}" if whole else ""


def _address(student: str, assignment: str) -> str:
    """Return where a student's page is, seen from the page of the class."""
    places = ("..", "..", STUDENT_COPIES, folder_of(student), f"{assignment}.html")
    return "/".join(quote(place, errors="backslashreplace") for place in places)
