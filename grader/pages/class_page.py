"""Makes what a teacher looks at: a page of a class in one assignment."""

from collections.abc import Sequence
from decimal import Decimal
from urllib.parse import quote

from grader.export.by_hand import note_on
from grader.results.grades import Grade
from grader.results.scoring import plain
from grader.results.summary import Summary
from grader.results.write import STUDENT_COPIES, folder_of

from .figures import ClassFigures
from .rendering import page

MOST_MISSED = 5


def class_page(
    figures: ClassFigures,
    summary: Summary | None,
    missing: Sequence[Grade] = (),
    language: str | None = None,
) -> bytes:
    """Return the page of a class in one assignment.

    Args:
        summary: What the newest run says of itself; None where there is none.
        missing: Those who handed nothing in and are on the roster or have points by hand.
        language: That of the page's own words; the reports' if not given.
    """
    of_this = [] if summary is None else [drop for drop in summary.lowered if drop.assignment == figures.assignment]
    language = language or figures.language
    by_hand = [(student.shown, sentence) for student in figures.students for sentence in student.by_hand]
    by_hand += [
        (grade.shown, note_on(grade.by_hand, None, grade.max, grade.reason, language))
        for grade in missing
        if grade.by_hand is not None
    ]
    return page(
        "class.html",
        language,
        figures=figures,
        exercises=figures.exercises.values(),
        checks=figures.checks.values(),
        missed=figures.missed(MOST_MISSED),
        bins=figures.bins(),
        fullest=max((count for _, _, count in figures.bins()), default=0) or 1,
        address=lambda student: _address(student, figures.assignment),
        problems=[student for student in figures.students if student.problem is not None],
        by_hand=by_hand,
        untouched=[student.shown for student in figures.graded if student.untouched],
        absent=[grade.shown for grade in missing if grade.points is None],
        lowered=of_this,
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
