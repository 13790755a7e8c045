"""A class of hard names and gradebooks to put its scores into, for the tests of the formats of a class."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions, find_format
from grader.lms.reports import ClassReports, read_class
from grader.lms.roster import Identity, Roster

from ...support.lms_reports import ASSIGNMENT, HARD_NAMES, report_of, write_class
from .lms_importers import Blackboard, Brightspace, CanvasCourse, MoodleAssignment, MoodleGradebook

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
        moodle_id=str(n + 1), participant=str(9000 + n),
    )
    for n, name in enumerate(HARD_NAMES)
}  # fmt: skip
ROSTER = Roster("roster.csv", PEOPLE)
WORKSHEETS = {
    "en": ("Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
           "Last modified (submission),Last modified (grade),Feedback comments", "Participant ", "5.50", "Yes", "No"),
    "de": ("ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Bewertung kann geändert werden,"
           "Zuletzt geändert (Abgabe),Zuletzt geändert (Bewertung),Feedback als Kommentar",
           "Teilnehmer/in", '"5,50"', "Ja", "Nein"),
}  # fmt: skip
THEN = '"Sunday, 1 March 2026, 10:00 AM"'
CANVAS_HEAD = "Student,ID,SIS User ID,SIS Login ID,Section,Old work (12),01_tiny (4711),Current Score"


def class_of_hard_names(folder: Path) -> ClassReports:
    """Write and read a class with several scores, one who could not be graded and one who handed nothing in."""
    graded = [report_of(name, STATUSES[n % len(STATUSES)]) for n, name in enumerate(HARD_NAMES)]
    return read_class(write_class(folder, [*graded, report_of("bad", problem="Not UTF-8.")], ["away"]))


@dataclass
class Desk:
    """A class whose scores are carried into the files of platforms, and a folder for those files."""

    reports: ClassReports
    folder: Path

    def run(self, name: str, book: str | bytes | None = None, **choice: Any) -> ExportedFile:
        """Return what a format writes of the class into a platform's file; the choice says what is other than usual."""
        into = None if book is None else self.folder / "book.csv"
        if into is not None:
            into.write_bytes(book if isinstance(book, bytes) else book.encode())
        taken = ExportOptions(**{"roster": ROSTER, "now": NOW, "into": into, **choice})
        found = self.reports.scores(ASSIGNMENT, failed_as_zero=taken.failed_as_zero)
        return find_format(name).write(self.reports, found, taken)

    def refused(self, name: str, book: str | bytes | None = None, **choice: Any) -> str:
        """Return the sentence with which a format refuses."""
        with pytest.raises(UsageError) as caught:
            self.run(name, book, **choice)
        return str(caught.value)

    @property
    def scores(self) -> dict[str, Decimal]:
        """Every score of the class."""
        return self.reports.scores(ASSIGNMENT).scores


def quoted(text: str) -> str:
    """Return a cell in quotation marks."""
    return '"' + text.replace('"', '""') + '"'


def canvas_book(cells: Mapping[str, str] | None = None, *, top: str = "5.5", head: str = CANVAS_HEAD) -> str:
    """Return the gradebook that a course of Canvas exports, with these scores in the column."""
    known = cells or {}
    lines = [head, f"    Points Possible,,,,,10,{top},(read only)"]
    for name, who in PEOPLE.items():
        lines.append(f"{quoted(name)},{who.canvas_id},{who.sis_id},{who.login},S1,9.00,{known.get(name, '')},88.1")
    return "\r\n".join([*lines, '"Student, Test",999,,,S1,,,', ""])


def canvas_course() -> CanvasCourse:
    """Return the course that wrote `canvas_book`."""
    students = {int(who.canvas_id): (name, who.sis_id, who.login) for name, who in PEOPLE.items()}
    return CanvasCourse({**students, 999: ("Student, Test", "", "")}, {12: "Old work", 4711: "01_tiny"})


def worksheet(
    cells: Mapping[str, str] | None = None,
    language: str = "en",
    comments: Mapping[str, str] | None = None,
    locked: str = "",
    end: str = "\n",
) -> str:
    """Return the grading worksheet that Moodle writes."""
    head, prefix, maximum, yes, no = WORKSHEETS[language]
    lines = [head]
    for name, who in PEOPLE.items():
        grade, text = (cells or {}).get(name, ""), (comments or {}).get(name, "")
        row = [f'"{prefix}{who.participant}"', quoted(name), who.email, "Submitted", grade, maximum]
        lines.append(",".join([*row, no if name == locked else yes, THEN, THEN, quoted(text) if text else ""]))
    return end.join([*lines, ""])


