"""Puts the bundle of an assignment for a platform together: where which file goes, and what is made of templates.

A template is a file in `templates/` whose gaps are written `@NAME@`, which neither the shell nor make nor YAML gives a
meaning to.
"""

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.course.layout import Assignment, Course
from grader.errors import UsageError
from grader.release.archive import pack

from .archive import mode_of, tar_of
from .content import Content, gather

TEMPLATES = Path(__file__).parent / "templates"
GAP = re.compile(r"@([A-Z_]+)@")
QUESTIONS = uuid.UUID("6c1d8f0e-5a73-4c52-9a38-6c9b4bd4a7b1")


@dataclass(frozen=True)
class Layout:
    """Where a platform looks for the files of its bundle; names may have gaps.

    Attributes:
        made: The files that are made of the platform's templates, each called as its template.
        course: The folder of the course.
        kit: The folder of the kit and its lock, as the script that installs it.
        packed: The folder that goes in as a tar file beside it.
    """

    made: tuple[str, ...]
    course: str = ""
    kit: str = ""
    packed: str | None = None


QUESTION = "questions/@ASSIGNMENT@"
LAYOUTS = {
    "gradescope": Layout(("README.md", "setup.sh", "run_autograder")),
    "prairielearn": Layout(
        (
            *("README.md", "image/Dockerfile", f"{QUESTION}/info.json", f"{QUESTION}/question.html"),
            f"{QUESTION}/tests/grade.sh",
        ),
        course=f"{QUESTION}/tests/",  # which students never get
        kit="image/",  # which holds no answer, and may be in a registry that others can read
    ),
    "autolab": Layout(
        ("README.md", "autograde-Makefile", "autograde/grade.sh", "image/Dockerfile"),
        course="autograde/",
        kit="image/",
        packed="autograde",
    ),
    "github": Layout(("README.md", ".github/workflows/grade-@ASSIGNMENT@.yml", "grade.sh")),
    "gitlab": Layout(("README.md", ".gitlab-ci.yml", "askpass.sh", "grade.sh")),
}


@dataclass(frozen=True)
class Bundle:
    """A bundle: how it is to be called, which assignment it grades, the files in it, and the zip file."""

    file_name: str
    assignment: str
    names: list[str]
    data: bytes


def make_bundle(course: Course, platform: str, named: str | None, torch_index: str = "") -> Bundle:
    """Return the bundle of an assignment; the same sources and secret give the same bytes.

    Args:
        named: The assignment; None for the only one.
        torch_index: Where torch comes from unless the variable TORCH_INDEX says it; empty for pip's own index.

    Raises:
        CourseError: A file of the course is broken or missing.
        UsageError: No assignment is named and there are several, or the kit is not run from a checkout.
    """
    if named is None and len(course.assignments) > 1:
        names = ", ".join(course.assignments)
        raise UsageError("A bundle grades one assignment.", f"This course has {names}.", "Add --assignment ID.")
    assignment = course.assignment(named if named is not None else next(iter(course.assignments)))
    files = _arranged(platform, assignment, gather(course, assignment, platform), torch_index)
    return Bundle(f"{platform}-{assignment.id}.zip", assignment.id, sorted(files), pack(sorted(files.items()), mode_of))


def fill(template: str, gaps: Mapping[str, str]) -> str:
    """Return a template with its gaps filled.

    Raises:
        KeyError: The template has a gap that nothing was given for.
    """
    return GAP.sub(lambda gap: gaps[gap[1]], template)


def _arranged(platform: str, assignment: Assignment, content: Content, torch_index: str) -> dict[str, bytes]:
    """Return the files of a platform's bundle by name."""
    layout, gaps = LAYOUTS[platform], _gaps(assignment, content, torch_index)

    def made(template: str) -> bytes:
        return fill((TEMPLATES / template).read_text(encoding="utf-8"), gaps).encode()

    files = {fill(name, gaps): made(f"{platform}/{Path(name).name.removeprefix('.')}") for name in layout.made}
    files |= {f"{fill(layout.course, gaps)}course/{name}": data for name, data in content.course.items()}
    kit = {**content.kit, "install.sh": made("kit/install.sh")}
    files |= {f"{layout.kit}kit/{name}": data for name, data in kit.items()}
    if layout.packed is not None:
        inside = {name: files.pop(name) for name in list(files) if name.startswith(f"{layout.packed}/")}
        files[f"{layout.packed}.tar"] = tar_of(inside)
    return files


def _gaps(assignment: Assignment, content: Content, torch_index: str) -> dict[str, str]:
    """Return what the gaps of all templates are filled with."""
    return {
        "ASSIGNMENT": assignment.id,
        "NAME": assignment.name,
        "TITLE": assignment.title,
        "TITLE_AS_JSON": json.dumps(assignment.title, ensure_ascii=False),
        "POINTS": f"{assignment.points.normalize():f}",
        "PROBLEMS": "\n".join(f"   | {each.id} | {each.points.normalize():f} |" for each in assignment.exercises),
        "UUID": str(uuid.uuid5(QUESTIONS, assignment.id)),
        "TORCH": content.torch,
        "TORCH_INDEX": torch_index,
        "EXTRAS": content.extras,
    }
