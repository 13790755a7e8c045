"""Each submission is graded in a process of its own, and none of them can tell which ones came before it."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from grader.system.processors import cores, processors

from ...support.courses import hand_in, write_course
from ...support.grading_runs import read, timeless

SECRET = {"GRADER_SECRET": "a secret of sixteen bytes"}
RIGHT = "from torch import nn\ndef shares(x):\n    return x / x.sum()\n"
WRONG = "def shares(x):\n    return x / x.max()\n"
RAISES = "def shares(x):\n    raise KeyError('no')\n"
ENDS = "import os\ndef shares(x):\n    os._exit(3)\n"
STUB = "def shares(x):\n    raise NotImplementedError\n"
MANY = (RIGHT, WRONG, RAISES, RIGHT, STUB, ENDS, RIGHT, WRONG, RIGHT, RIGHT, STUB, RIGHT)

NOTING = """
import os, sys
from grader.suite.process import child, forking
usual = child.grade
def grade(job, *rest):
    with open({notes!r}, "a") as notes:
        own = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        notes.write(f"{{os.getpid()}} {{job.number}} {{','.join(map(str, own))}}\\n")
    return usual(job, *rest)
child.grade = grade
{more}
from grader.cli import run
run()
"""

HEAD = '''"""Hidden checks of shares."""
import random
import numpy as np
import torch
import pytest
from grader.suite import checks, exercise
shares = exercise("shares")
'''
CHECK = '''
@shares.check("value", weight=2, ko="합으로 나눈다.")
def test_keeps_something({arguments}):
    """The entries are divided by their sum."""
    {body}
    checks.matches_reference(student, reference, "shares", draw.uniform(4) + 0.5)
'''


class Run:
    """One class that was graded.

    Attributes:
        reports: Every report without its times, by student.
        numbers: How many submissions each process graded, the solution's aside, the busiest one first.
        processors: What each process that graded was kept to, the solution's aside.
        error: What was printed of errors.
    """

    def __init__(self, klass: Path, course: Path, folder: Path, *arguments: str, more: str = "") -> None:
        notes = folder / "notes.txt"
        folder.mkdir(parents=True)
        script = NOTING.format(notes=str(notes), more=more)
        command = [sys.executable, "-c", script, "grade", "--fresh", str(klass), "--course", str(course)]
        done = subprocess.run(
            [*command, "--output", str(folder / "out"), *arguments],
            capture_output=True, text=True, env={**os.environ, **SECRET}, cwd=folder, check=False,
        )  # fmt: skip
        self.error = done.stderr
        assert done.returncode in (0, 1), done.stderr  # 1 where a file cannot be graded at all
        found = (folder / "out").glob("*/*.json")
        self.reports = {path.parent.name: timeless(read(path)) for path in sorted(found)}
        lines = [line.split() for line in notes.read_text().splitlines()]
        lines = [line for line in lines if line[1] != "-1"]
        self.numbers = sorted(Counter(line[0] for line in lines).values(), reverse=True)
        self.processors = {tuple(map(int, line[2].split(","))) for line in lines if len(line) > 2}

    def statuses(self, check: str = "shares.keeps_something") -> list[str]:
        """Return what a check came to for each student."""
        return [
            each["status"]
            for report in self.reports.values()
            for exercise in report["exercises"]
            for each in exercise["checks"]
            if each["id"] == check
        ]


def tiny(folder: Path, hidden: str | None = None) -> Path:
    """Write the tiny course with other hidden checks of shares."""
    other = {} if hidden is None else {"tests/hidden/01_tiny/test_shares.py": hidden}
    return write_course(folder / "course", {"tests/golden/N0.json": "[]", **other})


def hand_in_all(folder: Path, texts=MANY) -> Path:
    for number, text in enumerate(texts):
        hand_in(folder / "class", f"student{number:02}", f"{text}# {number}\n")
    return folder / "class"


def test_every_submission_has_a_process_of_its_own(tmp_path):
    run = Run(hand_in_all(tmp_path), tiny(tmp_path), tmp_path / "run", "--jobs", "2")
    assert run.numbers == [1] * len(MANY)


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or cores() == 1, reason="there is one processor, or no way to ask for one"
)
def test_as_many_jobs_as_processors_have_one_each(tmp_path):
    klass, course = hand_in_all(tmp_path), tiny(tmp_path)
    full = Run(klass, course, tmp_path / "full", "--jobs", str(cores()))
    assert {len(own) for own in full.processors} == {1}
    assert len(full.processors) > 1
    alone = Run(klass, course, tmp_path / "alone", "--jobs", "1")
    assert alone.processors == {tuple(processors())}
    assert alone.reports == full.reports
    single = Run(hand_in_all(tmp_path / "one", [RIGHT]), course, tmp_path / "single", "--jobs", str(cores()))
    assert single.processors == {tuple(processors())}  # several graders of one submission would all take the first


NO_ROOM = """
import errno
start = forking.Forks._start
def starts(self, *rest):
    if self._running:
        raise OSError(errno.EAGAIN, "no room")
    start(self, *rest)
forking.Forks._start = starts
forking.GRACE_S = 600.0
"""


def test_where_there_is_room_for_fewer_processes_than_jobs_these_grade_all(tmp_path):
    klass, course = hand_in_all(tmp_path), tiny(tmp_path)
    run = Run(klass, course, tmp_path / "run", "--jobs", "3", more=NO_ROOM)
    assert run.numbers == [1] * len(MANY)
    assert run.reports == Run(klass, course, tmp_path / "usual", "--jobs", "3").reports


@pytest.mark.parametrize(
    ("keeps", "body"),
    [
        ("SEEN = []", "SEEN.append(1); assert len(SEEN) == 1"),
        ("", "assert torch.zeros(1).dtype == torch.float32; torch.set_default_dtype(torch.float64)"),
        ("", "assert torch.is_grad_enabled(); torch.set_grad_enabled(False)"),
        ("", "import os; assert 'LEFT' not in os.environ; os.environ['LEFT'] = '1'"),
    ],
    ids=["a list", "default dtype", "gradients off", "environment"],
)
def test_what_a_suite_leaves_behind_is_not_there_for_the_next_submission(tmp_path, keeps, body):
    course = tiny(tmp_path, HEAD + keeps + "\n" + CHECK.format(arguments="student, reference, draw", body=body))
    run = Run(hand_in_all(tmp_path, [RIGHT] * 3), course, tmp_path / "run", "--jobs", "1")
    assert run.statuses() == ["passed"] * 3


def test_what_a_known_mistake_keeps_explains_no_other_submission(tmp_path):
    kept = """
from grader.course.variants import helper, mistake
@helper
def first_kept(compute):
    kept = []
    def answer(x):
        if not kept:
            kept.append(compute(x))
        return kept[0]
    return answer

@mistake("shares", hint="It is the result of the first call.", ko="처음 결과입니다.")
@first_kept
def kept_from_the_first_call(x):
    return x / x.sum()
"""
    course = write_course(tmp_path / "course", {"tests/golden/N0.json": "[]", "solutions/01_tiny/mistakes.py": kept})
    keeps = "kept = []\ndef shares(x):\n    if not kept: kept.append(x / x.sum())\n    return kept[0]\n"
    run = Run(hand_in_all(tmp_path, [keeps] * 4), course, tmp_path / "run", "--jobs", "1")
    named = [
        each["diagnosis"]["mistakes"]
        for report in run.reports.values()
        for exercise in report["exercises"]
        for each in exercise["checks"]
        if each["id"] == "shares.random_shares"
    ]
    assert named == [["kept_from_the_first_call"]] * 4
