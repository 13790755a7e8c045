"""What students work on: the stub as a file and as a notebook, and the visible checks, made from the sources.

A docstring is English, as code is. Its Korean text, a section of `solutions/NN_name/tasks.ko.md` for each exercise,
goes into the Korean handout and, folded, into the notebook.

Kept apart from the build, so that a grading run can tell for a few milliseconds whether students were given the same.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.course.content.exercises import Exercise
from grader.course.content.percent_format import split_cells
from grader.course.layout import Assignment
from grader.errors import CourseError
from grader.faults import course_path, did_you_mean, read_text

from .notebook import make_notebook
from .stub import make_stub

HEADING = re.compile(r"^## `(\w+)`$", re.MULTILINE)


def read_tasks(path: Path, exercises: Sequence[Exercise]) -> dict[str, str]:
    """Return the Korean text of each exercise's task; none where an assignment has no such file."""
    if not path.exists():
        return {}
    text = read_text(path)
    _, *parts = HEADING.split(text)
    tasks = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
    ids = [exercise.id for exercise in exercises]
    for name in tasks.keys() - set(ids):
        problem = f"{course_path(path)} has a section `{name}`, but the assignment has no such exercise."
        raise CourseError(problem, did_you_mean(name, ids))
    for name in ids:
        if not tasks.get(name):
            hint = f"Write the line ## `{name}` and the text below."
            raise CourseError(f"{course_path(path)} has no section for the exercise `{name}`.", hint)
    return tasks


def tasks_text(tasks: dict[str, str], exercises: Sequence[Exercise]) -> str:
    """Return the tasks as a part of the Korean handout, each below its name and its title."""
    parts = [f"### `{entry.id}`: {entry.title_ko}\n\n{tasks[entry.id]}\n" for entry in exercises if entry.id in tasks]
    return "\n".join(parts)


def given_files(assignment: Assignment) -> list[tuple[Path, str]]:
    """Return the files that students work on and check their work with, with their text."""
    folder = assignment.released
    text = read_text(assignment.source)
    tasks = read_tasks(assignment.tasks, assignment.exercises)
    stub = make_stub(text, assignment.exercises, assignment.source)
    return [
        (folder / f"{assignment.name}.py", stub),
        (folder / f"{assignment.name}.ipynb", make_notebook(split_cells(stub, assignment.source), tasks)),
        (folder / assignment.visible.name, read_text(assignment.visible)),
    ]


def holds(path: Path, data: bytes) -> bool:
    """Return whether a file is there, is not a link and holds these bytes."""
    try:
        return not path.is_symlink() and path.read_bytes() == data
    except OSError:
        return False


def out_of_step(assignments: Iterable[Assignment]) -> list[str]:
    """Return a warning where students may have been given other files than the sources make now; nothing otherwise.

    A file that is not there says nothing: students got theirs from elsewhere. A source that breaks a rule of the build
    is out of step too, and the build says why.
    """
    old = [assignment.id for assignment in assignments if not _in_step(assignment)]
    if not old:
        return []
    which = f"{', '.join(old)} in assignments/ {'is' if len(old) == 1 else 'are'}"
    return [f"{which} out of step with solutions/, so students may have got other stubs; `grader build` mends it."]


def _in_step(assignment: Assignment) -> bool:
    try:
        return all(holds(path, text.encode()) for path, text in given_files(assignment) if path.exists())
    except CourseError:
        return not assignment.released.exists()
