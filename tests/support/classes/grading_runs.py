"""Runs of the real command line for the kit's tests: a course, a class to grade, and all that was shown and written.

The command runs under a small supervisor that adopts every process the run leaves behind, so a daemon of a submission
is seen however often it forked. Everything that grading could show to anybody is kept as text to search in.
"""

import atexit
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from grader.course.layout import find_course
from grader.release.build import build

from ..courses import files_as, write_files

ROOT = Path(__file__).resolve().parents[3]
FROZEN = Path(__file__).parents[1] / "course"
"""An assignment of four functions, which no change of the real course changes."""
ASSIGNMENT = "01_simple_attention"
FILE = "simple_attention"
SECOND = "02_tiny"
"""The frozen course's other assignment, with a module: the tiny course's (`courses.py`)."""
TIERS = ("namespaces", "landlock", "no-open")
REFUSED = 3
KEPT = re.compile(r"course/\.grader/kept(/(results|manifests)(/[0-9a-f]{2}(/[0-9a-f]{64}\.json)?)?)?")
TIMES = frozenset({"started", "duration_s", "run"})

SUPERVISOR = """\
import ctypes, os, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
code = subprocess.call(sys.argv[1:])
end = time.monotonic() + 5
while True:
    try:
        if os.waitpid(-1, os.WNOHANG)[0] == 0 and time.monotonic() > end:
            print("LEFT OVER: a process outlived the run", file=sys.stderr)
            os.killpg(0, 9)
    except ChildProcessError:
        break
    time.sleep(0.02)
sys.exit(code)
"""


@dataclass
class Graded:
    """What one run of `grader grade` left.

    Attributes:
        code: Its exit code; a negative number for the signal that ended it.
        stdout: What it printed.
        stderr: Its errors.
        output: The folder of its reports.
    """

    code: int
    stdout: str
    stderr: str
    output: Path

    @cached_property
    def written(self) -> dict[str, str]:
        """Every file of the output folder by its relative path."""
        return {
            str(path.relative_to(self.output)): path.read_text(encoding="utf-8")
            for path in sorted(self.output.rglob("*"))
            if path.is_file()
        }

    def report(self, student: str, assignment: str = ASSIGNMENT) -> dict[str, Any]:
        return read(self.output / student / f"{assignment}.json")

    def copy(self, student: str, assignment: str = ASSIGNMENT) -> dict[str, Any]:
        return read(self.output / "for-students" / student / f"{assignment}.json")

    def points(self, student: str, assignment: str = ASSIGNMENT) -> dict[str, Decimal]:
        """Return the points of each exercise that earned any."""
        exercises = self.report(student, assignment)["exercises"]
        return {exercise["id"]: exercise["score"] for exercise in exercises if exercise["score"]}

    def checks(self, student: str, exercise: str = "", assignment: str = ASSIGNMENT) -> list[dict[str, Any]]:
        """Return the checks of an exercise, or of all, as the instructor's report has them."""
        exercises = self.report(student, assignment)["exercises"]
        return [check for entry in exercises if exercise in ("", entry["id"]) for check in entry["checks"]]

    @property
    def everything(self) -> str:
        """All text that the run showed or wrote, as one."""
        return "\n".join([self.stdout, self.stderr, *self.written.values()])


def read(path: Path) -> dict[str, Any]:
    """Return a report with exact numbers."""
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal, parse_int=Decimal)
    return report


def timeless(report: Any) -> Any:
    """Return a report without what differs from run to run: times and durations."""
    if isinstance(report, dict):
        return {key: timeless(value) for key, value in report.items() if key not in TIMES}
    return [timeless(value) for value in report] if isinstance(report, list) else report


