"""One process grades several submissions, and none of them can tell which ones came before it."""

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from grader.course.layout import find_course
from grader.course.variants import build_submission, load_variants, solution_submission
from grader.processors import cores, processors

from .courses import hand_in, write_course
from .grading_runs import ASSIGNMENT, FILE, ROOT, read, timeless

SECRET = {"GRADER_SECRET": "a secret of sixteen bytes"}
RIGHT = "from torch import nn\ndef shares(x):\n    return x / x.sum()\n"
WRONG = "def shares(x):\n    return x / x.max()\n"
RAISES = "def shares(x):\n    raise KeyError('no')\n"
ENDS = "import os\ndef shares(x):\n    os._exit(3)\n"
STUB = "def shares(x):\n    raise NotImplementedError\n"
MANY = (RIGHT, WRONG, RAISES, RIGHT, STUB, ENDS, RIGHT, WRONG, RIGHT, RIGHT, STUB, RIGHT)

NOTING = """
import os, sys
from grader.suite import forking, in_turn
usual = in_turn.grade
def grade(job, *rest):
    with open({notes!r}, "a") as notes:
        own = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        notes.write(f"{{os.getpid()}} {{job.number}} {{','.join(map(str, own))}}\\n")
    return usual(job, *rest)
in_turn.grade = grade
forking.MOST_IN_A_ROW = {most}
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

    def __init__(self, klass: Path, course: Path, folder: Path, most: int, *arguments: str, more: str = "") -> None:
        notes = folder / "notes.txt"
        folder.mkdir(parents=True)
        script = NOTING.format(notes=str(notes), most=most, more=more)
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


def test_one_process_grades_several_submissions(tmp_path):
    run = Run(hand_in_all(tmp_path), tiny(tmp_path), tmp_path / "run", 16, "--jobs", "1")
    assert sum(run.numbers) == len(MANY)
    assert run.numbers[0] > 2


def test_who_is_done_takes_the_next_submission_whatever_the_others_do(tmp_path):
    slow = "import time\ntime.sleep(4)\n" + RIGHT
    run = Run(hand_in_all(tmp_path, [slow, *MANY]), tiny(tmp_path), tmp_path / "run", 16, "--jobs", "2")
    assert sum(run.numbers) == len(MANY) + 1
    assert len(run.numbers) == 2
    assert run.numbers[1] <= 3  # the slow one, what was waiting behind it, and no more than another


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or cores() == 1, reason="there is one processor, or no way to ask for one"
)
def test_as_many_jobs_as_processors_have_one_each(tmp_path):
    klass, course = hand_in_all(tmp_path), tiny(tmp_path)
    full = Run(klass, course, tmp_path / "full", 2, "--jobs", str(cores()))
    assert {len(own) for own in full.processors} == {1}
    assert len(full.processors) > 1
    alone = Run(klass, course, tmp_path / "alone", 2, "--jobs", "1")
    assert alone.processors == {tuple(processors())}
    assert alone.reports == full.reports
    single = Run(hand_in_all(tmp_path / "one", [RIGHT]), course, tmp_path / "single", 2, "--jobs", str(cores()))
    assert single.processors == {tuple(processors())}  # several graders of one submission would all take the first


NO_ROOM = """
import errno
start = forking.Forks._start
def starts(self, collected):
    if self._running:
        raise OSError(errno.EAGAIN, "no room")
    start(self, collected)
forking.Forks._start = starts
forking.GRACE_S = 600.0
"""


def test_where_there_is_room_for_fewer_processes_than_jobs_these_grade_all(tmp_path):
    klass, course = hand_in_all(tmp_path), tiny(tmp_path)
    run = Run(klass, course, tmp_path / "run", 4, "--jobs", "3", more=NO_ROOM)
    assert sum(run.numbers) == len(MANY)
    assert len(run.numbers) >= 3
    assert run.reports == Run(klass, course, tmp_path / "usual", 4, "--jobs", "3").reports


KILLED_IN_BETWEEN = """
import signal
in_turn.may_go_on = lambda *rest: os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_process_that_dies_between_two_submissions_costs_neither_of_them_a_try(tmp_path):
    klass, course = hand_in_all(tmp_path), tiny(tmp_path)
    run = Run(klass, course, tmp_path / "run", 4, "--jobs", "1", more=KILLED_IN_BETWEEN)
    assert run.numbers == [1] * len(MANY)  # each was graded once, in a process that died of it
    assert run.reports == Run(klass, course, tmp_path / "usual", 4, "--jobs", "1").reports


def test_reports_do_not_depend_on_who_was_graded_before(tmp_path):
    klass, course = hand_in_all(tmp_path), tiny(tmp_path)
    alone = Run(klass, course, tmp_path / "alone", 1)
    assert set(alone.numbers) == {1}
    for name, most, jobs in (("together", 16, "1"), ("in twos", 2, "2")):
        together = Run(klass, course, tmp_path / name, most, "--jobs", jobs)
        assert together.numbers[0] > 1
        assert together.reports == alone.reports


