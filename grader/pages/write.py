"""Writes the pages of a reports folder beside its reports, or of one report beside its file.

    for-students/<student>/<assignment>.html     a student's page
    for-teachers/<assignment>/class.html         the class

A report that is torn, another student's or not as the journal remembers it gets no page and is named; the others do.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.export.by_hand import with_points
from grader.export.grades import CLASS, ClassGrades, read_grades
from grader.records.report_files import (
    SHAPE,
    places,
    read_copy,
    read_file,
    refuse_changed,
    refuse_misplaced,
    refuse_unsound,
    summary_in,
    text_of,
    unlike_journal,
)
from grader.results.redact import student_copy
from grader.results.report import Report
from grader.results.student_report import StudentReport
from grader.results.write import CLASS_PAGES, STUDENT_COPIES, ReportsFolder, folder_of, student_of
from grader.text import name_shown

from .class_page import class_page
from .figures import ClassFigures
from .student import student_page

# leeann_LATE_123_456_attention.py of Canvas, and of Moodle without folders Ann Lee_9001_assignsubmission_file_a.py
OF_FILE = re.compile(r"((?:[^/]*?_\d+_(?:\d+|assignsubmission_[a-z]+)|(?:LATE_)?anon_[A-Za-z0-9]+_\d+)_).")


@dataclass
class Written:
    """What was written.

    Attributes:
        students: How many pages of students.
        classes: The pages of classes.
        left_out: The reports that got no page and why, a sentence each.
    """

    students: int = 0
    classes: list[Path] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def write_pages(
    reports: Path,
    output: Path | None = None,
    language: str | None = None,
    packed: list[tuple[str, bytes]] | None = None,
) -> Written:
    """Write the pages of every report in a folder, and of every class.

    Args:
        reports: What `grader grade --output` wrote.
        output: Where the pages go; into the reports folder when not given.
        language: That of the pages' own words; each report's if not given.
        packed: Is given each student's page too, under the name by which the platform knows whose it is.

    Raises:
        UsageError: It is not such a folder, or holds no report.
        OutputError: A page could not be written.
    """
    written, classes = Written(), dict[str, ClassFigures]()
    summary = summary_in(reports)
    paths = _find(reports, written)
    grades = _grades(reports)
    folder = ReportsFolder(output or reports)
    folder.prepare()
    for report in _read(paths, written.left_out):
        grade = None if grades is None else grades.find(report.student, report.assignment)
        shown = report.student if grade is None else grade.shown
        copy = student_copy(report)
        if grade is not None:
            copy = with_points(copy, grade.by_hand, grade.reason)
        student_folder = folder_of(report.student)
        data = student_page(msgspec.structs.replace(copy, student=shown), language)
        folder.write_page((STUDENT_COPIES, student_folder), f"{report.assignment}.html", data)
        written.students += 1
        if packed is not None:
            file = report.submission.uploaded or ("" if grade is None else grade.file)
            packed.append((_download_name(student_folder, report.assignment, file), data))
        classes.setdefault(report.assignment, ClassFigures(report.assignment)).add(report, grade, shown)
    for assignment, figures in sorted(classes.items()):
        figures.students.sort(key=lambda student: student.name)
        of_class = [] if grades is None else grades.of(assignment)
        missing = [grade for grade in of_class if grade.status == "missing"]
        data = class_page(figures, summary, missing, language)
        written.classes.append(folder.write_page((CLASS_PAGES, assignment), "class.html", data))
    return written


def _download_name(student: str, assignment: str, file: str) -> str:
    """Return the name of a page in a zip file that goes back to the platform.

    Moodle goes by the folder that the download gave a student, and Canvas by what is in front of a file's name.

    Args:
        file: The file as it was in the download.
    """
    folder, _, name = file.rpartition("/")
    start = OF_FILE.match(name)
    if start is not None and not folder:
        return f"{start[1]}feedback.html"
    return f"{folder or student}/{assignment}.html"


def copy_at(place: Path) -> StudentReport:
    """Return the student's copy of one report, or of the copy itself; a UsageError says that it is not as written."""
    copy = read_copy(place)
    if copy is None:
        report, sha256 = read_file(place)
        refuse_changed(report, place, sha256)
        refuse_unsound(report, place)
        copy = student_copy(report)
    folder = place.absolute().parent.parent
    grades = _grades(folder)
    grade = None if grades is None else grades.find(copy.student, copy.assignment)
    return copy if grade is None else with_points(copy, grade.by_hand, grade.reason)


def _grades(folder: Path) -> ClassGrades | None:
    """Return the grades of a reports folder, also by its students' copies; None where no run wrote any."""
    root = folder.absolute().parent if folder.absolute().name == STUDENT_COPIES else folder
    return read_grades(root) if (root / CLASS).is_file() else None


def _find(folder: Path, written: Written) -> list[Path]:
    """Return where the reports of a folder are that are as the journal remembers them; the others are noted."""
    paths = {(student_of(place.parent.name), place.stem): place for place in places(folder, written.left_out)}
    if not paths and not written.left_out:
        raise UsageError(f"{name_shown(str(folder), 200)} holds no reports.", SHAPE)
    hashes = {}
    for who, place in list(paths.items()):
        try:
            hashes[who] = hashlib.sha256(text_of(place)).hexdigest()
        except UsageError as fault:
            written.left_out.append(fault.problem)
            del paths[who]
    changed = unlike_journal(folder, hashes)
    written.left_out += [f"The report of {name_shown(who)} for {what} {why}" for (who, what), why in changed.items()]
    return [place for who, place in sorted(paths.items()) if who not in changed]


def _read(paths: list[Path], left_out: list[str]) -> Iterator[Report]:
    """Give the reports one by one, and note those that cannot be read."""
    for place in paths:
        try:
            report, _ = read_file(place)
            refuse_misplaced(report, place)
            refuse_unsound(report, place)
        except UsageError as fault:
            left_out.append(fault.problem)
        else:
            yield report
