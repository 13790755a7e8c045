"""Writes the pages of a reports folder beside its reports.

    for-students/<student>/<assignment>.html     a student's page
    for-teachers/<assignment>/class.html         the class

A report that is gone, torn or not as the journal remembers it gets no page and is named; the others do.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.export.grades import read_grades
from grader.records.announced_scores import summary_before
from grader.results.redact import student_copy
from grader.results.write import CLASS_PAGES, STUDENT_COPIES, ReportsFolder, folder_of

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
        notes: What a person must know before using the points, a sentence each.
    """

    students: int = 0
    classes: list[Path] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def code(self) -> int:
        """The exit code: 0 when every report has its page, else 1."""
        return 1 if self.left_out else 0


def write_pages(reports: Path, language: str | None = None, packed: list[tuple[str, bytes]] | None = None) -> Written:
    """Write the pages of every report in a folder, and of every class.

    Args:
        reports: What `grader grade --output` wrote.
        language: That of the pages' own words; each report's if not given.
        packed: Is given each student's page too, under the name by which the platform knows whose it is.

    Raises:
        UsageError: It is not such a folder, or holds no report.
        OutputError: A page could not be written.
    """
    grades = read_grades(reports)
    written, classes, folder = Written(notes=grades.notes), dict[str, ClassFigures](), ReportsFolder(reports)
    for grade in grades.all:
        if grade.status == "missing":
            continue
        try:
            report = grades.report(grade)
        except UsageError as fault:
            written.left_out.append(fault.problem)
            continue
        copy = msgspec.structs.replace(student_copy(report), student=grade.shown)
        data, student_folder = student_page(copy, language), folder_of(grade.student)
        folder.write_page((STUDENT_COPIES, student_folder), f"{grade.assignment}.html", data)
        written.students += 1
        if packed is not None:
            file = report.submission.uploaded or grade.file
            packed.append((_download_name(student_folder, grade.assignment, file), data))
        classes.setdefault(grade.assignment, ClassFigures(grade.assignment)).add(report, grade)
    for assignment, figures in classes.items():
        data = class_page(figures, grades.of(assignment), summary_before(reports), language)
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