@pytest.mark.parametrize(
    ("keeps", "arguments", "body"),
    [
        ("SEEN = []", "student, reference, draw", "SEEN.append(1); assert len(SEEN) == 1"),
        ("def count(seen=[]):\n    seen.append(1)\n    return len(seen)", "student, reference, draw",
         "assert count() == 1"),
        ("", "student, reference, draw, request", "assert not request.node.own_markers; "
         "request.node.add_marker(pytest.mark.filterwarnings('ignore'))"),
    ],
    ids=["a list", "a default", "a mark"],
)  # fmt: skip
def test_what_a_suite_keeps_is_not_there_for_the_next_one(tmp_path, keeps, arguments, body):
    course = tiny(tmp_path, HEAD + keeps + "\n" + CHECK.format(arguments=arguments, body=body))
    klass = hand_in_all(tmp_path, [RIGHT] * 6)
    run = Run(klass, course, tmp_path / "run", 16, "--jobs", "1")
    assert run.statuses() == ["passed"] * 6
    assert set(run.numbers) == {1}


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
    run = Run(hand_in_all(tmp_path, [keeps] * 4), course, tmp_path / "run", 16, "--jobs", "1")
    named = [
        each["diagnosis"]["mistakes"]
        for report in run.reports.values()
        for exercise in report["exercises"]
        for each in exercise["checks"]
        if each["id"] == "shares.random_shares"
    ]
    assert named == [["kept_from_the_first_call"]] * 4


@pytest.mark.parametrize(
    "body",
    [
        "drawn = float(torch.rand(1)); assert abs(drawn - {torch}) < 1e-6, drawn",
        "drawn = random.random(); assert drawn == {python}, drawn",
        "drawn = np.random.rand(); assert drawn == {numpy}, drawn",
        "assert torch.zeros(1).dtype == torch.float32; torch.set_default_dtype(torch.float64)",
        "assert torch.is_grad_enabled(); torch.set_grad_enabled(False)",
    ],
    ids=["torch", "python", "numpy", "default dtype", "gradients off"],
)
def test_every_submission_begins_with_the_same_state_of_torch(tmp_path, body):
    import random

    import numpy as np
    import torch

    first = {
        "torch": float(torch.rand(1, generator=torch.Generator().manual_seed(0))),
        "python": random.Random(0).random(),
        "numpy": np.random.RandomState(0).rand(),
    }
    course = tiny(tmp_path, HEAD + CHECK.format(arguments="student, reference, draw", body=body.format(**first)))
    run = Run(hand_in_all(tmp_path, [RIGHT] * 6), course, tmp_path / "run", 16, "--jobs", "1")
    assert run.statuses() == ["passed"] * 6
    assert run.numbers[0] > 1


def test_a_process_that_grew_is_not_used_again(tmp_path):
    hoard = "import grader.suite.context as context\n"
    body = "context.HOARD = bytearray(200 * 2**20)"
    course = tiny(tmp_path, HEAD + hoard + CHECK.format(arguments="student, reference, draw", body=body))
    run = Run(hand_in_all(tmp_path, [RIGHT] * 6), course, tmp_path / "run", 16, "--jobs", "1")
    assert run.statuses() == ["passed"] * 6
    assert set(run.numbers) == {1}


def test_no_suite_and_no_known_mistake_of_the_course_keeps_anything(tmp_path):
    right, assignments = set(), find_course(ROOT).assignments.values()
    for assignment in assignments:
        variants = load_variants(assignment)
        mistakes = [each for exercise in assignment.exercises for each in variants.mistakes_of(exercise.id)]
        some = random.Random(assignment.id).sample(mistakes, 3)
        texts = {each.name: build_submission(assignment, each, variants) for each in some}
        texts |= {name: f"{solution_submission(assignment)}# {name}\n" for name in ("a_right_one", "the_right_one")}
        for name, text in texts.items():
            hand_in(tmp_path / "class", f"{assignment.id}.{name}", text, assignment=assignment.id)
        right |= {f"{assignment.id}.{name}" for name in ("a_right_one", "the_right_one")}
    together = Run(tmp_path / "class", ROOT, tmp_path / "together", 16, "--jobs", "1")
    assert together.numbers == [5] * len(assignments)
    assert {name for name, report in together.reports.items() if report["score"] == report["max_score"]} == right
    assert Run(tmp_path / "class", ROOT, tmp_path / "alone", 1, "--jobs", "2").reports == together.reports


def test_wrong_and_hostile_submissions_change_nothing_for_their_neighbours(tmp_path):
    texts = {path.stem: path.read_bytes() for path in sorted((ROOT / "tests/kit/faults").glob("*.py"))}
    for kind in ("lie", "patch"):
        texts |= {path.stem: path.read_bytes() for path in sorted((ROOT / "tests/kit/attacks" / kind).glob("*.py"))[:5]}
    for name, text in texts.items():
        file = tmp_path / "class" / name / ASSIGNMENT / f"{FILE}.py"
        file.parent.mkdir(parents=True)
        file.write_bytes(text)
    alone = Run(tmp_path / "class", ROOT, tmp_path / "alone", 1)
    together = Run(tmp_path / "class", ROOT, tmp_path / "together", 16)
    assert together.numbers[0] > 1
    assert together.reports == alone.reports
