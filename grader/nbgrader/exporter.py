"""What `nbgrader autograde` reads notebooks with: the place where the kit comes in.

`grader grade` has graded the class before; nothing is graded here, and a report counts only for the very files that it
is of. A submission that cannot be read, or that has no notebook of the released name, becomes a notebook that says so:
nbgrader alone passes over the student, or gives 0.
"""

import glob
import os
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.exporters.notebook import NotebookExporter
from nbgrader.converters.base import NbGraderException
from traitlets import Unicode

from grader.course.layout import find_course
from grader.errors import GraderError
from grader.export.grades import read_grades
from grader.records.plain_files import digest_of
from grader.records.report_files import refuse_unsafe
from grader.results.redact import student_copy
from grader.results.report import Report
from grader.results.student_report import StudentReport
from grader.text import name_shown

from .cells import read_cells

FIRST = "Give `grader --course DIR grade submitted --from nbgrader` first, with the kit's course, then autograde."


class KitExporter(NotebookExporter):  # type: ignore[misc]  # nbconvert has no types where it is missing
    """Reads the notebooks of a class, and hands out the kit's reports to the preprocessors."""

    course = Unicode("", help="The folder of the kit's course, which holds solutions/ and tests/hidden/.").tag(
        config=True
    )
    reports = Unicode("reports", help="Where the kit's reports are, from the root of nbgrader's course.").tag(
        config=True
    )

    def __init__(self, **options: Any) -> None:
        """Open the kit's course and its reports.

        Raises:
            NbGraderException: The course cannot be opened, or there are no reports.
        """
        super().__init__(**options)
        self._folder = Path(self.parent.coursedir.root) / self.reports
        try:
            self.kit = find_course(Path(self.course))
            self._grades = read_grades(self._folder)
        except GraderError as problem:
            self.log.error("%s %s", problem, FIRST)
            raise NbGraderException(str(problem)) from None
        self._add_notebooks()

    def _add_notebooks(self) -> None:
        """Have nbgrader work on the released notebook of each submission, also where there is none of that name."""
        coursedir, assignments = self.parent.coursedir, self.parent.assignments
        known = self.kit.assignments.get(coursedir.assignment_id)
        if known is None or coursedir.notebook_id not in ("*", known.name):
            return
        folders = coursedir.format_path(coursedir.submitted_directory, coursedir.student_id, known.id)
        for folder in glob.glob(folders):  # noqa: PTH207 - as nbgrader finds them
            notebook = str(Path(folder) / f"{known.name}.ipynb")
            if notebook not in assignments.get(folder, ()):
                assignments[folder] = [*assignments.get(folder, ()), notebook]

    def report(self, names: Mapping[str, str]) -> tuple[StudentReport | None, str]:
        """Return the student's copy of the report of a submission, or None and why there is none that counts.

        Args:
            names: nbgrader's: student, assignment and notebook.
        """
        student, assignment, notebook = names["student"], names["assignment"], names["notebook"]
        grade = self._grades.find(student, assignment)
        if grade is None or grade.status == "missing":
            return None, f"there is no report of it. {FIRST}"
        try:
            report = self._grades.report(grade)
            refuse_unsafe(report)
        except GraderError as problem:
            return None, grade.problem or str(problem)
        coursedir = self.parent.coursedir
        submitted = Path(coursedir.format_path(coursedir.submitted_directory, student, assignment))
        if not _is_of(report, submitted, notebook):
            return None, f"the report is of another file. {FIRST}"
        return student_copy(report), ""

    def by_hand(self, names: Mapping[str, str]) -> Mapping[str, Decimal]:
        """Return the points that a person set, by exercise; of the whole assignment under an empty name."""
        rows = self._grades.decided.get((names["student"], names["assignment"]), ())
        return {row.exercise: row.points for row in rows}

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **options: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Convert a notebook, read by the kit's rules; see `nbconvert.Exporter.from_filename`."""
        place = Path(filename)
        given = resources if resources is not None else ResourcesDict()
        given["metadata"] = ResourcesDict(name=place.stem, path=str(place.parent))
        notebook = nbformat.v4.new_notebook(cells=self._cells(place, given["nbgrader"]))
        made: tuple[Any, dict[str, Any]] = self.from_notebook_node(notebook, given, **options)
        return made

    def _cells(self, place: Path, names: Mapping[str, str]) -> list[Any]:
        """Return the cells of a notebook, or one that says why there are none."""
        problem = f"There is no {place.name}."
        if os.path.lexists(place):
            cells, problem = read_cells(place, self.kit.limits)
            if not problem:
                return cells
        self.log.warning("%s: %s", name_shown(names["student"]), problem)
        return [nbformat.v4.new_code_cell(f"# {problem}")]


def _is_of(report: Report, folder: Path, notebook: str) -> bool:
    """Return whether a report is of what is there; one that says why nothing could be graded need not have read it."""
    read = report.submission.sha256
    there = {file for file in (f"{notebook}.ipynb", f"{notebook}.py") if os.path.lexists(folder / file)}
    whole = report.problem is not None or (bool(read) and read.keys() >= there)
    return whole and all(digest_of(folder / file) == digest for file, digest in read.items())
