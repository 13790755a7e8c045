"""The first calls of checks are made together, and nobody's verdict depends on it."""

import random
import sys
import textwrap
from types import ModuleType

import numpy as np
import pytest
import torch

from grader.inside.fresh import reset
from grader.limits import Limits
from grader.suite.collect import run_suite
from grader.suite.context import CourseSide, active
from grader.suite.run import Run
from grader.suite.surroundings import surroundings
from grader.suite.unchanged import Unchanged
from grader.workers.clock import Finish
from grader.workers.connection import Connection
from grader.workers.policy import TextReading

from .open_workers import close_sessions, open_session

SUITE = """
import torch
from grader.suite import checks, exercise
first = exercise("first")
second = exercise("second")

def near(x, y):
    checks.close(x, y)

@first.check("value", ko="하나")
def test_one(student, draw):
    '''Doubled.'''
    x = draw.normal(3)
    near(student.first(x), 2 * x)

@first.check("value", ko="둘")
def test_two(student, draw):
    '''Doubled again.'''
    x = draw.normal(4)
    near(student.first(x), 2 * x)

@first.check("value", ko="셋")
def test_three(student, draw):
    '''Doubled once more.'''
    x = draw.normal(5)
    near(student.first(x), 2 * x)

@second.check("value", ko="넷")
def test_four(student):
    '''Two is returned.'''
    assert student.second() == 2
"""
FIRST = ("first.one", "first.two", "first.three")
ALL = (*FIRST, "second.four")
RIGHT = "def first(x): return 2 * x\ndef second(): return 2\n"
COUNTING = (
    "calls = 0\ndef first(x):\n    global calls\n    calls += 1\n    {what}\n    return 2 * x\ndef second(): return 2\n"
)


@pytest.fixture(autouse=True)
def _no_session_stays():
    yield
    close_sessions()


def solution_of(text):
    """Return a solution as the course would have loaded it."""
    module = ModuleType("solution")
    exec(textwrap.dedent(text), vars(module))
    return module


