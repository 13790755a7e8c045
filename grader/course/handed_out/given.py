"""What students work on: the stub as a file and as a notebook, and the visible checks, made from the sources.

Kept apart from the build, so that a grading run can tell for a few milliseconds whether students were given the same.
"""

from collections.abc import Iterable
from pathlib import Path

from grader.course.content.percent_format import split_cells
from grader.course.layout import Assignment
from grader.errors import CourseError
from grader.faults import read_text

from .notebook import make_notebook
from .stub import make_stub
from .tasks import read_tasks


def given_files(assignment: Assignment) -> list[tuple[Path, str]]:
    """Return the files that students work on and check their work with, with their text.

    Raises:
        CourseError: The source or the visible suite is broken.
    """
    folder = assignment.released
    text = read_text(assignment.source, "the source of the assignment was looked for.")
    tasks = read_tasks(assignment.tasks, assignment.exercises)
    stub = make_stub(text, assignment.exercises, assignment.source)
    return [
        (folder / f"{assignment.name}.py", stub),
        (folder / f"{assignment.name}.ipynb", make_notebook(split_cells(stub, assignment.source), tasks)),
        (folder / assignment.visible.name, read_text(assignment.visible, "the visible tests were looked for.")),
    ]


def holds(path: Path, data: bytes) -> bool:
    """Return whether a file is there, is not a link and holds these bytes."""
    try:
        return not path.is_symlink() and path.read_bytes() == data
    except OSError:
        return False


def out_of_step(assignments: Iterable[Assignment]) -> list[str]:
    """Return a warning where students may have been given other files than the sources make now; nothing otherwise.

    A file that is not there says nothing: students got theirs from elsewhere, and a bundle holds the stubs alone. A
    source that breaks a rule of the build is out of step too, and the build says why.
    """
    old = [each.id for each in assignments if not _in_step(each)]
    if not old:
        return []
    which = f"{', '.join(old)} in assignments/ {'is' if len(old) == 1 else 'are'}"
    return [f"{which} out of step with solutions/, so students may have got other stubs; `grader build` mends it."]


def _in_step(assignment: Assignment) -> bool:
    try:
        return all(holds(path, text.encode()) for path, text in given_files(assignment) if path.exists())
    except CourseError:
        return not assignment.released.exists()