def moodle_assignment(language: str = "en", **more: Any) -> MoodleAssignment:
    """Return the assignment that wrote `worksheet`."""
    people = {int(who.participant): name for name, who in PEOPLE.items()}
    return MoodleAssignment(people, 5.5, language, **more)


def moodle_gradebook(by: str = "email", **more: Any) -> MoodleGradebook:
    """Return a gradebook of Moodle whose import matches by an identity."""
    return MoodleGradebook({getattr(who, by): name for name, who in PEOPLE.items()}, **more)


def brightspace_book(cells: Mapping[str, str] | None = None, details: str = "<Numeric MaxPoints:5.5 Weight:10>") -> str:
    """Return the file of grades that Brightspace exports."""
    lines = [f"OrgDefinedId,Username,HW Points Grade {details},End-of-Line Indicator"]
    for name, who in PEOPLE.items():
        lines.append(f"#{who.sis_id},#{who.login},{(cells or {}).get(name, '')},#")
    return "\r\n".join([*lines, ""])


def brightspace_course() -> Brightspace:
    """Return the course that wrote `brightspace_book`."""
    ids = {who.sis_id: name for name, who in PEOPLE.items()}
    return Brightspace({**ids, **{who.login: name for name, who in PEOPLE.items()}}, {"HW": 5.5, ASSIGNMENT: 5.5})


def blackboard_book(
    cells: Mapping[str, str] | None = None, heading: str = "HW [Total Pts: 5.5 Score] |12345", *, tabs: bool = True
) -> bytes:
    """Return the file of Blackboard's Work Offline: UTF-16 with tabs, or UTF-8 with commas."""
    people = ["Last Name", "First Name", "Username", "Student ID"]
    rows = [[*people, heading, "Total [Total Pts: up to 5.5 Score] |99"]]
    for name, who in PEOPLE.items():
        rows.append([name, "X", who.login, who.sis_id, (cells or {}).get(name, ""), ""])
    text = "\r\n".join(("\t" if tabs else ",").join(map(quoted, row)) for row in rows) + "\r\n"
    return b"\xff\xfe" + text.encode("utf-16-le") if tabs else text.encode()


def blackboard_course() -> Blackboard:
    """Return the course that wrote `blackboard_book`."""
    return Blackboard({who.login for who in PEOPLE.values()}, {"12345": "HW", "99": "Total"})


def canvas_grades(data: bytes) -> dict[str, float]:
    """Return the grade of each student once Canvas has imported a gradebook."""
    course = canvas_course()
    course.upload(data)
    assert (course.new_students, course.new_assignments) == ([], [])
    by_id = {int(who.canvas_id): name for name, who in PEOPLE.items()}
    return {
        by_id[user]: float(grade) for (item, user), grade in course.grades.items() if item == 4711 and user in by_id
    }


def worksheet_grades(data: bytes) -> dict[str, float]:
    """Return the grades that Moodle takes from a worksheet."""
    assignment = moodle_assignment()
    assignment.upload(data)
    assert assignment.skipped == []
    return assignment.grades


def moodle_grades(data: bytes) -> dict[str, float]:
    """Return the grades that Moodle's gradebook takes."""
    book = moodle_gradebook()
    book.upload(data)
    return {name: grade for name, (grade, _) in book.grades.items()}


def brightspace_grades(data: bytes) -> dict[str, float]:
    """Return the grades that Brightspace takes."""
    course = brightspace_course()
    course.upload(data)
    assert course.errors == []
    return {name: grade for (_, name), grade in course.grades.items()}


def blackboard_grades(data: bytes) -> dict[str, float]:
    """Return the grades that Blackboard takes."""
    course = blackboard_course()
    course.upload(data)
    assert course.text_columns == []
    return {
        name: course.grades["12345", who.login] for name, who in PEOPLE.items() if ("12345", who.login) in course.grades
    }


FILLED: dict[str, tuple[Callable[..., str | bytes], Callable[[bytes], dict[str, float]]]] = {
    "canvas": (canvas_book, canvas_grades),
    "moodle-worksheet": (worksheet, worksheet_grades),
    "brightspace": (brightspace_book, brightspace_grades),
    "blackboard": (blackboard_book, blackboard_grades),
}
"""The formats that fill a platform's file in: the file, and the grades that the platform takes from it."""
MADE = {"moodle": moodle_grades, "brightspace": brightspace_grades}
"""The formats that make a file: the grades that the platform takes from it."""
COLUMNS = {"brightspace": {"column": "HW"}, "blackboard": {"column": "HW"}}
"""The options that say which column is filled in, where that is not the assignment's."""


def fields_of(who: Identity) -> dict[str, str]:
    """Return the fields of an identity by name."""
    return {name: getattr(who, name) for name in Identity.__dataclass_fields__}
