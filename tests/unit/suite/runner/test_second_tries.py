"""An exercise in which something failed is run once more, whole and on a worker of its own, and that is what counts."""

import pytest

from grader.system.machine import KilledByTheSystem

from ....support.exercises.small_suites import ALL_PASSED, HEAD, SmallRun, check

COUNTED = """
import os, signal, torch
place = {place!r}
with open(place, "a") as file:
    file.write(".")
WORKER = os.path.getsize(place)
"""


@pytest.fixture
def graded_by_worker(tmp_path):
    """Grade a text that knows as `WORKER` how many workers have loaded it so far."""

    def grade(text):
        return SmallRun(tmp_path, COUNTED.format(place=str(tmp_path / "workers")) + text)

    return grade


def test_an_exercise_that_damages_another_costs_it_nothing(tmp_path):
    text = """
    import sys, torch
    def first(x):
        global second
        second = torch.Tensor.__add__ = None
        return 2 * x
    def second(): return 2
    """
    graded = SmallRun(tmp_path, text)
    assert graded.statuses == ALL_PASSED and graded.ran[1:] == [("second", ["four"])]


@pytest.mark.parametrize("text", ["def first(x): raise NotImplementedError\n", ""], ids=["stub", "absent"])
def test_what_is_not_written_is_not_run_again(tmp_path, text):
    graded = SmallRun(tmp_path, text + "def second(): return 3\n")
    assert graded.statuses == {"one": "missing", "two": "missing", "three": "missing", "four": "failed"}
    assert [exercise for exercise, _ in graded.ran] == [None, "second"]


def test_after_one_hang_the_rest_of_the_exercise_is_not_run_and_it_is_run_again_last(graded_by_worker, tmp_path):
    called = f"open({str(tmp_path / 'calls')!r}, 'a').write('.')"
    text = f"def first(x):\n    {called}\n    os.kill(os.getpid(), signal.SIGXCPU)\n"
    graded = graded_by_worker(text + "def second(): return 2 * (WORKER > 2)\n")
    assert graded.statuses == {"one": "timeout", "two": "timeout", "three": "timeout", "four": "passed"}
    assert [exercise for exercise, _ in graded.ran] == [None, "second", "first"]
    assert (tmp_path / "calls").stat().st_size == 2
    assert not graded.tries.is_lasting


# -- what the system kills -------------------------------------------------------------------------------------------


@pytest.fixture
def killing(graded_by_worker, monkeypatch):
    """Grade a text whose exercise `second` is wrong in the first worker and kills itself in those that are named."""

    def grade(*workers, by_the_system=True):
        monkeypatch.setattr(KilledByTheSystem, "any_since", lambda _: by_the_system)
        text = f"def second():\n    if WORKER in {workers}: os.kill(os.getpid(), signal.SIGKILL)\n"
        return graded_by_worker(f"def first(x): return 2 * x\n{text}    return 2 * (WORKER > 1)\n")

    return grade


@pytest.mark.parametrize(("workers", "ways"), [((1,), 2), ((2,), 3)])
def test_one_kill_by_the_system_costs_nothing_whenever_it_comes(killing, workers, ways):
    graded = killing(*workers)
    assert graded.statuses == ALL_PASSED and not graded.tries.ungraded and len(graded.ran) == ways


def test_a_kill_that_was_not_the_systems_is_a_crash_of_the_exercise(killing):
    assert killing(1, 2, by_the_system=False).statuses == ALL_PASSED | {"four": "crash"}


# -- what no time is left for ----------------------------------------------------------------------------------------


def test_what_no_time_is_left_for_has_no_score_and_what_was_run_keeps_its_own(tmp_path):
    suite = f"""{HEAD}
from grader.suite.core.context import current_check

{check("one", "assert student.first() == 1")}
{check("last", "current_check.get().session.left.cpu_s = 0")}
{check("two", "assert student.second() == 2", "second")}
{check("three", "pass", "second")}"""
    graded = SmallRun(tmp_path, "def first(): return 1\ndef second(): return 2\n", suite)
    assert graded.statuses == {"one": "passed", "last": "passed"}
    assert graded.tries.ungraded == {"second": "time"} and not graded.tries.is_lasting
    assert graded.ran == [(None, ["one", "last"])]
