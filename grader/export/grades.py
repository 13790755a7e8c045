"""The grades of a class: `grades.json` and `grades.csv`, made anew from the reports and the journal of a folder.

A report counts as the journal remembers it; one that was changed or removed since has no points, and says why. Who is
in the class, and the points by hand, are kept in `class.json` as each run read them, by the folder that they were in:
so a run over another class keeps what is known of everybody else.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import msgspec

from grader.course.layout import Course
from grader.errors import UsageError
from grader.records.journal import Journal
from grader.records.journal_lines import Line, Place
from grader.records.plain_files import read_beside
from grader.records.report_files import SHAPE, lines_of_reports, read_file
from grader.results.grades import Grade, Grades
from grader.results.report import Report, to_json
from grader.results.scoring import points_shown
from grader.results.write import ReportsFolder
from grader.text import listed, name_shown

from .by_hand import NAME as BY_HAND
from .by_hand import PointsByHand, decisions_of, note_on, points_by_hand, read_points_by_hand
from .roster import IDENTITIES, People, Person, Roster, read_roster
from .roster import NAME as ROSTER
from .tables import written

# The full-width signs are formulas too where a spreadsheet runs in Japanese, Chinese or Korean.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
GRADES, TABLE, CLASS = "grades.json", "grades.csv", "class.json"


class ClassFiles(msgspec.Struct, frozen=True, kw_only=True):
    """What a run read beside the submissions of one class."""

    people: list[Person] = []
    by_hand: list[PointsByHand] = []


Classes = dict[str, ClassFiles]


def read_class_files(paths: Iterable[Path], course: Course, output: Path | None, places: Iterable[Place]) -> Classes:
    """Read the points by hand in the folders of classes, and the roster there or beside them; other runs' are kept.

    Beside a zip file both are read, since nobody can put a file into it; beside a folder may lie another class's.

    Args:
        paths: The classes: folders, or zip files. Never a student's folder, in which the student may have put anything.
        output: The reports folder with other runs' classes and students; None where none counts.
        places: What is to be graded.

    Returns:
        What is known of each folder, the newest last.

    Raises:
        UsageError: One of the files is not as it must be, or it is not clear whom it names.
    """
    known = {} if output is None else _classes_in(output)
    targets = [Path(os.path.realpath(path)) for path in paths]
    folders = {target if target.is_dir() else target.parent for target in targets}
    for folder in dict.fromkeys([*(target.parent for target in targets), *targets]):
        roster, by_hand = folder / ROSTER, folder / BY_HAND
        people = read_roster(roster) if roster.is_file() else []
        rows = read_points_by_hand(by_hand, course) if folder in folders and by_hand.is_file() else []
        known.pop(str(folder), None)
        if people or rows:
            known[str(folder)] = ClassFiles(people=people, by_hand=rows)
    _who_and_what(known, {*places, *(() if output is None else Journal(output, None).places())})
    return known


def student_named(text: str, output: Path, assignment: str | None) -> str:
    """Return what a student is called in a reports folder, given the folder or any identity; anybody else as written.

    Raises:
        UsageError: It could be several.
    """
    roster, _ = _who_and_what(_classes_in(output), Journal(output, None).places())
    people = roster.members(assignment or "")
    return people.all[people.resolve(text)].folder if people.find(text) else text


def _who_and_what(classes: Classes, places: Iterable[Place]) -> tuple[Roster, dict[Place, list[PointsByHand]]]:
    """Return who is in the class and what was decided by hand; of two files the one that was read later counts."""
    newest_first = list(reversed(classes.values()))
    roster = Roster([person for files in newest_first for person in files.people], places)
    decided: dict[Place, list[PointsByHand]] = {}
    for files in newest_first:
        decided = decisions_of(files.by_hand, roster) | decided
    return roster, decided


def write_grades(output: ReportsFolder, classes: Classes) -> "ClassGrades":
    """Write `class.json`, `grades.json` and `grades.csv`, and return the grades."""
    withdrawn = _decided_in(_classes_in(output.root)) - _decided_in(classes)
    output.write_beside(CLASS, msgspec.json.format(msgspec.json.encode(classes), indent=1) + b"\n")
    grades = _grades_in(output.root)
    output.write_beside(GRADES, to_json(Grades(grades=grades.all)))
    output.write_beside(TABLE, _csv(grades.all))
    if withdrawn:
        names = listed([f"{name_shown(who)} for {part or 'all'} of {what}" for who, what, part in sorted(withdrawn)])
        grades.notes.append(f"Points by hand that counted before are in no {BY_HAND} any more: {names}.")
    return grades


def _decided_in(classes: Classes) -> set[tuple[str, str, str]]:
    """Return for whom, in which assignment and in which exercise points by hand count."""
    return {(row.student, row.assignment, row.exercise) for files in classes.values() for row in files.by_hand}


def _classes_in(folder: Path) -> Classes:
    return read_beside(folder / CLASS, Classes) or {}


@dataclass
class ClassGrades:
    """The grades in a reports folder.

    Attributes:
        folder: The reports folder.
        all: The grades, by assignment and student.
        decided: The points by hand, by student and assignment.
        strangers: The folders of those who are on no roster; empty where there is no roster.
        notes: What a person must know before using the points, a sentence each.
    """

    folder: Path
    all: list[Grade]
    decided: Mapping[Place, Sequence[PointsByHand]]
    strangers: Sequence[str]
    notes: list[str]

    def find(self, student: str, assignment: str) -> Grade | None:
        """Return the grade of a student, named as the folder is."""
        return next((grade for grade in self.of(assignment) if grade.student == student), None)

    def of(self, assignment: str) -> list[Grade]:
        return [grade for grade in self.all if grade.assignment == assignment]

    def assignment(self, named: str | None) -> str:
        """Return the assignment that is meant: the named one, or the only one.

        Raises:
            UsageError: There is none of that name, or several and none is named.
        """
        known = sorted({grade.assignment for grade in self.all})
        fits = [id for id in known if named in (None, id, id.partition("_")[2])]
        if len(fits) != 1:
            has = f"{name_shown(str(self.folder), 200)} has the assignments {', '.join(known)}"
            what = "one has to be named" if named is None else f"none is called {named!r}"
            raise UsageError(f"{has}; {what}.", hint="Name one with --assignment ID.")
        return fits[0]

    def of_report(self, student: str, assignment: str | None) -> Grade:
        """Return the grade of a student's report.

        Raises:
            UsageError: There is no such report, or several could be meant.
        """
        chosen = self.assignment(assignment)
        grades = self.of(chosen)
        grade = grades[people_of(grades, self.notes).resolve(student)]
        if grade.status == "missing":
            raise UsageError(f"{name_shown(student)} has no report for {chosen}.")
        return grade

    def report(self, grade: Grade) -> Report:
        """Return the report that a grade is of, with points by hand in place of the graded ones, and a note on both.

        Raises:
            UsageError: It is gone, or not as it was written.
        """
        report = read_file(ReportsFolder(self.folder).places_of(grade.student, grade.assignment)[0])
        if report.problem != grade.problem:  # it was changed since
            raise UsageError(f"{name_shown(grade.student)}, {grade.assignment}: {grade.problem}")
        if grade.by_hand is None:
            return report
        notes = [note_on(grade, report.language), *report.notes]
        return msgspec.structs.replace(report, score=grade.by_hand, notes=notes)

    def lines(self) -> list[str]:
        """Return what a run says of the whole class under its table."""
        lines = []
        for assignment in sorted({grade.assignment for grade in self.all}):
            missing = [name_shown(grade.shown) for grade in self.of(assignment) if grade.status == "missing"]
            if missing:
                lines.append(f"On the roster, without a file for {assignment} ({len(missing)}): {listed(missing)}.")
        strange = [name_shown(student) for student in self.strangers]
        lines += [f"Not on the roster ({len(strange)}): {listed(strange)}."] if strange else []
        by_hand = [
            f"{name_shown(grade.shown)} in {grade.assignment}: {grade.by_hand:f} (graded {points_shown(grade.score)})"
            for grade in self.all
            if grade.by_hand is not None
        ]
        lines += [f"Points by hand count: {listed(by_hand)}."] if by_hand else []
        return [*lines, *self.notes]


def people_of(grades: Sequence[Grade], notes: list[str]) -> People:
    """Return the people of grades in their order, to be found; `notes` is given how."""
    people = []
    for grade in grades:
        folder = "" if grade.student in grade.ids.values() else grade.student  # of an identity the kind is known
        people.append(Person(folder=folder, name=grade.name, ids=grade.ids))
    return People(people, notes)


def read_grades(folder: Path) -> ClassGrades:
    """Make the grades of a reports folder from its reports and its journal.

    Raises:
        UsageError: It is no such folder or holds no report; or the roster and the folders do not fit any more.
    """
    if not folder.is_dir():
        raise UsageError(f"There is no folder {name_shown(str(folder), 200)}.", hint=SHAPE)
    grades = _grades_in(folder)
    if all(grade.status == "missing" for grade in grades.all):
        why = "".join(f" {note}" for note in grades.notes)
        raise UsageError(f"{name_shown(str(folder), 200)} holds no reports.{why}", hint=SHAPE)
    return grades


def _grades_in(folder: Path) -> ClassGrades:
    notes: list[str] = []
    lines = lines_of_reports(folder, notes)
    roster, decided = _who_and_what(_classes_in(folder), lines)
    most = {assignment: rows[0].max for (_, assignment), rows in decided.items()}
    most |= {assignment: line.max_score for (_, assignment), line in lines.items()}
    grades = []
    for assignment in sorted(most):
        for person in roster.members(assignment).all:
            place = person.folder, assignment
            line, rows = lines.get(place), decided.get(place, [])
            if line is None and not rows and person.folder in roster.strangers:
                continue
            grades.append(_grade(person, assignment, line, most[assignment], rows))
            if rows and grades[-1].by_hand is None:
                whole = "nothing was graded, so points by hand count only for the whole assignment."
                notes.append(f"{name_shown(person.folder)}, {assignment}: {whole}")
    strangers = sorted(roster.strangers) if roster.people else []
    return ClassGrades(folder, grades, decided, strangers, [*roster.notes, *notes])


def _grade(person: Person, assignment: str, line: Line | None, most: Decimal, rows: Sequence[PointsByHand]) -> Grade:
    grade = Grade(
        student=person.folder,
        name=person.name,
        ids=person.ids,
        assignment=assignment,
        score=None,
        by_hand=points_by_hand(rows, line),
        max=most,
        status="missing",
        reason="; ".join(row.reason for row in rows if row.reason),
    )
    if line is None:
        return grade
    same = {name: getattr(line, name) for name in ("problem", "file", "submitted", "late")}
    graded = {"status": "graded", "score": line.score} if line.problem is None else {"status": "not graded"}
    return msgspec.structs.replace(grade, max=line.max_score, kit=line.kit_version, **same, **graded)


def _csv(grades: Sequence[Grade]) -> bytes:
    """Return the grades as a table in UTF-8, in which no spreadsheet runs a text as a formula."""
    fields = [name for name in Grade.__struct_fields__ if name != "ids"]
    rows = [[*fields, *IDENTITIES]]
    for grade in grades:
        cells = [getattr(grade, name) for name in fields] + [grade.ids.get(kind, "") for kind in IDENTITIES]
        rows.append(list(map(_cell, cells)))
    return written(rows).encode("utf-8", "backslashreplace")


def _cell(value: Decimal | str | bool | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return f"{value:f}"
    return "'" + value if value.startswith(FORMULA_SIGNS) else value
