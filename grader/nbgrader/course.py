"""Makes a course of nbgrader from a course of the kit: source notebooks, what goes with them, and its settings.

The sources of nbgrader are the kit's own sources as notebooks, solutions included: nbgrader cuts them out when it makes
the release. Hidden suites stay in the kit's course, where the setting `KitExporter.course` leads; nothing of them is
copied.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from grader.course.content.percent_format import split_cells
from grader.course.handed_out.given import read_tasks
from grader.course.handed_out.notebook import make_notebook
from grader.course.layout import Assignment, Course
from grader.errors import UsageError
from grader.faults import read_text
from grader.release.build import released_files
from grader.suite.examples.model import NAME as EXAMPLES
from grader.system.whole_file import write_whole
from grader.text import listed, name_shown

SETTINGS = "nbgrader_config.py"
TEMPLATE = Path(__file__).parent / "templates" / f"{SETTINGS}.txt"
NO_ID = re.compile(r"[^A-Za-z0-9_-]+")
BESIDE = ".md"


def make_course(
    course: Course, names: Sequence[str], place: Path, *, replace: bool = False
) -> tuple[list[Path], list[Path]]:
    """Write a course of nbgrader, or bring one up to date; return the files that were written, and the other ones.

    Args:
        names: The assignments; all of them when there is none.
        place: The folder of nbgrader's course, made when it is not there.
        replace: Whether files that differ are replaced.

    Raises:
        UsageError: An assignment is unknown, or a file is there that differs; then nothing is written.
        CourseError: A source is broken.
        OutputError: A file cannot be written.
    """
    assignments = [course.assignment(name) for name in names] or list(course.assignments.values())
    root = place.resolve()
    files = {root / SETTINGS: settings_text(course.root)}
    for name in dict.fromkeys(assignment.id for assignment in assignments):
        files.update(source_files(course.assignments[name], root / "source" / name))
    changed = [path for path, text in files.items() if not _holds(path, text)]
    in_the_way = [path for path in changed if path.exists() or path.is_symlink()]
    if in_the_way and not replace:
        named = listed([name_shown(path.relative_to(root).as_posix()) for path in in_the_way], 5)
        raise UsageError(
            f"{named} is there already and differs, so nothing was written.",
            hint="Move it away, or replace it with --replace.",
        )
    for path in changed:
        write_whole(path, files[path].encode("utf-8"))
    return changed, [path for path in files if path not in changed]


def source_files(assignment: Assignment, folder: Path) -> dict[Path, str]:
    """Return the files of an assignment's folder in `source/`: the source as a notebook, visible checks and handout."""
    text = read_text(assignment.source)
    tasks = read_tasks(assignment.tasks, assignment.exercises)
    files = {folder / f"{assignment.name}.ipynb": make_notebook(split_cells(text, assignment.source), tasks)}
    for path, content in released_files(assignment):
        if path.suffix == BESIDE or path.name in (assignment.visible.name, EXAMPLES):
            files[folder / path.name] = content
    return files


def settings_text(course: Path) -> str:
    """Return the text of `nbgrader_config.py`, given the absolute folder of the kit's course."""
    course_id = NO_ID.sub("-", course.name).strip("-") or "course"
    # Quoted as JSON does it, which Python reads alike and a formatter leaves as it is.
    quoted = {"course_id": json.dumps(course_id), "course": json.dumps(str(course), ensure_ascii=False)}
    return TEMPLATE.read_text(encoding="utf-8").format(**quoted)


def _holds(path: Path, text: str) -> bool:
    try:
        return not path.is_symlink() and path.read_bytes() == text.encode("utf-8")
    except OSError:
        return False
