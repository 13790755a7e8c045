"""The hash of everything that decides a grade: two gradings with the same one need to be done only once.

It covers the submission, the suite with its figures, solution and mistakes, the kit's own sources, the versions of the
libraries, the device, the limits and which secret the inputs are drawn from. What only decides how a result is worded
(the student's name, the language) is covered by a second hash, of the report.
"""

import contextlib
import functools
import hashlib
import hmac
import platform
import stat
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from grader import __version__
from grader.course.layout import Assignment, Course
from grader.inside.source.stand_ins import OFFERED
from grader.limits import Limits
from grader.source_cells import Source
from grader.system.folder_listing import is_hidden

FORMAT = "1"
LIBRARIES = (*OFFERED, "pytest", "pytest-json-report", "msgspec")
PURPOSE = b"the name of this secret"


class RunConditions(msgspec.Struct, frozen=True, kw_only=True):
    """What decides the grades of a whole run besides submissions and suites.

    Attributes:
        libraries: The versions of the kit's dependencies, and of Python.
        machine: The kind of processor.
        secret: A name of the secret that says nothing of it.
        packages: Further packages that student code may import.
    """

    kit: str
    libraries: dict[str, str]
    machine: str
    device: str
    limits: Limits
    secret: str
    packages: tuple[str, ...]


def run_conditions(course: Course, device: str, limits: Limits) -> RunConditions:
    """Return what decides the grades of a run on this machine."""
    return RunConditions(
        kit=kit_digest(),
        libraries={"python": platform.python_version(), **{name: _version(name) for name in LIBRARIES}},
        machine=platform.machine(),
        device=device,
        limits=limits,
        secret=hmac.digest(course.secret(), PURPOSE, "sha256").hex()[:16],
        packages=course.settings.extra_packages,
    )


def suite_digest(course: Course, assignment: Assignment) -> str:
    """Return the hash of all files of a course that decide the grades of one assignment.

    These are its folders of solution and hidden suite, its visible suite, the figures, what students were given, and
    the helpers beside the suites. Other assignments are left out, so that a change of one leaves the rest.
    """
    return _digest_of(_suite_files(course, assignment), course.root)


def stat_signature(course: Course, assignment: Assignment) -> dict[Path, tuple[int, int]]:
    """Return when each of these files was last changed, and its size: a change that is taken back shows there, too."""
    signatures = {}
    for path in _suite_files(course, assignment):
        with contextlib.suppress(OSError):
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                signatures[path] = status.st_mtime_ns, status.st_size
    return signatures


def _suite_files(course: Course, assignment: Assignment) -> list[Path]:
    tests = course.root / "tests"
    return [
        *_below(assignment.source.parent),
        *_below(assignment.hidden),
        *_below(assignment.golden),
        *_below(assignment.released),
        assignment.visible,
        *(path for folder in (tests, tests / "hidden", tests / "visible") for path in _helpers(folder)),
    ]


@functools.cache
def kit_digest() -> str:
    """Return the hash of the kit's version and sources."""
    root = Path(__file__).resolve().parent.parent
    files = [path for path in _below(root) if path.suffix in (".py", ".ini")]
    return hashlib.sha256(f"{__version__}\0{_digest_of(files, root)}".encode()).hexdigest()


def result_key(run: RunConditions, suite: str, source: Source) -> str:
    """Return the hash under which the result of a submission is kept; `suite` is the hash of the assignment's files."""
    plain = msgspec.json.encode(run, order="sorted").decode()
    return _joined(FORMAT, plain, suite, source.digest, source.kind, source.file_name)


def report_key(result: str, student: str, language: str, source: Source) -> str:
    """Return the hash of everything that decides a report's words and numbers, times aside."""
    facts = [dict(source.sha256), list(source.notes), source.problem, [source.uploaded, source.submitted, source.late]]
    read = msgspec.json.encode(facts, order="sorted").decode()
    return _joined(FORMAT, result, student, language, read)


def _joined(*parts: str) -> str:
    lengths = (f"{len(part)}:{part}" for part in parts)  # so that no two lists of parts read the same
    return hashlib.sha256("".join(lengths).encode("utf-8", "surrogateescape")).hexdigest()


def _digest_of(files: Iterable[Path], root: Path) -> str:
    seen = hashlib.sha256()
    for path in sorted(set(files)):
        if path.is_file():
            seen.update(
                f"{path.relative_to(root).as_posix()}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode()
            )
    return seen.hexdigest()


def _below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if not any(map(is_hidden, path.relative_to(folder).parts))]


def _helpers(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.py") if not path.name.startswith("test_")]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
