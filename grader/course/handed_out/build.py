"""Writes what students get, `assignments/`, from the sources; the only place that writes there.

A file is replaced as a whole and only when it changes, so that a second build changes nothing and an interrupted one
leaves no half-written file. Nothing is ever deleted: what no source makes is named, and a person decides.
"""

from dataclasses import dataclass
from pathlib import Path

from grader.course.layout import Assignment, Course
from grader.errors import CourseError
from grader.faults import course_path, read_text
from grader.system.whole_file import write_whole
from grader.text import listed

from . import hint_levels, hints
from .given import given_files, holds, read_tasks, tasks_text
from .readme import make_readme

NOT_OURS = ("__pycache__", "reports")


@dataclass(frozen=True)
class Built:
    """What a build did or, with `check`, would do.

    Attributes:
        changed: Files that were written, or are out of step.
        strays: Files under `assignments/` that no source makes.
    """

    changed: list[Path]
    unchanged: list[Path]
    strays: list[Path]

    @property
    def in_step(self) -> bool:
        """Whether there was nothing to do."""
        return not self.changed and not self.strays

    def refuse_out_of_step(self) -> None:
        """Refuse files that are not what their sources make."""
        if self.changed:
            which = listed([course_path(path) for path in self.changed], 1)
            hint = "Run `grader build` and commit what it writes."
            raise CourseError(f"assignments/ is out of step with its sources: {which}.", hint)
        if self.strays:
            which = listed([course_path(path) for path in self.strays], 1)
            hint = "Remove it, or begin its name with a dot."
            raise CourseError(f"assignments/ holds what no source makes: {which}.", hint)


def build(course: Course, check: bool = False) -> Built:
    """Make the files of every assignment.

    Args:
        check: Write nothing; only say what is out of step.
    """
    files = {path: text for assignment in course.assignments.values() for path, text in released_files(assignment)}
    changed, unchanged = [], []
    for path, text in files.items():
        data = text.encode("utf-8")
        if holds(path, data):
            unchanged.append(path)
            continue
        changed.append(path)
        if not check:
            write_whole(path, data)
    return Built(changed, unchanged, _strays(course.root / "assignments", set(files)))


def released_files(assignment: Assignment) -> list[tuple[Path, str]]:
    """Return the files that students get for an assignment, with their text."""
    folder = assignment.released
    handouts = assignment.source.parent
    title, exercises = assignment.title, assignment.exercises
    tasks = tasks_text(read_tasks(assignment.tasks, exercises), exercises)
    ids = [each.id for each in exercises]
    levels = hint_levels.levels_text(assignment.hint_levels, ids) if assignment.hint_levels.exists() else None
    return [
        *given_files(assignment),
        (folder / "README.md", make_readme(handouts / "handout.md", title, exercises, "en")),
        (folder / "README.ko.md", make_readme(handouts / "handout.ko.md", title, exercises, "ko", tasks)),
        *([(folder / hints.NAME, read_text(assignment.hints))] if assignment.hints.exists() else []),
        *([(folder / hint_levels.NAME, levels)] if levels is not None else []),
    ]


def give_hints(assignment: Assignment) -> None:
    """Copy an assignment's hints into the folder that students get, if it was built; no other file changes."""
    if assignment.released.is_dir():
        write_whole(assignment.released / hints.NAME, read_text(assignment.hints).encode())


def _strays(folder: Path, made: set[Path]) -> list[Path]:
    strays = []
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        ours = not any(part.startswith(".") or part in NOT_OURS for part in parts)
        if ours and path not in made and not path.is_dir():
            strays.append(path)
    return strays
