"""What `nbgrader autograde` reads notebooks with: the place where the kit comes in.

`grader grade` has graded the class before; nothing is graded here. A notebook is read as data, within the kit's limits
and without following a link; one that cannot be read becomes a notebook that says so, for a person to grade, instead
of a student whom nbgrader leaves out. A report counts only for the very file that it is of.
"""

from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.exporters.notebook import NotebookExporter
from nbgrader.converters.base import NbGraderException
from traitlets import Unicode

from grader.course.layout import find_course
from grader.errors import GraderError
from grader.nbgrader.notebooks.handed_in import notebook_of, read_cells
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
        made: tuple[Any, dict[str, Any]] = self.from_notebook_node(self._read(place), given, **options)
        return made

    def _read(self, place: Path) -> Any:
        """Return a notebook of format 4.5 with whatever can be read of a file."""
        found = read_cells(place, self.kit.limits)
        if found.problem:
            self.log.warning(found.problem)
        return nbformat.from_dict(notebook_of(found.cells, found.metadata))


def _is_of(report: Report, folder: Path, name: str) -> bool:
    """Return whether a report is of a file; one that says why nothing could be graded need not have read it."""
    known = report.submission.sha256.get(name)
    return report.problem is not None if known is None else known == digest_of(folder / name)
