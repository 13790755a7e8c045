"""What `nbgrader autograde` reads notebooks with: the place where the kit comes in.

nbgrader makes one exporter for a command, before it looks at the first submission. That is the moment to grade the
class in one run: a hook's errors are swallowed, and a preprocessor's are printed for each student. A notebook
is then read as data, within the kit's limits and without following a link; one that cannot be read becomes a notebook
that says so, for a person to grade, instead of a student whom nbgrader leaves out.
"""

import os
from glob import glob
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.exporters.notebook import NotebookExporter
from nbgrader.converters.base import NbGraderException
from traitlets import List, Unicode

from grader.course.layout import find_course
from grader.errors import GraderError
from grader.nbgrader.notebooks.handed_in import notebook_of, read_cells
from grader.results.report import Report

from .class_run import ClassRun, GradingFailedError, HandedIn
from .gradebook import open_gradebook
from .place import Place
from .push import push


class KitExporter(NotebookExporter):  # type: ignore[misc]  # nbconvert has no types where it is missing
    """Grades the class by the kit, reads its notebooks, and hands out the reports to the preprocessors."""

    course = Unicode("", help="The folder of the kit's course, which holds solutions/ and tests/hidden/.").tag(
        config=True
    )
    reports = Unicode("reports", help="Where the kit's reports go, from the root of nbgrader's course.").tag(
        config=True
    )
    arguments = List(Unicode(), help="More options for `grader grade`.").tag(config=True)

    def __init__(self, **options: Any) -> None:
        """Open the kit's course and grade what the command is about to work on.

        Raises:
            NbGraderException: The course cannot be opened, or nothing could be graded.
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
            self.run = ClassRun(self.kit.root, Path(coursedir.root) / self.reports, list(self.arguments), self.log.info)
            waiting = self._waiting()
            self.run.grade(waiting)
            self._enter_other_names([each for each in waiting if self._has_another_name(each)])
        except (GraderError, GradingFailedError) as problem:
            self._give_up(str(problem))

    def _give_up(self, sentence: str) -> None:
        self.log.error(sentence)
        raise NbGraderException(sentence)

    def _waiting(self) -> list[HandedIn]:
        """Return what nbgrader will not pass over because it was graded before, and what it does not see."""
        converter = self.parent
        coursedir = converter.coursedir
        excluded = set(coursedir.student_id_exclude.split(",")) if coursedir.student_id_exclude else set()
        waiting = []
        whole = coursedir.notebook_id == "*"
        places = {Path(place) for place in converter.assignments}
        if whole:  # nbgrader looks at no folder without a notebook
            every = coursedir.format_path(coursedir.submitted_directory, coursedir.student_id, coursedir.assignment_id)
            found = glob(every)  # noqa: PTH207 - as nbgrader itself looks for them
            places |= {Path(place) for place in found if Path(place).name in self.kit.assignments}
        for place in sorted(places):
            each = HandedIn(place.parent.name, place.name, place)
            graded = Path(coursedir.format_path(coursedir.autograded_directory, each.student, each.assignment))
            before, now = (coursedir.get_existing_timestamp(str(path)) for path in (graded, each.folder))
            newer = before is not None and now is not None and now > before
            if each.student not in excluded and (converter.force or newer or not whole or not graded.exists()):
                waiting.append(each)
        return waiting

    def _has_another_name(self, each: HandedIn) -> bool:
        """Return whether nbgrader would find nothing of a submission, since its file is not named as in the release."""
        known = self.kit.assignments.get(each.assignment)
        whole = self.parent.coursedir.notebook_id == "*" and self.parent.create_student
        return known is not None and whole and not os.path.lexists(each.folder / f"{known.name}.ipynb")

    def _enter_other_names(self, some: list[HandedIn]) -> None:
        """Enter the kit's reports of what nbgrader does not see, as `grader nbgrader push` does; else it would be 0."""
        if not some:
            return
        coursedir = self.parent.coursedir
        found = {each: self.run.report(each, None) for each in some}
        with open_gradebook(coursedir.db_url) as book:
            place = Place(Path(coursedir.root))
            pushed = push([report for report in found.values() if report is not None], book, place, None)
        for each in some:
            self.parent.assignments.pop(str(each.folder), None)
        for line in (*pushed.left_out, *pushed.by_hand):
            self.log.warning("No points, a person has to grade it: %s", line)
        for line in pushed.lowered:
            self.log.warning("Lower than before: %s", line)

    def report(self, resources: dict[str, Any]) -> Report | None:
        """Return the report of the submission that a preprocessor is working on; None when there is none.

        Raises:
            NbGraderException: It had to be graded once more, and nothing could be.
        """
        names = resources["nbgrader"]
        key = names["student"], names["assignment"], names["notebook"]
        if key not in self._found:
            coursedir = self.parent.coursedir
            folder = Path(coursedir.format_path(coursedir.submitted_directory, key[0], key[1]))
            known = self.kit.assignments.get(key[1])
            if known is None or known.name != key[2]:
                self.log.warning(
                    f"The kit has no assignment {key[1]} with a notebook {key[2]}, so it grades none of it."
                )
                self._found[key] = None
                return None
            try:
                self._found[key] = self.run.report(HandedIn(key[0], key[1], folder), f"{key[2]}.ipynb")
            except GradingFailedError as problem:
                self._give_up(str(problem))
        return self._found[key]

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
