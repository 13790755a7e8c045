"""Bundles as a platform unpacks them, for the tests: their folders, their scripts, a container's rules around them.

The environment that `kit/install.sh` would make is put together from the bundle's own wheel and the packages that are
installed here; the scripts take it through the variable that they have for that.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from .frozen_students import ANSWERS, POINTS, file_of
from .grading_runs import ASSIGNMENT, FILE, ROOT

PROFILE = Path(__file__).with_name("container_profile.py")
CONTAINED = (sys.executable, str(PROFILE))
STUDENT = "emma_two_mistakes"
NOBODY = 65534
COMMIT = "0123456789abcdef0123456789abcdef01234567"
CLASSROOM = {
    "CLASSROOM": "dl-2026",
    "ASSIGNMENT": "simple-attention",
    "OWNER": "emma",
    "SUBMISSION_TAG": "submit/2026-11-20T10-00-00Z-0123456",
    "REPOSITORY": "org/dl-2026-simple-attention-emma",
    "GITHUB_SERVER_URL": "https://forge.test",
    "SUBMISSION_COMMIT": COMMIT,
    "SUBMISSION_TIME": "2026-11-20T19:00:00+09:00",
}


def unpack(bundle: Path, place: Path) -> None:
    """Unpack a zip file with its permissions, as platforms do."""
    with zipfile.ZipFile(bundle) as archive:
        for entry in archive.infolist():
            target = Path(archive.extract(entry, place))
            target.chmod(entry.external_attr >> 16 & 0o777)


def environment(wheel: Path, place: Path) -> Path:
    """Make an environment with the wheel in it and what is installed here beside it; return its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--symlinks", str(place)], check=True)
    packages = next(place.glob("lib/python*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    (packages / "beside.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return place / "bin" / "python"


@dataclass
class Run:
    """What a bundle's script left: its exit code, what it printed, and the result's bytes, None where there is none."""

    code: int
    stdout: str
    stderr: str
    result: bytes | None

    @property
    def document(self) -> Any:
        """The result as JSON with exact numbers."""
        assert self.result is not None, self.stdout + self.stderr
        return json.loads(self.result, parse_float=Decimal)


class Layout(NamedTuple):
    """Where a platform has what, from its root: bundle, submission and result; what it runs, and its own root."""

    folders: Sequence[str]
    bundle: str
    handed_in: str
    result: str | None
    command: str
    home: str = ""


CLONE = "{root}/submission {root}"
LAYOUTS = {
    "gradescope": Layout(
        ("source", "submission", "results"), "source", "submission", "results/results.json", "{root}/run_autograder",
        "/autograder",
    ),
    "prairielearn": Layout(
        ("student", "data"), "course", "student", "results/results.json", "{root}/tests/grade.sh", "/grade"
    ),
    "autolab": Layout((), "lab", ".", None, "/usr/bin/make", "/home/autograde/autolab"),
    "github": Layout(
        ("submission", "grading"), "grading", "submission", "result.json",
        f"/bin/sh {{root}}/grading/grade.sh {CLONE}/result.json",
    ),
    "gitlab": Layout(("submission",), ".", "submission", "junit.xml", f"/bin/sh {{root}}/grade.sh {CLONE}/junit.xml"),
}  # fmt: skip


@dataclass
class Container:
    """A folder laid out as a platform's container, with its bundle in it, and the Python that grades."""

    platform: str
    root: Path
    python: Path

    @property
    def layout(self) -> Layout:
        """Where the platform has what."""
        return LAYOUTS[self.platform]

    def lay_out(self, bundle: Path) -> "Container":
        """Unpack a bundle where the platform would have it."""
        for name in ("", *self.layout.folders):
            (self.root / name).mkdir(parents=True)
        place = self.root / self.layout.bundle
        unpack(bundle, place)
        if self.platform == "gradescope":
            shutil.copy(place / "run_autograder", self.root / "run_autograder")
        if self.platform == "prairielearn":
            shutil.copytree(place / "questions" / ASSIGNMENT / "tests", self.root / "tests")
            shutil.rmtree(place)
        if self.platform == "autolab":
            shutil.copy(place / "autograde-Makefile", self.root / "Makefile")
            shutil.copy(place / "autograde.tar", self.root / "autograde.tar")
            shutil.rmtree(place)
        return self

    @property
    def handed_in(self) -> Path:
        """Where the platform lays a submission."""
        return self.root / self.layout.handed_in

    @property
    def result_place(self) -> Path | None:
        """Where the result is to be."""
        return None if self.layout.result is None else self.root / self.layout.result

    def environ(self) -> dict[str, str]:
        """Return the variables of the platform, and those that move its root."""
        moved = {"AUTOGRADER_ROOT": str(self.root), "GRADE_ROOT": str(self.root), "GRADER_PYTHON": str(self.python)}
        own = CLASSROOM if self.platform == "github" else {}
        return {"PATH": os.environ["PATH"], "HOME": str(self.root), "LC_ALL": "C.UTF-8", **moved, **own}

    def hand_in(self, file: Path | None = None) -> None:
        """Lay down a file as the submission; by default the answers of `STUDENT`."""
        raw = file_of(ANSWERS[STUDENT]).encode() if file is None else file.read_bytes()
        (self.handed_in / f"{FILE}.py").write_bytes(raw)

    def empty(self) -> None:
        """Take a submission away again, and its result."""
        for name in (f"{FILE}.py", f"{FILE}.ipynb", "homework.docx", "handin"):
            path = self.handed_in / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        if self.result_place is not None:
            self.result_place.unlink(missing_ok=True)

    def boxed(self) -> list[str] | None:
        """Return what runs a command with this folder at the platform's own place; None where that cannot be."""
        home = self.layout.home
        if not home or shutil.which("bwrap") is None:
            return None
        parts = [Path("/usr"), Path("/etc"), ROOT / "tests", Path(sys.prefix), Path(sys.base_prefix)]
        seen = [str(path.resolve()) for path in (*parts, self.python.parents[1])]
        above = dict.fromkeys(str(folder) for path in seen for folder in reversed(Path(path).parents[:-1]))
        box = ["bwrap", "--perms", "1777", "--tmpfs", "/tmp"]  # first, since the course itself may lie in it
        box += [*(word for folder in above for word in ("--dir", folder))]  # or they would be root's alone
        box += [*(word for path in seen[:-1] for word in ("--ro-bind", path, path)), "--proc", "/proc"]
        for name in ("bin", "lib", "lib64", "sbin"):
            box += ["--symlink", f"usr/{name}", f"/{name}"]
        box += ["--dev", "/dev"]
        box += ["--dir", str(Path(seen[-1]).parent), "--ro-bind", seen[-1], seen[-1], "--dir", "/home/autograde"]
        box += ["--bind", str(self.root), home, "--chdir", home, "--cap-add", "ALL"]
        works = subprocess.run([*box, "/bin/true"], capture_output=True, check=False).returncode == 0
        return box if works else None

    def run_at_its_place(self) -> Run:
        """Run what the platform runs at the platform's own place, in a container's rules; elsewhere if it cannot be.

        Autolab's is run by an ordinary user, within 100 processes and files of 100 MB, where this is root.
        """
        box = self.boxed()
        if box is None:
            return self.run()
        profile = [str(self.python), str(PROFILE)]
        if self.platform == "autolab" and os.geteuid() == 0:
            for path in (self.root, *self.root.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
            user = ["/usr/bin/setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]
            profile = ["/usr/bin/prlimit", "--nproc=100", "--fsize=100000000", *user, *profile]
        unset = ["--unsetenv", "AUTOGRADER_ROOT", "--unsetenv", "GRADE_ROOT"]
        return self.run(through=[*box, *unset, *profile], root=self.layout.home)

    def run(self, *, through: Sequence[str] = CONTAINED, more: Mapping[str, str] | None = None, root: str = "") -> Run:
        """Run what the platform runs, through what makes the rules of a container."""
        command = self.layout.command.format(root=root or self.root).split()
        done = subprocess.run(
            [*through, *command],
            cwd=self.root,
            env={**self.environ(), **(more or {})},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=300,
        )
        place = self.result_place
        result = place.read_bytes() if place is not None and place.exists() else None
        return Run(done.returncode, done.stdout, done.stderr, result)


def first_tier(python: Path) -> str:
    """Return a Python, beside another, whose kit knows the first tier of isolation only, which containers refuse."""
    program = python.with_name("python-of-one-tier")
    only = "import runpy; from grader.jail import tiers; tiers.TIERS = tiers.TIERS[:1]"
    run = 'runpy.run_module("grader.bundles", run_name="__main__", alter_sys=True)'
    program.write_text(f"#!/bin/sh\nshift 3\nexec '{python}' -I -c '{only}; {run}' \"$@\"\n")
    program.chmod(0o755)
    return str(program)


def exercise_scores(platform: str, run: Run) -> dict[str, Decimal]:
    """Return the points of each exercise as a platform reads them."""
    if platform == "gradescope":
        return {test["tags"][0]: Decimal(test["score"]) for test in run.document["tests"] if "score" in test}
    if platform == "prairielearn":
        return {test["description"]: Decimal(test["points"]) for test in run.document["tests"]}
    if platform == "autolab":
        scores = json.loads(run.stdout.splitlines()[-1], parse_float=Decimal, parse_int=Decimal)["scores"]
        return {name: Decimal(points) for name, points in scores.items()}
    if platform == "github":
        tests = run.document["tests"]
        return {name: Decimal(test["score"]) / 100 for name, test in zip(POINTS, tests, strict=True)}
    assert run.result is not None, run.stdout + run.stderr
    suites = ElementTree.fromstring(run.result).findall("testsuite")
    found = [{each.get("name"): each.get("value") for each in suite.iter("property")} for suite in suites]
    return {str(each["id"]): Decimal(str(each["score"])) for each in found}
