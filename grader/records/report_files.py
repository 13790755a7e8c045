"""Reads the files of a reports folder one by one, and says in a sentence what is wrong with one.

A report must be whole, of this version, in the folder of its own student, and the very bytes that the run wrote: the
journal remembers their hash.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import get_args

import msgspec

from grader.errors import UsageError
from grader.results.report import Report, Version, read_report
from grader.results.scoring import total_of
from grader.results.write import STUDENT_COPIES, folder_of, student_of
from grader.text import name_shown, one_line

from .journal import NAME as JOURNAL
from .journal import Journal
from .journal_lines import Line, Place, line_of
from .plain_files import AGAIN

LARGEST = 64 << 20  # bytes of one report; the largest that grading can write stays far below
SHAPE = "Name the folder that `grader grade --output` wrote."
WITHOUT_ISOLATION = "Graded without isolation, so the program could have changed its own grade: {}."
UNSAFE = "none"  # the isolation tier of a run whose operator switched the jail off


def places(folder: Path, faults: list[str]) -> Iterator[Path]:
    """Give every place of a report, and note what is there in place of one.

    Raises:
        UsageError: A folder cannot be looked into.
    """
    for student in _inside(folder):
        if student.name == STUDENT_COPIES or student.name.startswith(".") or not student.is_dir():
            continue
        if student.is_symlink():
            faults.append(f"{name_shown(student.name)} is a link, and links are not followed.")
            continue
        for place in _inside(student):
            if place.suffix == ".json" and not place.name.startswith("."):
                yield place


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as problem:
        raise UsageError(f"{name_shown(str(folder), 200)} cannot be read: {problem.strerror}.", SHAPE) from None


def read_file(place: Path) -> tuple[Report, str]:
    """Return a report and the SHA-256 of its file.

    Raises:
        UsageError: It is not there, torn, of another version, or the student's copy.
    """
    text = text_of(place)
    try:
        return read_report(text), hashlib.sha256(text).hexdigest()
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise UsageError(f"{name_shown(str(place), 200)} {_fault(text, problem)}", AGAIN) from None


def text_of(place: Path) -> bytes:
    """Return what a file holds, if it is one and may be a report.

    Raises:
        UsageError: It is not there, is not a file, or is larger than any report.
    """
    shown = name_shown(str(place), 200)
    try:
        descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UsageError(f"{shown} is not a file.", SHAPE)
            text = file.read(LARGEST + 1)
    except OSError as problem:
        raise UsageError(f"{shown} cannot be read: {problem.strerror}.", SHAPE) from None
    if len(text) > LARGEST:
        raise UsageError(f"{shown} is larger than any report.", SHAPE)
    return text


def _fault(text: bytes, problem: Exception) -> str:
    """Return why a text is not a report, as the rest of a sentence."""
    try:
        document = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return "is torn: it is not a complete JSON document."
    version = document.get("schema_version") if isinstance(document, dict) else None
    if version is None:
        return "is not a report of this kit."
    if version not in get_args(Version):
        known = " and ".join(get_args(Version))
        return f"has the schema version {one_line(str(version), 20)!r}; this grader reads {known}. Grade it again."
    if isinstance(document, dict) and "seed" not in document:
        return "is a student's copy; the instructor's, in the folder of that student, is needed."
    return f"is not a complete report: {one_line(str(problem))}."


def refuse_misplaced(report: Report, place: Path) -> None:
    """Refuse a report that is in another student's folder or under another assignment's name."""
    if folder_of(report.student) != place.parent.name or f"{report.assignment}.json" != place.name:
        whose = f"{name_shown(report.student)} for {name_shown(report.assignment)}"
        raise UsageError(f"{name_shown(str(place), 200)} is the report of {whose}.", "Put it back where it belongs.")


def refuse_unsafe(report: Report) -> None:
    """Refuse a grade of a run without any isolation."""
    if report.isolation.get("tier") == UNSAFE:
        problem = f"{report.assignment} of {name_shown(report.student)} was graded without isolation."
        raise UsageError(problem, "Grade it again without `--isolation none`.")


def refuse_unsound(report: Report, place: Path) -> None:
    """Refuse a report whose exercises' points are not its points."""
    total = None if report.problem is not None else total_of(exercise.score for exercise in report.exercises)
    points = sum((exercise.max_score for exercise in report.exercises), Decimal(0))
    if (total, points) != (report.score, report.max_score) or not (total is None or 0 <= total <= points):
        raise UsageError(f"The scores in {name_shown(str(place), 200)} do not add up.", AGAIN)


def lines_of_reports(folder: Path, notes: list[str]) -> dict[Place, Line]:
    """Return what every report of a folder says, in the journal's form, and note what a reader must know.

    A report that was changed or removed since it was written counts as not graded: its problem says so. One that the
    journal does not know counts where there is no journal, or where it says that it was graded without isolation.
    """
    has_journal = (folder / JOURNAL).is_file()
    remembered = {line.place: line for line in Journal(folder, None).lines()}
    faults: list[str] = []
    there = {(student_of(place.parent.name), place.stem): place for place in places(folder, faults)}
    notes += faults
    lines, unsafe = {}, []
    for place in sorted({*remembered, *there}):
        line = remembered.get(place)
        if place not in there:
            assert line is not None
            lines[place] = _changed(line, "Its report was removed from the folder.")
            continue
        try:
            if line is not None and hashlib.sha256(text_of(there[place])).hexdigest() == line.report:
                lines[place] = line
                continue
            report, _ = read_file(there[place])
            refuse_misplaced(report, there[place])
            refuse_unsound(report, there[place])
        except UsageError as fault:
            if line is None:
                notes.append(str(fault))
            else:
                lines[place] = _changed(line, "Its report is not as it was written.")
            continue
        line = line_of(report, file=report.submission.graded or ", ".join(report.submission.files))
        if report.isolation.get("tier") == UNSAFE:
            unsafe.append(name_shown(report.student))
        elif has_journal:
            line = _changed(line, "Its report is not as it was written.")
        lines[place] = line
    if unsafe:
        notes.append(WITHOUT_ISOLATION.format(", ".join(sorted(set(unsafe)))))
    return lines


def _changed(line: Line, why: str) -> Line:
    return msgspec.structs.replace(line, problem=f"{why} Run `grader grade` again.")
