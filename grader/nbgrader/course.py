"""Makes a course of nbgrader from a course of the kit: source notebooks, what goes with them, and its settings.

The sources of nbgrader are the kit's own sources as notebooks, solutions included: nbgrader cuts them out when it makes
the release. Hidden suites stay in the kit's course, where the setting `KitExporter.course` leads; nothing of them is
copied.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from grader.course.content.percent_format import split_cells
from grader.course.handed_out.given import holds, read_tasks
from grader.course.handed_out.notebook import make_notebook
from grader.course.layout import Course
from grader.errors import UsageError
from grader.faults import read_text
from grader.release.build import released_files
from grader.suite.examples.model import NAME as EXAMPLES
from grader.system.whole_file import write_whole
from grader.text import listed, name_shown

SETTINGS = "nbgrader_config.py"
TEMPLATE = Path(__file__).parent / "templates" / f"{SETTINGS}.txt"


def make_course(course: Course, names: Sequence[str], place: Path, *, replace: bool = False) -> list[Path]:
    """Write a course of nbgrader, or bring one up to date; return the files that were written.

    Args:
        names: The assignments; all of them when there is none.
        place: The folder of nbgrader's course, made when it is not there.
        replace: Whether files that differ are replaced.

    Raises:
        UsageError: An assignment is unknown, or a file is there that differs; then nothing is written.
        CourseError: A source is broken.
        OutputError: A file cannot be written.
    """
    root = place.resolve()
    quoted = json.dumps(str(course.root), ensure_ascii=False)  # Python reads it alike
    texts = {root / SETTINGS: TEMPLATE.read_text(encoding="utf-8").format(course=quoted)}
    for assignment in [course.assignment(name) for name in names] or course.assignments.values():
        folder = root / "source" / assignment.id
        text, tasks = read_text(assignment.source), read_tasks(assignment.tasks, assignment.exercises)
        texts[folder / f"{assignment.name}.ipynb"] = make_notebook(split_cells(text, assignment.source), tasks)
        for path, released in released_files(assignment):
            if path.suffix == ".md" or path.name in (assignment.visible.name, EXAMPLES):
                texts[folder / path.name] = released
    changed = {path: text.encode() for path, text in texts.items() if not holds(path, text.encode())}
    in_the_way = [path.relative_to(root).as_posix() for path in changed if path.exists() or path.is_symlink()]
    if in_the_way and not replace:
        named = listed(list(map(name_shown, in_the_way)), 5)
        raise UsageError(
            f"{named} is there already and differs, so nothing was written.",
            hint="Move it away, or replace it with --replace.",
        )
    for path, data in changed.items():
        write_whole(path, data)
    return list(changed)
