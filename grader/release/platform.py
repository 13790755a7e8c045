"""Puts together what Gradescope or PrairieLearn needs to grade one assignment: the course, the kit, and two scripts.

The scripts call `grader grade` and `grader export`, so a platform grades as the command line does. Files are named one
by one, so no other assignment, report or submission gets in. The secret is made from the course's: whoever reads the
file learns nothing of other assignments' inputs.
"""

import codecs
import hmac
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from grader.course.content.settings import SETTINGS_FILE
from grader.course.layout import Assignment, Course

from .archive import pack
from .wheel import TORCH, build_wheel

TEMPLATES = Path(__file__).parent / "templates" / "platform"
LAYOUTS = {  # root and submission there, folder of the zip file there, where run.sh and the kit go in the file
    "gradescope": ("/autograder", "submission", "source", "run_autograder", ""),
    "prairielearn": ("/grade", "student", "tests", "tests/grade.sh", "image/"),
}
OTHERS = re.compile(rb"^[ \t]*[\"']?other_assignments[\"']?\s*=\s*\[(?:[^\]#]|#[^\n]*+)*+\]", re.MULTILINE)


def make_for_platform(course: Course, platform: str, named: str) -> tuple[str, bytes]:
    """Return the name and the bytes of the zip file with which a platform grades an assignment.

    Raises:
        UsageError: There is no such assignment, or the kit is not run from a checkout.
    """
    assignment = course.assignment(named)
    root, submitted, folder, run, kit = LAYOUTS[platform]
    wheel, package = build_wheel()
    gaps = {
        "ROOT": root, "SUBMITTED": submitted, "FOLDER": folder, "PLATFORM": platform, "ASSIGNMENT": assignment.id,
        "WHEEL": wheel, "TORCH": TORCH, "EXTRA": shlex.join(course.settings.extra_packages),
    }  # fmt: skip
    inside = "" if platform == "gradescope" else f"{folder}/"
    files = {f"{inside}course/{name}": data for name, data in _course_files(course, assignment)}
    settings = f"{inside}course/{SETTINGS_FILE}"
    others = sorted({*course.assignments, *course.settings.other_assignments} - {assignment.id})
    rest = OTHERS.sub(b"", files.get(settings, b"").removeprefix(codecs.BOM_UTF8))
    files[settings] = f"other_assignments = {others}\n".encode() + rest
    secret = hmac.digest(course.secret(), f"{platform}\0{assignment.id}".encode(), "sha256").hex()
    files |= {
        f"{inside}secret": secret.encode(),
        run: _filled("run.sh", gaps),
        f"{kit}setup.sh": _filled("setup.sh", gaps),
        f"{kit}{wheel}": package,
    }
    if platform == "prairielearn":
        files["image/Dockerfile"] = _filled("Dockerfile", gaps)
    return f"{platform}-{assignment.id}.zip", pack(files.items(), {run, f"{kit}setup.sh"})


def _filled(template: str, gaps: dict[str, str]) -> bytes:
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    for name, value in gaps.items():
        text = text.replace(f"@{name}@", value)
    return text.encode()


def _course_files(course: Course, assignment: Assignment) -> Iterator[tuple[str, bytes]]:
    """Yield the files that grading the assignment needs, by their paths in the course."""
    tests = course.root / "tests"
    wanted = [assignment.source, assignment.visible, assignment.tasks, course.root / SETTINGS_FILE]
    wanted += [assignment.released / f"{assignment.name}{suffix}" for suffix in (".py", ".ipynb")]
    wanted += [*assignment.mistakes.rglob("*.py"), *assignment.hidden.rglob("*"), *assignment.golden.glob("*.json")]
    beside = [path for folder in (tests, tests / "hidden", tests / "visible") for path in folder.glob("*.py")]
    wanted += [path for path in beside if not path.name.startswith("test_")]
    for path in wanted:
        inside = path.relative_to(course.root)
        if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in inside.parts):
            yield inside.as_posix(), path.read_bytes()
