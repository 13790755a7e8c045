"""The folders of nbgrader's course around a gradebook: where submissions are and graded notebooks go."""

from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config, PyFileConfigLoader

from grader.errors import UsageError
from grader.limits import DEFAULT_LIMITS
from grader.nbgrader.notebooks.handed_in import HandedInCells, read_cells
from grader.records.plain_files import digest_of
from grader.results.report import Report
from grader.system.whole_file import write_whole
from grader.text import name_shown

from .course import SETTINGS

TIMESTAMP = "timestamp.txt"
READ_ONLY = 0o444


class Place:
    """A course of nbgrader on disk.

    Raises:
        UsageError: Its settings cannot be read.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        try:
            config = self._settings()
            if "root" not in config.CourseDirectory:
                config.CourseDirectory.root = str(self.root)
            self.coursedir = CourseDirectory(config=config)
            self._late = AssignLatePenalties(config=config)
            self._late.init_plugin()
        except Exception as problem:  # the teacher's own Python file and plugin can raise anything
            found = f"{type(problem).__name__}: {problem}"
            raise UsageError(
                f"The settings {self.root / SETTINGS} could not be read.", found, "Correct the file."
            ) from None

    def _settings(self) -> Any:
        if not (self.root / SETTINGS).is_file():
            return Config()
        return PyFileConfigLoader(SETTINGS, path=[str(self.root)]).load_config()

    def penalty(self, student: str, score: float, seconds: float) -> float | None:
        """Return what the plugin for late submissions takes off, as `nbgrader autograde` asks it."""
        found = self._late.plugin_inst.late_submission_penalty(student, score, seconds)
        return None if found is None else float(found)

    def _folder(self, step: str, report: Report) -> Path:
        return Path(self.coursedir.format_path(step, report.student, report.assignment))

    def _file(self, report: Report) -> Path | None:
        """Return the file of a report, where it is among the submissions."""
        if report.submission.graded is None:
            return None
        place = self._folder(self.coursedir.submitted_directory, report) / report.submission.graded
        return place if place.is_file() and not place.is_symlink() else None

    def differs(self, report: Report) -> str:
        """Return why a report is not one of what is among the submissions; empty when it may be."""
        graded = report.submission.graded
        folder = self._folder(self.coursedir.submitted_directory, report)
        if graded is None or not folder.is_dir():
            return ""
        name, place = name_shown(graded), self._file(report)
        if place is None:
            return f"the report is of {name}, and nbgrader's folder of the submission has no such file. Grade that one."
        if digest_of(place) != report.submission.sha256.get(graded):
            return f"the report is of another version of {name} than the one in nbgrader's folder. Grade that one."
        return ""

    def cells(self, report: Report) -> HandedInCells | None:
        """Return the cells of a report's file; None when it is not among the submissions."""
        place = self._file(report)
        return None if place is None else read_cells(place, DEFAULT_LIMITS)

    def timestamp(self, report: Report) -> str | None:
        """Return when a report's submission was handed in, as nbgrader's file beside it says; None without one.

        Raises:
            UsageError: The file says no time.
        """
        place = self._folder(self.coursedir.submitted_directory, report)
        try:
            found = self.coursedir.get_existing_timestamp(str(place))
        except (ValueError, AttributeError, OverflowError):
            raise UsageError(
                "The time of a submission was looked for.",
                f"{place / TIMESTAMP} says no time.",
                "Correct or remove it.",
            ) from None
        return None if found is None else found.isoformat()

    def write(self, report: Report, notebook: str, text: str) -> bool:
        """Write a graded notebook and the time of its submission; return whether anything changed.

        Raises:
            OutputError: A file cannot be written.
        """
        folder = self._folder(self.coursedir.autograded_directory, report)
        changed = _put(folder / f"{notebook}.ipynb", text.encode("utf-8", "replace"))
        try:
            time = (self._folder(self.coursedir.submitted_directory, report) / TIMESTAMP).read_bytes()
        except OSError:
            return changed
        return _put(folder / TIMESTAMP, time) or changed


def _put(place: Path, content: bytes) -> bool:
    try:
        if place.read_bytes() == content:
            return False
    except OSError:
        pass
    write_whole(place, content, mode=READ_ONLY)
    return True


def place_around(gradebook: Path | None) -> Place | None:
    """Return the course of nbgrader that a gradebook is in; None when it is in none."""
    folder = None if gradebook is None else gradebook.resolve().parent
    if folder is None or not ((folder / SETTINGS).is_file() or (folder / "source").is_dir()):
        return None
    return Place(folder)
