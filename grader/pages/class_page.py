"""Makes what a teacher looks at: a page of a class in one assignment.

The lines of the students are put together here and not in the template, in as few bytes as HTML allows: a class of
thousands has tens of thousands of cells.
"""

from collections.abc import Sequence
from decimal import Decimal
from urllib.parse import quote

from markupsafe import Markup, escape

from grader.language import N_
from grader.results.scoring import plain
from grader.results.summary import Summary
from grader.results.write import STUDENT_COPIES, folder_of
from grader.text import one_line

from .figures import ClassFigures, Student
from .rendering import page
from .states import SIGNS, tone

CATEGORIES = {
    "document": N_("document"),
    "value": N_("value"),
    "shape": N_("shape"),
    "dtype": N_("dtype"),
    "gradient": N_("gradient"),
    "property": N_("property"),
    "stability": N_("stability"),
    "purity": N_("purity"),
    "parameters": N_("parameters"),
    "errors": N_("errors"),
    "policy": N_("policy"),
    "device": N_("device"),
}
CELLS = {"good": "p", "part": "h", "bad": "f", "none": "m"}
BY_HAND = "*"
MOST_MISSED = 5


def class_page(
    figures: ClassFigures,
    summary: Summary | None,
    absent: Sequence[str] = (),
    language: str | None = None,
) -> bytes:
    """Return the page of a class in one assignment.

    Args:
        summary: What the newest run says of itself; None where there is none.
        absent: Who is on the roster and handed nothing in.
        language: That of the page's own words; the reports' if not given.
    """
    of_this = [] if summary is None else [drop for drop in summary.lowered if drop.assignment == figures.assignment]
    return page(
        "class.html",
        language or figures.language,
        categories=CATEGORIES,
        figures=figures,
        exercises=figures.exercises.values(),
        checks=figures.checks.values(),
        missed=figures.missed(MOST_MISSED),
        bins=figures.bins(),
        fullest=max((count for _, _, count in figures.bins()), default=0) or 1,
        rows=Markup("\n").join(_row(student, [*figures.exercises], figures.assignment) for student in figures.students),
        problems=[student for student in figures.students if student.problem is not None],
        by_hand=[(student.shown, sentence) for student in figures.students for sentence in student.by_hand],
        untouched=[student.shown for student in figures.graded if student.untouched],
        absent=absent,
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


def _row(student: Student, exercises: Sequence[str], assignment: str) -> Markup:
    """Return a student's line of the map; HTML needs no end tags there."""
    places = ("..", "..", STUDENT_COPIES, folder_of(student.name), f"{assignment}.html")
    address = "/".join(quote(place, errors="backslashreplace") for place in places)
    total = "?" if student.problem is not None else number(student.score)
    total += BY_HAND if student.by_hand else ""
    cells = "".join(_cell(student, exercise) for exercise in exercises)
    name = escape(one_line(student.shown, 100))
    return Markup(f'<tr><th scope="row"><a href="{escape(address)}"><bdi>{name}</bdi></a><td>{total}{cells}')


def _cell(student: Student, exercise: str) -> str:
    cell = student.cells.get(exercise)
    return "<td>" if cell is None else f"<td class={CELLS[tone(cell.status)]}>{number(cell.score)}{SIGNS[cell.status]}"
