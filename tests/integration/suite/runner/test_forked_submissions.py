"""Each submission is graded in a process of its own, and none of them can tell which ones came before it."""

import errno
import multiprocessing
import os
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader.grading import GradeOptions, run
from grader.suite.runner import forking
from grader.suite.runner.tries import Ended

from ....support.classes.grading_runs import read, timeless
from ....support.courses import hand_in, write_course
from ....support.workers.pretended_engine import RIGHT, RIGHT_SHIFT, WRONG

pytestmark = pytest.mark.usefixtures("kept_jails")

RAISES = "def shares(x):\n    raise KeyError('no')\n"
ENDS = "import os\ndef shares(x):\n    os._exit(3)\n"
STUB = "def shares(x):\n    raise NotImplementedError\n"
MANY = (RIGHT, WRONG, RAISES, RIGHT, STUB, ENDS, RIGHT, WRONG, RIGHT, RIGHT, STUB, RIGHT)

KEEPS = '''"""Hidden checks of shares."""
import os
import torch
from grader.suite import checks, exercise
SEEN = []
shares = exercise("shares")

@shares.check("value", weight=2, ko="합으로 나눈다.")
def test_keeps_something(student, reference, draw):
    """The entries are divided by their sum."""
    assert not SEEN and torch.is_grad_enabled() and torch.zeros(1).dtype == torch.float32 and "LEFT" not in os.environ
    SEEN.append(1)
    os.environ["LEFT"] = "1"
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    checks.matches(student.shares, reference.shares, draw.uniform(4) + 0.5)
'''


class Run:
    """One class that was graded.

    Attributes:
        reports: Every report without its times, by student.
        numbers: How many ways through the checks each process made, the solution's aside, the busiest one first.
    """

    def __init__(self, klass: Path, course: Path, folder: Path, jobs: int, raw: Path | None = None) -> None:
        folder.mkdir(parents=True)
        usual, notes = forking.grade, folder / "notes.txt"

        def noted(*job: Any) -> Any:
            with notes.open("a") as file:
                file.write(f"{os.getpid()}\n")
            return usual(*job)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(forking, "grade", noted)
            run(GradeOptions([klass], folder / "out", course, jobs=jobs, fresh=True, raw=raw))
        paths = (folder / "out").glob("*/*.json")
        self.reports = {path.parent.name: timeless(read(path)) for path in sorted(paths)}
        _, *processes = notes.read_text().splitlines()
        self.numbers = sorted(Counter(processes).values(), reverse=True)

    def checks_of(self, student: str) -> list[dict[str, Any]]:
        return [check for exercise in self.reports[student]["exercises"] for check in exercise["checks"]]


def tiny(folder: Path, others: dict[str, str] | None = None) -> Path:
    """Write the tiny course without figures, with others of its files."""
    return write_course(folder / "course", {"tests/golden/N0.json": "[]", **(others or {})})


def hand_in_all(folder: Path, texts=MANY) -> Path:
    for number, text in enumerate(texts):
        hand_in(folder / "class", f"student{number:02}", f"{text}# {number}\n")
    return folder / "class"


def test_every_way_has_a_process_of_its_own_also_where_there_is_room_for_fewer_than_jobs(tmp_path, monkeypatch):
    klass, course = hand_in_all(tmp_path), tiny(tmp_path)
    usual, fork = Run(klass, course, tmp_path / "usual", jobs=3), forking.FORK.Process

    def process(**options):
        if multiprocessing.active_children():
            raise OSError(errno.EAGAIN, "no room")
        return fork(**options)

    monkeypatch.setattr(forking, "FORK", SimpleNamespace(Process=process))
    run = Run(klass, course, tmp_path / "run", jobs=3)
    for grading in (usual, run):
        assert set(grading.numbers) == {1} and len(grading.numbers) >= len(MANY)
    assert run.reports == usual.reports


def test_a_submission_for_which_there_is_no_worker_is_graded_in_the_end(tmp_path, monkeypatch):
    klass, course, grade = hand_in_all(tmp_path, [RIGHT, WRONG, RIGHT]), tiny(tmp_path), forking.grade
    usual, refused = Run(klass, course, tmp_path / "usual", jobs=2), tmp_path / "refused"

    def short(job: Any, *rest: Any) -> Ended:
        if job.source.cells[-1].source.endswith("# 1\n") and not refused.exists():
            refused.touch()
            return Ended(refused="There is no worker.")
        return grade(job, *rest)

    monkeypatch.setattr(forking, "grade", short)
    assert Run(klass, course, tmp_path / "run", jobs=2).reports == usual.reports
    assert refused.exists()


def test_a_bug_of_the_kit_costs_no_points_and_nobody_else(tmp_path, monkeypatch):
    klass, course, grade = hand_in_all(tmp_path, [RIGHT, WRONG]), tiny(tmp_path), forking.grade

    def stumbles(job: Any, *rest: Any) -> Ended:
        if job.source.cells[-1].source.endswith("# 1\n"):
            raise KeyError("a bug")
        return grade(job, *rest)

    monkeypatch.setattr(forking, "grade", stumbles)
    reports = Run(klass, course, tmp_path / "run", jobs=1).reports
    assert reports["student00"]["score"] and reports["student00"]["problem"] is None
    assert reports["student01"]["score"] is None and "KeyError" in reports["student01"]["problem"]


def test_raw_reports_are_kept_of_the_first_try_and_of_each_exercise_that_was_run_again(tmp_path):
    Run(
        hand_in_all(tmp_path, [WRONG, RIGHT + RIGHT_SHIFT]),
        tiny(tmp_path),
        tmp_path / "run",
        jobs=1,
        raw=tmp_path / "raw",
    )
    tests = {
        file.relative_to(tmp_path / "raw").as_posix(): read(file)["tests"]
        for file in (tmp_path / "raw").rglob("*.json")
    }
    assert tests.keys() == {
        "student00/01_tiny.json", "student00/01_tiny.shares.json", "student01/01_tiny.json",
    }  # fmt: skip
    ran = {place: {test["nodeid"].rpartition("::test_")[2] for test in tests[place]} for place in tests}
    assert ran["student00/01_tiny.json"] == {"quarters", "starts_at_zero"}  # the rest of either is not run
    assert ran["student00/01_tiny.shares.json"] == {"quarters", "random_shares"}
    everything = {"quarters", "starts_at_zero", "random_shares", "input_unchanged", "adds_the_parameter"}
    assert ran["student01/01_tiny.json"] == everything


def test_what_a_suite_leaves_behind_is_not_there_for_the_next_submission(tmp_path):
    """Neither in a list of its own, nor torch's settings, nor the environment."""
    course = tiny(tmp_path, {"tests/hidden/01_tiny/test_shares.py": KEEPS})
    run = Run(hand_in_all(tmp_path, [RIGHT] * 3), course, tmp_path / "run", jobs=1)
    kept = [check["status"] for student in run.reports for check in run.checks_of(student) if "keeps" in check["id"]]
    assert kept == ["passed"] * 3
