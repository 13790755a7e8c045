"""What `nbgrader autograde` reads notebooks with: the place where the kit comes in.

`grader grade` has graded the class before; nothing is graded here. A notebook is read as data, within the kit's limits
and without following a link; one that cannot be read becomes a notebook that says so, for a person to grade, instead
of a student whom nbgrader leaves out. A report counts only for the very files that it is of.

Where there is no notebook of the released name, only a program or a `Copy of` it, nbgrader gives 0 or passes over the
student. The notebook is made then: of the one that was graded, or with nothing but the checks.
"""

import glob
import os
from collections.abc import Mapping
from dataclasses import replace
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
from grader.nbgrader.notebooks.handed_in import HandedInCells, notebook_of, read_cells, said_in_a_cell
from grader.records.plain_files import digest_of
from grader.records.report_files import read_file, refuse_changed, refuse_misplaced, refuse_unsafe, refuse_unsound
from grader.results.report import Report
from grader.results.write import ReportsFolder
from grader.text import name_shown

FIRST = "Give `grader grade submitted --output reports` first, in the folder of nbgrader's course."


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
        self._found: dict[tuple[str, str, str], Report | None] = {}
        self._refused: set[tuple[str, str]] = set()
        coursedir = self.parent.coursedir
        if coursedir.directory_structure != type(coursedir).directory_structure.default_value:
            self._give_up(
                "CourseDirectory.directory_structure is changed, and the kit reads nbgrader's usual one only."
            )
        try:
            self.kit = find_course(Path(self.course) if self.course else Path(coursedir.root))
        except GraderError as problem:
            self._give_up(str(problem))
        self._folder = Path(coursedir.root) / self.reports
        if not self._folder.is_dir():
            self._give_up(f"There is no folder {name_shown(str(self._folder), 200)} with reports. {FIRST}")
        try:
            self._decided = read_grades(self._folder).decided
        except GraderError as problem:
            self._give_up(str(problem))
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

    def _give_up(self, sentence: str) -> None:
        self.log.error(sentence)
        raise NbGraderException(sentence)

    def report(self, resources: dict[str, Any]) -> Report | None:
        """Return the report of the submission that a preprocessor is working on; None when there is none."""
        names = resources["nbgrader"]
        key = names["student"], names["assignment"], names["notebook"]
        if key not in self._found:
            self._found[key] = self._report(*key)
        return self._found[key]

    def _report(self, student: str, assignment: str, notebook: str) -> Report | None:
        known = self.kit.assignments.get(assignment)
        if known is None or known.name != notebook:
            self.log.warning(
                f"The kit has no assignment {assignment} with a notebook {notebook}, so it grades none of it."
            )
            return None
        place, _ = ReportsFolder(self._folder).places_of(student, assignment)
        coursedir = self.parent.coursedir
        submitted = Path(coursedir.format_path(coursedir.submitted_directory, student, assignment))
        try:
            report, sha256 = read_file(place)
            refuse_misplaced(report, place)
            refuse_changed(report, place, sha256)
            refuse_unsafe(report, False)
            refuse_unsound(report, place)
        except GraderError as problem:
            self.log.warning("%s, %s: %s", name_shown(student), assignment, problem)
            return None
        if not _is_of(report, submitted, f"{notebook}.ipynb"):
            self.log.warning("%s, %s: the report is of another file. %s", name_shown(student), assignment, FIRST)
            return None
        return report

    def by_hand(self, resources: dict[str, Any]) -> Mapping[str, Decimal]:
        """Return the points that a person set, by exercise; of the whole assignment under an empty name."""
        names = resources["nbgrader"]
        rows = self._decided.get((names["student"], names["assignment"]), ())
        return {row.exercise: row.points for row in rows}

    def refuse(self, assignment: str, why: str) -> None:
        """Say once for the class why no points of an assignment are entered."""
        if (assignment, why) not in self._refused:
            self._refused.add((assignment, why))
            self.log.error("%s: no points are entered: %s", assignment, why)

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **options: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Convert a notebook, read by the kit's rules; see `nbconvert.Exporter.from_filename`."""
        place = Path(filename)
        given = resources if resources is not None else ResourcesDict()
        given["metadata"] = ResourcesDict(name=place.stem, path=str(place.parent))
        made: tuple[Any, dict[str, Any]] = self.from_notebook_node(self._read(place, given), given, **options)
        return made

    def _instead(self, place: Path, resources: dict[str, Any]) -> HandedInCells:
        """Return what is shown where no notebook has the released name: the graded one, if it was a notebook."""
        report = self.report(resources)
        graded = None if report is None or report.problem is not None else report.submission.graded
        said = f"There is no {place.name}" + ("." if graded is None else f"; {name_shown(graded)} was graded.")
        found = HandedInCells()
        if report is not None and graded is not None and graded.endswith(".ipynb"):
            same = [file for file in report.submission.sha256 if file.rpartition("/")[2] == graded]
            found = read_cells(place.parent / same[0], self.kit.limits) if len(same) == 1 else found
        self.log.warning("%s: %s", name_shown(resources["nbgrader"]["student"]), said)
        return replace(found, cells=[said_in_a_cell(said), *found.cells])

    def _read(self, place: Path, resources: dict[str, Any]) -> Any:
        """Return a notebook of format 4.5 with whatever can be read of a file, or of the one that was graded."""
        found = read_cells(place, self.kit.limits) if os.path.lexists(place) else self._instead(place, resources)
        if found.problem:
            self.log.warning(found.problem)
        return nbformat.from_dict(notebook_of(found.cells, found.metadata))


def _is_of(report: Report, folder: Path, name: str) -> bool:
    """Return whether a report is of what is there; one that says why nothing could be graded need not have read it."""
    read = report.submission.sha256
    whole = name in read or report.problem is not None or (bool(read) and not os.path.lexists(folder / name))
    return whole and all(digest_of(folder / file) == digest for file, digest in read.items())
