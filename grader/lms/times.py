"""Reads when things were handed in: a table with the columns student, assignment, submitted and, if need be, late."""

import re
from datetime import datetime
from pathlib import Path

from grader.errors import UsageError
from grader.gradebook.given import Submitted
from grader.gradebook.policy import YEARS
from grader.records.journal_lines import Place
from grader.text import composed, name_shown

from .sheets import Row, read_sheet

NEEDED = ("student", "assignment", "submitted")
COLUMNS = (*NEEDED, "late")
SHAPE = "Its headings are student, assignment, submitted and, if need be, late."
TIME = "Write it as 2026-11-05 23:59:00, with or without a time zone (+09:00)."
MOST_DAYS = 10_000
CLOCK = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?", re.ASCII)
UNKNOWN = "unknown"
"""What takes a time back that was said before."""


def read_times(path: Path) -> dict[Place, Submitted]:
    """Return the times by student and assignment; `late` is how many days late, and counts before the time.

    `unknown` in place of a time gives an empty one, which takes back what was said before.

    Raises:
        UsageError: It is not such a table, a row is short, too long or there twice, or a cell is not a time or a number
            of days.
    """
    first, *rows = read_sheet(path, "A table of times", skip_blank=True).rows
    headings = [cell.value.strip().lower() for cell in first.cells]
    for name in NEEDED:
        if name not in headings:
            raise _fault(path, first, f"There is no column {name}.", SHAPE)
    for heading in filter(None, headings):
        if heading not in COLUMNS or headings.count(heading) > 1:
            found = "is there twice" if heading in COLUMNS else "is not known"
            raise _fault(path, first, f"The heading {name_shown(heading)} {found}.", SHAPE)
    named = {number for number, heading in enumerate(headings) if heading}
    widest = 1 + max(headings.index(name) for name in COLUMNS if name in headings)
    times: dict[Place, Submitted] = {}
    lines: dict[Place, int] = {}
    for row in rows:
        beside = any(cell.value.strip() for number, cell in enumerate(row.cells) if number not in named)
        if len(row.cells) < widest or beside:
            found = f"The row has {len(row.cells)} cells for {len(named)} headings."
            raise _fault(path, row, found, "Give every row as many cells; the last ones may be empty.")
        cells = {name: row[headings.index(name)].strip() for name in COLUMNS if name in headings}
        place = cells["student"], cells["assignment"]
        if not all(place):
            raise _fault(path, row, "The row has no student or no assignment.", SHAPE)
        same = composed(place[0]), place[1]
        if same in lines:
            what = f"{name_shown(place[0])} has two times for {name_shown(place[1])}, the other in line {lines[same]}."
            raise _fault(path, row, what, "Keep the right one.")
        lines[same] = row.line
        at, late = _time(path, row, cells["submitted"]), _days(path, row, cells.get("late", ""))
        if at is not None or late is not None or cells["submitted"] == UNKNOWN:
            times[place] = Submitted(at=at, late_days=late)
    return times


def _time(path: Path, row: Row, text: str) -> datetime | None:
    if text in ("", UNKNOWN):
        return None
    try:
        moment = datetime.fromisoformat(text) if CLOCK.fullmatch(text) else None
    except ValueError:
        moment = None
    if moment is None or moment.year not in YEARS:
        raise _fault(path, row, f"{name_shown(text)} is not a date with a time of day.", TIME)
    return moment


def _days(path: Path, row: Row, text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= MOST_DAYS):
        hint = "Write 0 for on time, 1 for the first day late; or leave it empty."
        raise _fault(path, row, f"In the column late, {name_shown(text)} is not a number of days.", hint)
    return int(text)


def _fault(path: Path, row: Row, found: str, hint: str) -> UsageError:
    return UsageError(f"Times were looked for in {name_shown(path.name)}, line {row.line}.", found, hint)
