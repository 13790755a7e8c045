"""Makes what a teacher looks at: a page of a class in one assignment, its tables as CSV, and a slide of what it missed.

The lines of the students are put together here and not in the template, in as few bytes as HTML allows: a class of
thousands has tens of thousands of cells.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal
from urllib.parse import quote

from markupsafe import Markup, escape

from grader.results.scoring import plain
from grader.results.spreadsheet import formula_safe
from grader.results.summary import Summary
from grader.results.write import STUDENT_COPIES, folder_of
from grader.text import one_line

from .figures import ClassFigures, Student
from .rendering import page
from .words import SIGNS, tone

CELLS = {"good": "p", "part": "h", "bad": "f", "none": "m"}
ON_SLIDE = 5
SLIDE_TEXT = 95
Table = list[list[object]]


def class_page(figures: ClassFigures, summary: Summary | None) -> bytes:
    """Return the page of a class in one assignment, given what the newest run says of itself."""
    of_this = [] if summary is None else [each for each in summary.lowered if each.assignment == figures.assignment]
    exercises = figures.exercises()
    ids = [each.id for each in exercises]
    return page(
        "class.html",
        figures.language,
        figures=figures,
        exercises=exercises,
        checks=figures.checks(),
        missed=figures.missed(ON_SLIDE),
        bins=figures.bins(),
        fullest=max((count for _, _, count in figures.bins()), default=0) or 1,
        rows=Markup("\n").join(_row(each, ids, figures.assignment) for each in figures.students),
        problems=[each for each in figures.students if each.problem is not None],
        untouched=[each.name for each in figures.graded if each.untouched],
        absent=[] if summary is None else _absent(summary, {each.name for each in figures.students}),
        lowered=of_this,
        summary=summary,
        number=number,
        percent=percent,
    )


def slide(figures: ClassFigures) -> bytes:
    """Return one slide as SVG: the exercises that most students did not pass, and their commonest mistake."""
    missed = [
        (each, percent(each.passed, each.graded), _commonest(each.mistakes[0].hint if each.mistakes else ""))
        for each in figures.missed(ON_SLIDE)
    ]
    return page("missed.svg", figures.language, figures=figures, missed=missed, number=number, short=_commonest)


def tables(figures: ClassFigures) -> dict[str, bytes]:
    """Return the page's figures as CSV files, by name."""
    exercises = figures.exercises()
    headings = [heading for each in exercises for heading in (each.id, f"{each.id} state")]
    students: Table = [["student", *headings, "score", "max_score", "problem"]]
    for student in figures.students:
        cells = [student.cells.get(each.id) for each in exercises]
        states = [part for cell in cells for part in (("", "") if cell is None else (number(cell.score), cell.status))]
        score = "" if student.problem is not None else number(student.score)
        students.append([student.name, *states, score, number(figures.max_score), student.problem or ""])
    by_exercise: Table = [["exercise", "title", "max_score", "graded", "passed", "share", "mean", "median", *SIGNS]]
    mistakes: Table = [["exercise", "mistake", "hint", "count", "students"]]
    for each in exercises:
        means = ["" if value is None else number(value) for value in (each.mean, each.median)]
        counts = [each.statuses.get(status, 0) for status in SIGNS]
        share = _ratio(each.passed, each.graded)
        by_exercise.append(
            [each.id, each.title, number(each.max_score), each.graded, each.passed, share, *means, *counts]
        )
        mistakes += [[each.id, m.name, m.hint, len(m.students), "; ".join(m.students)] for m in each.mistakes]
    checks: Table = [["check", "category", "kind", "graded", "passed", "share", "discrimination", "flags", "asks"]]
    for one in figures.checks():
        found = "" if one.discrimination is None else f"{one.discrimination:.3f}"
        own = [one.check.id, one.check.category, one.check.visibility, one.graded, one.passed]
        checks.append([*own, _ratio(one.passed, one.graded), found, " ".join(one.flags), one.check.message])
    named = {"students": students, "exercises": by_exercise, "mistakes": mistakes, "checks": checks}
    return {f"{name}.csv": _csv(table) for name, table in named.items()}


def number(value: Decimal) -> str:
    """Return points as a person writes them, to a hundredth."""
    return f"{plain(round(value, 2)):f}"


def percent(part: int, whole: int) -> str:
    """Return a share in percent; empty where nobody is counted."""
    return f"{100 * part / whole:.0f}" if whole else ""


def _absent(summary: Summary, handed_in: set[str]) -> list[str]:
    """Return who handed nothing in for an assignment: everybody whom the run knows of, but those who did."""
    everybody = {*summary.absent, *(name for names in (summary.handed_in or {}).values() for name in names)}
    return sorted(everybody - handed_in)


def _ratio(part: int, whole: int) -> str:
    return f"{part / whole:.4f}" if whole else ""


def _commonest(text: str) -> str:
    return one_line(text, SLIDE_TEXT)


def _row(one: Student, exercises: Sequence[str], assignment: str) -> Markup:
    """Return a student's line of the map; HTML needs no end tags there."""
    places = ("..", "..", STUDENT_COPIES, folder_of(one.name), f"{assignment}.html")
    address = "/".join(quote(place, errors="backslashreplace") for place in places)
    total = "?" if one.problem is not None else number(one.score)
    cells = "".join(_cell(one, each) for each in exercises)
    name = escape(one_line(one.name, 100))
    return Markup(f'<tr><th scope="row"><a href="{escape(address)}"><bdi>{name}</bdi></a><td>{total}{cells}')


def _cell(one: Student, exercise: str) -> str:
    cell = one.cells.get(exercise)
    return "<td>" if cell is None else f"<td class={CELLS[tone(cell.status)]}>{number(cell.score)}{SIGNS[cell.status]}"


def _csv(rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerows([formula_safe(one_line(str(cell), 100_000)) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8", "backslashreplace")