def copy_frozen_course(folder: Path) -> Path:
    """Copy the sources of the frozen course into a folder that is made, and return that."""
    shutil.copytree(FROZEN, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return write_files(folder, files_as(SECOND))


def in_a_temporary_folder(copy: Callable[[Path], Path]) -> Path:
    """Copy a course into a folder that is gone at the end, since a run keeps results and a secret in its course."""
    folder = Path(tempfile.mkdtemp(prefix="grader-course-"))
    atexit.register(shutil.rmtree, folder)
    return copy(folder / "course")


def set_limits(course: Path, **limits: float) -> None:
    """Write a course.toml with these limits, of `grader/limits.py`."""
    lines = [f"{name} = {value!r}" for name, value in limits.items()]
    (course / "course.toml").write_text("\n".join(["[limits]", *lines, ""]), encoding="utf-8")


@cache
def frozen_course() -> Path:
    """Return a copy of the frozen course with what its students get."""
    root = in_a_temporary_folder(copy_frozen_course)
    build(find_course(root))
    return root


def grade(
    output: Path,
    *arguments: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    through: Sequence[str] = (),
    fresh: bool = True,
    verb: Sequence[str] = ("grade",),
    before: Sequence[str | Path] = (),
) -> Graded:
    """Run `python -m grader grade` and wait for it and for everything that it started.

    Args:
        output: Where the reports go.
        *arguments: Paths and options.
        cwd: The folder that the command is run in; by default a copy of the frozen course.
        env: Variables beside those of this process.
        through: A command line that runs another, such as the emulated container.
        fresh: Whether everything is graded, whatever other runs left in the course.
        verb: Another command that grades, such as `cluster grade`.
        before: Options that stand before the command.
    """
    afresh = ["--fresh"] if fresh else []
    grader = [*through, sys.executable, "-m", "grader", *map(str, before)]
    program = [*grader, *verb, *afresh, "--output", str(output), "--no-pages"]
    command = [sys.executable, "-c", SUPERVISOR, *program]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
    done = subprocess.run(
        [*command, *map(str, arguments)],
        cwd=cwd or frozen_course(),
        env=surroundings,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=600,
        start_new_session=True,
    )
    return Graded(done.returncode, done.stdout, done.stderr, output)


@dataclass
class Playground:
    """A copy of the frozen course in which words are planted that must show nowhere.

    Attributes:
        folder: Holds everything below.
        canaries: The planted words by what they stand for.
    """

    folder: Path
    canaries: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("suite", "solution", "variable", "secret", "home", "neighbour"):
            self.canaries[name] = f"canary-{name}-{os.urandom(12).hex()}"
        copy_frozen_course(self.course)
        for suite in (self.course / "tests" / "hidden" / ASSIGNMENT).glob("test_*.py"):
            plant(suite, self.canaries["suite"])
        plant(self.course / "solutions" / ASSIGNMENT / f"{FILE}.py", self.canaries["solution"])
        (self.home / ".ssh").mkdir(parents=True)
        (self.home / "secret.txt").write_text(self.canaries["home"])
        (self.home / ".ssh" / "id_rsa").write_text(self.canaries["home"])
        self.temporary.mkdir()
        self.classroom.mkdir()

    @property
    def course(self) -> Path:
        return self.folder / "course"

    @property
    def classroom(self) -> Path:
        return self.folder / "class"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"

    def hand_in(self, student: str, source: Path) -> None:
        """Lay down a submission: one file, or a folder whose `.txt` endings are taken off."""
        folder = self.classroom / student / ASSIGNMENT
        if source.is_dir():
            for path in sorted(source.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    place = folder / str(path.relative_to(source)).removesuffix(".txt")
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(path, place)
            return
        folder.mkdir(parents=True)
        shutil.copyfile(source, folder / f"{FILE}{source.suffix}")

    def grade(self, name: str, *arguments: str | Path, through: Sequence[str] = ()) -> Graded:
        """Grade the class into a folder of that name."""
        env = {
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "GRADER_SECRET": self.canaries["secret"],
            "CANARY": self.canaries["variable"],
        }
        return grade(self.folder / name, self.classroom, *arguments, cwd=self.course, env=env, through=through)

    def fingerprint(self) -> dict[str, str]:
        """Return what lies in course, class, home and temporary folder, with a hash of each file.

        What the kit itself keeps of a grading is left out; by its names nothing else can hide there.
        """
        hashes = {}
        for top in (self.course, self.classroom, self.home, self.temporary):
            for path in sorted(top.rglob("*")):
                regular = path.is_file() and not path.is_symlink()
                text = hashlib.sha256(path.read_bytes()).hexdigest() if regular else ""
                name = str(path.relative_to(self.folder))
                if "__pycache__" not in path.parts and not KEPT.fullmatch(name):
                    hashes[name] = text
        return hashes


def plant(path: Path, word: str) -> None:
    """Add a word to a Python file as a comment and as a value, before it imports the kit."""
    text = path.read_text(encoding="utf-8")
    at = text.index("\nfrom grader") + 1
    path.write_text(f"{text[:at]}# {word}\nPLANTED = '{word}'\n{text[at:]}", encoding="utf-8")


def open_files_anywhere(mark: str) -> Iterator[Path]:
    """Yield every file whose name holds `mark` in the places that all processes share."""
    for folder in ("/", "/tmp", "/var/tmp", "/dev/shm", "/run", str(Path.home())):
        yield from Path(folder).glob(f"*{mark}*")
