"""A class of hard names and gradebooks to put its scores into, for the tests of the formats of a class."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions, find_format
from grader.lms.reports import ClassReports, read_class
from grader.lms.roster import Identity, Roster

from .lms_reports import ASSIGNMENT, HARD_NAMES, report_of, write_class

NOW = datetime(2026, 3, 2, 9, 30, 0, 123456, tzinfo=UTC)
STATUSES: list[dict[str, Any]] = [
    {},
    {"shares.open": "failed"},
    {"Shift.open": "failed"},
    {"Shift.late": "error", "shares.open": "failed"},
]
PEOPLE = {
    name: Identity(
        student=name, name=name, canvas_id=str(100 + n), sis_id=f"s{n:03}", login=f"user{n}", email=f"U{n}@x.example",
        moodle_id=str(n + 1), participant=str(9000 + n), lti_user_id=f"sub-{n}",
    )
    for n, name in enumerate(HARD_NAMES)
}  # fmt: skip
ROSTER = Roster("roster.csv", PEOPLE)
CANVAS_HEAD = "Student,ID,SIS User ID,SIS Login ID,Section,Old work (12),01_tiny (4711),Current Score"


def class_of_hard_names(folder: Path) -> ClassReports:
    """Write and read a class with several scores, one who could not be graded and one who handed nothing in."""
    graded = [report_of(name, STATUSES[n % len(STATUSES)]) for n, name in enumerate(HARD_NAMES)]
    return read_class(write_class(folder, [*graded, report_of("bad", problem="Not UTF-8.")], ["away"]))


def scores(reports: ClassReports) -> dict[str, Decimal]:
    """Return every score of the class."""
    return reports.scores(ASSIGNMENT).scores


def run(reports: ClassReports, name: str, **choice: Any) -> ExportedFile:
    """Return what a format writes of the class; the choice says what is other than usual."""
    taken = ExportOptions(**{"roster": ROSTER, "now": NOW, **choice})
    found = reports.scores(ASSIGNMENT, failed_as_zero=taken.failed_as_zero)
    return find_format(name).of_class(reports, found, taken)


def refused(reports: ClassReports, name: str, **choice: Any) -> str:
    """Return the sentence with which a format refuses."""
    with pytest.raises(UsageError) as caught:
        run(reports, name, **choice)
    return str(caught.value)


def quoted(text: str) -> str:
    """Return a cell in quotation marks."""
    return '"' + text.replace('"', '""') + '"'


def write(tmp_path: Path, text: str | bytes, name: str = "book.csv") -> Path:
    """Write a file and return its place."""
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return tmp_path / name


def canvas_book(cells: Mapping[str, str] | None = None, *, top: str = "5.5", head: str = CANVAS_HEAD) -> str:
    """Return the gradebook that a course of Canvas exports, with these scores in the column."""
    known = cells or {}
    lines = [head, f"    Points Possible,,,,,10,{top},(read only)"]
    for name, who in PEOPLE.items():
        lines.append(f"{quoted(name)},{who.canvas_id},{who.sis_id},{who.login},S1,9.00,{known.get(name, '')},88.1")
    return "\r\n".join([*lines, '"Student, Test",999,,,S1,,,', ""])


def fields_of(who: Identity) -> dict[str, str]:
    """Return the fields of an identity by name."""
    return {name: getattr(who, name) for name in Identity.__dataclass_fields__}
