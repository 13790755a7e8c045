"""Writes what students get, `assignments/`, from the sources; the only place that writes there.

A file is replaced as a whole and only when it changes, so that a second build changes nothing and an interrupted one
leaves no half-written file. Nothing is ever deleted.
"""

from dataclasses import dataclass
from pathlib import Path

from grader.course.handed_out import hint_levels
from grader.course.handed_out.given import given_files, holds, read_tasks, tasks_text
from grader.course.handed_out.readme import make_readme
from grader.course.layout import Assignment, Course
from grader.errors import CourseError
from grader.faults import course_path
from grader.suite.examples import model
from grader.system.whole_file import write_whole
from grader.text import listed

from .examples import text_of_examples


@dataclass(frozen=True)
class Built:
    """What a build did or, with `check`, would do.

    Attributes:
        files: The text of every file.
        changed: Files that were written, or are out of step.
    """

    files: dict[Path, str]
    changed: list[Path]

    def refuse_out_of_step(self) -> None:
        """Refuse files that are not what their sources make."""
        if self.changed:
            which = listed([course_path(path) for path in self.changed], 1)
            hint = "Run `grader build` and commit what it writes."
            raise CourseError(f"assignments/ is out of step with its sources: {which}.", hint)


def build(course: Course, check: bool = False) -> Built:
    """Make the files of every assignment.

    Args:
        check: Write nothing; only say what is out of step.
    """
    files = {path: text for assignment in course.assignments.values() for path, text in released_files(assignment)}
    changed = [path for path, text in files.items() if not holds(path, text.encode("utf-8"))]
    for path in changed if not check else ():
        write_whole(path, files[path].encode("utf-8"))
    return Built(files, changed)


def released_files(assignment: Assignment) -> list[tuple[Path, str]]:
    """Return the files that students get for an assignment, with their text."""
    folder = assignment.released
    handouts = assignment.source.parent
    title, exercises = assignment.title, assignment.exercises
    tasks = tasks_text(read_tasks(assignment.tasks, exercises), exercises)
    korean = handouts / "handout.ko.md"
    levels = (
        hint_levels.levels_text(assignment.hint_levels, assignment.names) if assignment.hint_levels.exists() else None
    )
    return [
        *given_files(assignment),
        (folder / "README.md", make_readme(handouts / "handout.md", title, exercises, "en")),
        *([(folder / "README.ko.md", make_readme(korean, title, exercises, "ko", tasks))] if korean.exists() else []),
        (folder / model.NAME, text_of_examples(assignment)),
        *([(folder / hint_levels.NAME, levels)] if levels is not None else []),
    ]
