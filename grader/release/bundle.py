"""Puts a release together: what students get of a course, as one zip file.

Nothing is collected from folders. The assignments are what the sources make of them, so a report, a note or a secret
that is among the files cannot get in.
"""

from pathlib import Path

from grader import __version__
from grader.course.content.settings import SETTINGS_FILE
from grader.course.layout import Course
from grader.faults import read_text

from .archive import pack
from .build import build
from .wheel import TORCH, build_wheel, kit_file

NAME = f"attention-exercises-{__version__}"
TEMPLATES = Path(__file__).parent / "templates"
PAGES = ("README.md", "README.ko.md")  # what students read first: templates with the same gaps and commands
GUIDES = ("student-guide.md", "student-guide.ko.md")


def make_release(course: Course) -> tuple[str, bytes]:
    """Return the name and the bytes of the zip file that students get.

    Raises:
        CourseError: `assignments/` is out of step with its sources, or a source is broken.
        UsageError: The kit is not run from a checkout, or its wheel cannot be built.
    """
    built = build(course, check=True)
    built.refuse_out_of_step()
    wheel, package = build_wheel()
    first = next(iter(course.assignments.values()))
    extra = course.settings.extra_packages
    gaps = {
        "wheel": " ".join([wheel, *extra]),
        "torch": TORCH,
        "folder": f"assignments/{first.id}",
        "name": first.name,
        "exercise": first.exercises[0].id,
    }
    files = {wheel: package, "LICENSE": kit_file("LICENSE").read_bytes()}
    if extra:  # for `grader check`, which names the packages that grading lacks
        files[SETTINGS_FILE] = f"extra_packages = {list(extra)}\n".encode()
    for name in PAGES:
        files[name] = (TEMPLATES / name).read_text(encoding="utf-8").format(**gaps).encode()
    for name in GUIDES:
        files[name] = read_text(kit_file(f"docs/{name}")).encode()
    for path, text in built.files.items():
        files[path.relative_to(course.root).as_posix()] = text.encode()
    return f"{NAME}.zip", pack((f"{NAME}/{name}", data) for name, data in files.items())
