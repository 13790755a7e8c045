"""The tasks of an assignment's exercises in Korean: `solutions/NN_name/tasks.ko.md`, a section for each exercise.

A docstring is English, as code is. Its Korean text goes into the Korean handout and, folded, into the notebook.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from grader.course.content.exercises import Exercise
from grader.faults import did_you_mean, fault, read_text

HEADING = re.compile(r"^## `(\w+)`$", re.MULTILINE)


def read_tasks(path: Path, exercises: Sequence[Exercise]) -> dict[str, str]:
    """Return the Korean text of each exercise's task; none where an assignment has no such file.

    Args:
        path: The file; each section begins with a line such as "## `softmax_naive`".
        exercises: Those of the assignment.

    Raises:
        CourseError: An exercise has no section, or there is one of another name.
    """
    if not path.exists():
        return {}
    text = read_text(path, "the Korean tasks of an assignment were looked for.")
    _, *parts = HEADING.split(text)
    tasks = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
    ids = [each.id for each in exercises]
    rule = "there must be a section for each exercise, and no other."
    for name in tasks.keys() - set(ids):
        raise fault(path, None, rule, f"`{name}` is not an exercise of this assignment.", did_you_mean(name, ids))
    for name in ids:
        if not tasks.get(name):
            raise fault(
                path, None, rule, f"There is none for `{name}`.", f"Write the line ## `{name}` and the text below."
            )
    return tasks


def tasks_text(tasks: dict[str, str], exercises: Sequence[Exercise]) -> str:
    """Return the tasks as a part of the Korean handout, each below its name and its title."""
    parts = [f"### `{each.id}`: {each.title_ko}\n\n{tasks[each.id]}\n" for each in exercises if each.id in tasks]
    return "\n".join(parts)