class Graded:
    """A text that was graded: its verdicts by id, its run, and how many requests went in each exchange."""

    def __init__(
        self,
        folder,
        student,
        suite=SUITE,
        chosen=FIRST,
        seconds=60.0,
        solution=None,
        proves=True,
        reading=None,
        exercises=("first", "second"),
        **limits,
    ):
        file = folder / "hidden" / "test_all.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(textwrap.dedent(suite), encoding="utf-8")
        self.verdicts, self.exchanges, self.harmless = {}, [], []

        def run(plugin, _):
            unchanged = Unchanged(plugin.roots())
            session = open_session(textwrap.dedent(student), begin=False, **limits)
            finish = Finish(seconds)
            self.finish = finish.at
            self.run = plugin.run = Run(session, "digest", Limits(**limits), finish, self.keep)
            plugin.prefetch.chosen = frozenset(chosen)
            active.text = reading or TextReading()
            for item, following in zip(plugin.items, [*plugin.items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if proves:
                self.harmless = plugin.prefetch.harmless(plugin.run, plugin.course, unchanged)

        usual = Connection.ask_each

        def ask_each(connection, requests, patience):
            self.exchanges.append(len(requests))
            return usual(connection, requests, patience)

        course = CourseSide(
            assignment="01_a", module_name="a", solution=solution, mistakes={}, forbids={}, figures={}, secret=b"s" * 32
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Connection, "ask_each", ask_each)
            run_suite(course, list(exercises), [file.parent], folder / "visible", run)

    def keep(self, verdict):
        self.verdicts[verdict.id] = verdict

    @property
    def statuses(self):
        return {name.partition(".")[2]: verdict.status for name, verdict in self.verdicts.items()}


ALL_PASSED = {"one": "passed", "two": "passed", "three": "passed", "four": "passed"}


def test_the_calls_of_an_exercise_go_in_one_exchange(tmp_path):
    graded = Graded(tmp_path, RIGHT)
    assert graded.statuses == ALL_PASSED
    assert graded.exchanges == [3, 1]


def test_the_calls_of_all_exercises_go_in_one_exchange(tmp_path):
    graded = Graded(tmp_path, RIGHT, chosen=ALL)
    assert graded.statuses == ALL_PASSED
    assert graded.exchanges == [4]


THIRD = """
@second.check("value", ko="다섯")
def test_five(student):
    '''Two is returned again.'''
    assert student.second() == 2
"""
KEPT = """
kept = []
def first(x):
    kept.append(x)
    {what}
    return 2 * x
def second():
    return 2 if {kept} else 3
"""


@pytest.mark.parametrize("what", ["if x.numel() == 4: return 3 * x", "if x.numel() == 4: raise ValueError"])
def test_an_exercise_is_asked_anew_on_a_fresh_worker_where_one_before_it_went_wrong(tmp_path, what):
    text = KEPT.format(what=what, kept="not kept")
    ahead = Graded(tmp_path, text, suite=SUITE + THIRD, chosen=(*ALL, "second.five"))
    singly = Graded(tmp_path, text, suite=SUITE + THIRD, chosen=())
    assert ahead.exchanges == [5, 1, 1, 2]
    assert ahead.statuses == singly.statuses
    assert ahead.statuses["two"] != "passed"
    assert ahead.statuses["four"] == ahead.statuses["five"] == "passed"
    assert {verdict.attempts for verdict in ahead.verdicts.values()} == {1}


def test_an_exercise_cannot_live_on_what_a_wrong_one_before_it_left_behind(tmp_path):
    text = KEPT.format(what="if x.numel() == 4: return 3 * x", kept="kept")
    for chosen in ((), FIRST, ALL):
        graded = Graded(tmp_path, text, chosen=chosen)
        assert graded.statuses == {**ALL_PASSED, "two": "failed", "four": "failed"}


def test_behind_a_wrong_exercise_all_that_are_left_are_asked_together_on_a_fresh_worker(tmp_path):
    third = """
third = exercise("third")

@third.check("value", ko="여섯")
def test_six(student):
    '''Two is returned by the third.'''
    assert student.third() == 2
"""
    student = KEPT.format(what="if x.numel() == 5: return 3 * x", kept="not kept") + "third = second\n"
    chosen = (*ALL, "second.five", "third.six")
    three = ["first", "second", "third"]
    graded = Graded(tmp_path, student, suite=SUITE + THIRD + third, chosen=chosen, exercises=three)
    assert graded.statuses == {**ALL_PASSED, "three": "failed", "five": "passed", "six": "passed"}
    assert graded.exchanges == [6, 1, 1, 3]


def test_within_a_wrong_exercise_only_its_own_calls_go_together(tmp_path):
    suite = SUITE.replace('"value", ko="하나"', '"value", visibility="visible", ko="하나"')
    wrong = RIGHT.replace("2 * x", "3 * x if x.numel() == 3 else 2 * x")
    graded = Graded(tmp_path, wrong, suite=suite + THIRD, chosen=(*ALL, "second.five"))
    assert graded.statuses == {**ALL_PASSED, "one": "failed", "five": "passed"}
    assert graded.exchanges == [1, 2, 2]


def test_nothing_goes_ahead_that_the_solution_did_not_show_to_be_harmless(tmp_path):
    graded = Graded(tmp_path, RIGHT, chosen=())
    assert graded.statuses == ALL_PASSED
    assert graded.exchanges == [1, 1, 1, 1]


def test_no_hidden_input_is_there_before_the_visible_checks_have_run(tmp_path):
    suite = SUITE.replace('"value", ko="둘"', '"value", visibility="visible", ko="둘"')
    graded = Graded(tmp_path, COUNTING.format(what="print(calls, x.numel())"), suite=suite, chosen=ALL)
    assert graded.statuses == ALL_PASSED
    assert graded.verdicts["first.two"].output == "1 4\n"
    assert graded.exchanges == [1, 3]


def test_wrong_answers_are_told_as_they_are_without_it(tmp_path):
    text = RIGHT.replace("2 * x", "3 * x if x.numel() == 4 else 2 * x")
    ahead, singly = Graded(tmp_path, text), Graded(tmp_path, text, chosen=())
    assert ahead.statuses == {**ALL_PASSED, "two": "failed"}
    for name, verdict in ahead.verdicts.items():
        other = singly.verdicts[name]
        assert (verdict.status, verdict.found, verdict.attempts) == (other.status, other.found, other.attempts)


@pytest.mark.parametrize(
    ("what", "status"),
    [("if x.numel() == 4: time.sleep(60)", "timeout"), ("if x.numel() == 4: os._exit(3)", "crash")],
    ids=["hangs", "ends"],
)
def test_a_call_that_does_not_come_back_costs_its_own_check(tmp_path, what, status):
    text = "import os, time\n" + COUNTING.format(what=what)
    graded = Graded(tmp_path, text, check_wall_s=2.0)
    assert graded.statuses == {**ALL_PASSED, "two": status}
    assert graded.run.asks_singly
    assert graded.exchanges[0] == 3 and set(graded.exchanges[1:]) == {1}


def test_calls_that_take_long_together_are_asked_one_by_one(tmp_path):
    graded = Graded(tmp_path, "import time\n" + COUNTING.format(what="time.sleep(0.6)"), seconds=60.0)
    assert graded.statuses == ALL_PASSED
    assert graded.run.asks_singly
    assert graded.run.finish.at > graded.finish + 0.9  # the time that the vain calls took is given back


def test_answers_that_are_too_large_together_are_asked_for_one_by_one(tmp_path):
    suite = SUITE.replace("draw.normal(3)", "draw.normal(1000)").replace("draw.normal(4)", "draw.normal(1000)")
    graded = Graded(tmp_path, RIGHT, suite=suite, reply_bytes=6000)
    assert graded.statuses == ALL_PASSED
    assert graded.run.asks_singly


def test_a_failure_is_looked_at_again_on_a_fresh_worker(tmp_path):
    graded = Graded(tmp_path, COUNTING.format(what="if calls > 1: raise KeyError('no')"))
    assert graded.statuses == ALL_PASSED
    assert [graded.verdicts[name].attempts for name in FIRST] == [1, 2, 2]


def test_what_a_call_prints_belongs_to_its_check(tmp_path):
    graded = Graded(tmp_path, COUNTING.format(what="print('size', x.numel())"))
    assert [graded.verdicts[name].output for name in FIRST] == ["size 3\n", "size 4\n", "size 5\n"]


def test_stubs_are_missing_and_harm_no_worker(tmp_path):
    graded = Graded(tmp_path, "def first(x): raise NotImplementedError\ndef second(): return 2\n")
    assert graded.statuses == {"one": "missing", "two": "missing", "three": "missing", "four": "passed"}
    assert graded.run.session.generation == 1


@pytest.mark.parametrize("unwritten", ["def first(x): raise NotImplementedError\n", ""], ids=["stub", "absent"])
def test_nothing_is_asked_ahead_of_an_exercise_that_is_not_written(tmp_path, unwritten):
    text = f"{unwritten}def second(): return 2\n"
    reading = TextReading(stubs=frozenset({"first"})) if unwritten else TextReading(absent=frozenset({"first"}))
    graded = Graded(tmp_path, text, reading=reading)
    assert graded.statuses == {"one": "missing", "two": "missing", "three": "missing", "four": "passed"}
    assert graded.exchanges == [1, 1, 1, 1]


def test_what_comes_under_the_name_of_a_stub_while_the_text_runs_is_asked_one_by_one(tmp_path):
    text = "def first(x): raise NotImplementedError\nglobals()['first'] = lambda x: 2 * x\ndef second(): return 2\n"
    graded = Graded(tmp_path, text, reading=TextReading(stubs=frozenset({"first"})))
    assert set(graded.exchanges) == {1}
    assert graded.verdicts["second.four"].status == "passed"


def test_every_call_begins_with_the_same_random_numbers(tmp_path):
    text = "import torch\ndrawn = []\n" + COUNTING.format(
        what="drawn.append(float(torch.rand(1))); print(len(set(drawn)))"
    )
    graded = Graded(tmp_path, text)
    assert [graded.verdicts[name].output for name in FIRST] == ["1\n"] * 3


def test_an_answer_to_another_question_is_not_taken(tmp_path):
    suite = SUITE.replace("x = draw.normal(4)", "x = draw.normal(4) + torch.rand(4)")
    graded = Graded(tmp_path, RIGHT, suite=suite)
    assert graded.statuses == ALL_PASSED
    assert graded.exchanges == [3, 1, 1]


def test_a_check_that_is_not_worth_running_is_not_run_for_its_answer(tmp_path):
    suite = SUITE.replace('"value", ko="둘"', '"value", needs=("test_one",), ko="둘"')
    graded = Graded(tmp_path, RIGHT.replace("2 * x", "3 * x"), suite=suite)
    assert graded.statuses["two"] == "skipped"


def test_a_source_that_cannot_be_loaded_is_told_as_ever(tmp_path):
    text = "def first(x) return 2 * x\n"
    ahead, singly = Graded(tmp_path, text), Graded(tmp_path, text, chosen=())
    assert "passed" not in ahead.statuses.values()
    assert ahead.statuses == singly.statuses


def test_a_hook_of_the_suite_is_asked_about_every_check(tmp_path):
    (tmp_path / "hidden").mkdir()
    hooks = "def pytest_runtest_setup(item): item.was_set_up = True\n"
    (tmp_path / "hidden" / "conftest.py").write_text(hooks, encoding="utf-8")
    graded = Graded(tmp_path, RIGHT, chosen=ALL)
    assert graded.statuses == ALL_PASSED
    assert graded.exchanges == [1, 1, 1, 1]
    assert graded.harmless == []


TWICE = """
import torch
from grader.suite import checks, exercise
first = exercise("first")
second = exercise("second")

@first.check("value", ko="하나")
def test_one(student):
    '''Asks twice, so nothing of it goes ahead.'''
    assert student.first(1) == 2
    assert student.first(2) == 4

@second.check("value", ko="둘")
def test_two(student):
    '''Works once the other one ran.'''
    assert student.second() == 2

@second.check("value", ko="셋")
def test_three(student):
    '''Works once the other one ran, too.'''
    assert student.second() == 2
"""


def test_an_answer_that_is_wrong_ahead_is_asked_for_again_where_the_check_would_have_asked(tmp_path):
    text = "ran = []\ndef first(x):\n    ran.append(x)\n    return 2 * x\ndef second(): return 2 if ran else 3\n"
    for chosen in (("second.two", "second.three"), ()):
        graded = Graded(tmp_path, text, suite=TWICE, chosen=chosen)
        assert graded.statuses == {"one": "passed", "two": "passed", "three": "passed"}


AGAIN = """
import torch
from grader.suite import checks, exercise
first = exercise("first")
second = exercise("second")

@first.check("value", ko="하나")
def test_one(student, draw):
    '''Asks once more where the answer is not right.'''
    x = draw.normal(3)
    answer = student.first(x)
    if not torch.equal(answer, 2 * x):
        checks.close(student.first(x), answer)

@first.check("value", ko="둘")
def test_two(student, draw):
    '''Is asked with the one above.'''
    assert student.first(draw.normal(3)).shape == (3,)

@second.check("value", ko="셋")
def test_three(student):
    '''Two is returned.'''
    assert student.second() == 2
"""


def test_random_numbers_of_a_second_call_go_on_behind_those_of_the_first(tmp_path):
    text = "import torch\ndef first(x): return x + torch.rand(3)\ndef second(): return 2\n"
    for chosen in (("first.one", "first.two"), ()):
        graded = Graded(tmp_path, text, suite=AGAIN, chosen=chosen)
        assert graded.statuses == {"one": "failed", "two": "passed", "three": "passed"}


SLOW = {
    "check_wall_s": "if x.numel() == 4: time.sleep(0.8)",
    "check_cpu_s": "end = time.process_time() + 0.8\n    while x.numel() == 4 and time.process_time() < end: pass",
}


@pytest.mark.parametrize("limit", SLOW)
def test_a_limit_below_a_moment_holds_for_calls_that_are_made_ahead(tmp_path, limit):
    graded = Graded(tmp_path, "import time\n" + COUNTING.format(what=SLOW[limit]), **{limit: 0.3})
    assert graded.statuses == {**ALL_PASSED, "two": "timeout"}


HARMFUL = {
    "keeps something": ("SEEN = []", "SEEN.append(1)"),
    "draws from torch's own numbers": ("", "torch.rand(1)"),
    "draws from Python's own numbers": ("import random", "random.random()"),
    "draws from NumPy's own numbers": ("import numpy", "numpy.random.rand()"),
    "changes torch's default": ("", "torch.set_default_dtype(torch.float64)"),
    "switches gradients off": ("", "torch.set_grad_enabled(False)"),
    "changes the environment": ("import os", "os.environ['KIT_TEST_HARM'] = str(os.urandom(3))"),
    "asks another time": ("", "student.first(x)"),
    "asks with other numbers each time": ("import os", "x = x * int.from_bytes(os.urandom(2), 'big')"),
}


@pytest.mark.parametrize("harm", HARMFUL)
def test_a_check_that_leaves_something_behind_takes_no_part(tmp_path, harm, monkeypatch):
    monkeypatch.setenv("KIT_TEST_HARM", "")
    top, line = HARMFUL[harm]
    suite = SUITE.replace("first = ex", f"{top}\nfirst = ex", 1).replace(
        "    x = draw.normal(4)", f"    x = draw.normal(4)\n    {line}"
    )
    try:
        graded = Graded(tmp_path, RIGHT, suite=suite, chosen=())
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
    assert "first.two" not in graded.harmless
    assert ("first.one" in graded.harmless) == (harm != "keeps something")  # who keeps something may keep more


CHANGES = {
    "default dtype": lambda: torch.set_default_dtype(torch.float64),
    "gradients": lambda: torch.set_grad_enabled(False),
    "deterministic": lambda: torch.use_deterministic_algorithms(True),
    "anomalies": lambda: torch.autograd.set_detect_anomaly(True),
    "precision": lambda: torch.set_float32_matmul_precision("medium"),
    "recursion": lambda: sys.setrecursionlimit(1234),
    "autocast": lambda: torch.set_autocast_enabled("cpu", True),
    "torch's numbers": lambda: torch.rand(1),
    "Python's numbers": random.random,
    "NumPy's numbers": np.random.rand,
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_set_anew_for_a_submission_is_seen_when_a_check_changes_it(change):
    limit = sys.getrecursionlimit()
    reset()
    before = surroundings()
    try:
        CHANGES[change]()
        assert surroundings() != before
    finally:
        reset()
    assert surroundings()[:14] == before[:14]  # all but what torch itself leaves in the environment
    sys.setrecursionlimit(limit)


def test_a_check_with_a_fixture_of_the_suite_takes_no_part(tmp_path):
    fixture = "import pytest\n@pytest.fixture\ndef size(): return 4\n"
    suite = SUITE.replace("first = ex", f"{fixture}first = ex", 1).replace(
        "def test_two(student, draw)", "def test_two(student, draw, size)"
    )
    assert Graded(tmp_path, RIGHT, suite=suite, chosen=()).harmless == ["first.one", "first.three", "second.four"]


def test_parameters_of_a_check_are_given_to_it(tmp_path):
    suite = SUITE.replace(
        '@first.check("value", ko="둘")', '@pytest.mark.parametrize(\'size\', [4, 6])\n@first.check("value", ko="둘")'
    )
    suite = suite.replace("import torch", "import pytest\nimport torch", 1)
    suite = suite.replace("def test_two(student, draw)", "def test_two(student, draw, size)").replace(
        "draw.normal(4)", "draw.normal(size)"
    )
    graded = Graded(tmp_path, RIGHT, suite=suite, chosen=("first.one", "first.two[4]", "first.two[6]", "first.three"))
    assert graded.exchanges == [4, 1]
    assert set(graded.statuses.values()) == {"passed"}
    assert set(graded.harmless) == set(graded.verdicts)
