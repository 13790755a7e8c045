"""Checks that only judge an answer: run to their end before it is there, and no second time where it is right."""

import inspect
import sys
from types import SimpleNamespace

import pytest
import torch

from grader.suite.judging import judged, lets_go

from .open_workers import close_sessions
from .test_prefetch import Graded, solution_of

SOLUTION = """
import torch
def first(x): return 2 * x
def second(x): return x.sum()
"""
BEGINNING = """
import torch
from grader.suite import checks, exercise
first = exercise("first")
second = exercise("second")
SEEN = []
"""
ONE = '''
@first.check("value", ko="하나")
def test_one(student, reference, draw):
    """Doubled."""
    {before}
    {line}
    {after}
'''
OTHERS = '''
@first.check("value", ko="둘")
def test_two(student, reference, draw):
    """Doubled again."""
    checks.matches_reference(student, reference, "first", draw.normal(4))

@second.check("value", ko="셋")
def test_three(student, reference, draw):
    """A sum."""
    checks.matches_reference(student, reference, "second", draw.normal(4))
'''
LINE = 'checks.matches_reference(student, reference, "first", draw.normal(3))'
LINES = {
    "matches_reference": LINE,
    "matches_reference_on_each": (
        'checks.matches_reference_on_each(student, reference, "first", [checks.given(draw.normal(n)) for n in (2, 3)])'
    ),
    "input_unchanged": 'checks.input_unchanged(student, "first", draw.normal(3))',
    "gradient_matches": 'checks.gradient_matches(student, reference, "first", draw.normal(3))',
}


@pytest.fixture(autouse=True)
def _no_session_stays():
    yield
    close_sessions()


@pytest.fixture
def graded(tmp_path):
    """Return a function that grades a text and then asks which checks take part."""

    def grade(student, line=LINE, after="", chosen=("first.one", "first.two")):
        suite = BEGINNING + ONE.format(before="", line=line, after=after) + OTHERS
        return Graded(tmp_path, student, suite, chosen, solution=solution_of(SOLUTION))

    return grade


@pytest.fixture
def runs(tmp_path):
    """Return a function that tells how often a check's body was run while a text was graded."""

    def count(student, line=LINE, after="", chosen=("first.one", "first.two")):
        seen = tmp_path / "seen"
        seen.write_text("")
        before = f"with open({str(seen)!r}, 'a') as file: file.write('x')"
        suite = BEGINNING + ONE.format(before=before, line=line, after=after) + OTHERS
        done = Graded(tmp_path, student, suite, chosen, solution=solution_of(SOLUTION), proves=False)
        return done, len(seen.read_text())

    return count


@pytest.mark.parametrize("kind", LINES)
def test_a_check_whose_answer_is_right_is_run_once(runs, kind):
    done, times = runs(SOLUTION, LINES[kind])
    assert done.statuses == {"one": "passed", "two": "passed", "three": "passed"}
    assert done.exchanges == [2 + (kind == "matches_reference_on_each"), 1]
    assert times == 1


@pytest.mark.parametrize("kind", LINES)
def test_a_check_whose_answer_is_wrong_is_told_as_if_it_had_been_run_at_its_turn(runs, kind):
    wrong = {"input_unchanged": "def first(x): return x.mul_(2)\n"}.get(kind, "def first(x): return 3 * x\n")
    wrong += "def second(x): return x.sum()\n"
    done, _ = runs(wrong, LINES[kind])
    singly, _ = runs(wrong, LINES[kind], chosen=())
    one, other = done.verdicts["first.one"], singly.verdicts["first.one"]
    assert one.status == "failed"
    for part in ("found", "found_ko", "attempts", "suite_line", "diagnosis", "output"):
        assert getattr(one, part) == getattr(other, part)


LOOKS = ["assert answer.shape == (3,)", "assert type(answer) is torch.Tensor", "assert answer is not None"]


@pytest.mark.parametrize("after", LOOKS)
def test_a_check_that_keeps_the_answer_is_run_with_the_answer(runs, after):
    line = f"answer = {LINE}"
    done, times = runs(SOLUTION, line, after)
    assert done.statuses["one"] == "passed"
    assert done.exchanges == [2, 1]
    assert times == 2
    wrong, _ = runs(SOLUTION, line, f"{after} and False")
    assert wrong.statuses["one"] != "passed"


def test_what_comes_after_the_judgement_counts_too(runs):
    done, _ = runs(SOLUTION, LINE, "assert draw.normal(1).numel() == 2")
    assert done.statuses["one"] != "passed"


@pytest.mark.parametrize(("student", "passes"), [(SOLUTION.replace("2 * x", "3 * x"), True), (SOLUTION, False)])
def test_an_exception_that_a_check_waits_for_is_seen_by_it(runs, student, passes):
    line = f"""import pytest
    from grader.suite.failures import CheckFailed
    with pytest.raises(CheckFailed): {LINE}"""
    done, _ = runs(student, line)
    assert (done.statuses["one"] == "passed") == passes


def test_a_check_that_changes_its_inputs_afterwards_takes_no_part(graded):
    line = f"x = draw.normal(3); {LINE.replace('draw.normal(3)', 'x')}"
    assert "first.one" in graded(SOLUTION, line, chosen=()).harmless
    assert "first.one" not in graded(SOLUTION, line, after="x.zero_()", chosen=()).harmless


@pytest.mark.parametrize("after", ["torch.rand(1)", "SEEN.append(1)", "torch.set_default_dtype(torch.float64)"])
def test_a_check_that_leaves_something_behind_after_it_has_asked_takes_no_part(graded, after):
    try:
        assert "first.one" not in graded(SOLUTION, after=after, chosen=()).harmless
    finally:
        torch.set_default_dtype(torch.float32)


def test_two_judgements_are_asked_one_by_one(runs):
    done, times = runs(SOLUTION, f"{LINE}; {LINE}")
    assert done.statuses["one"] == "passed"
    assert times == 2


FRAMES = {
    "dropped": ("ask()", True),
    "dropped with a keyword": ("ask(more=1)", True),
    "dropped by a method": ("self.ask(1, [n for n in (1, 2)])", True),
    "named": ("answer = ask()", False),
    "returned": ("return ask()", False),
    "unpacked": ("a, b = ask()", False),
    "asked for its type": ("type(ask())", False),
    "compared": ("ask() is None", False),
    "one of a list": ("[ask() for _ in range(2)]", False),
    "in a condition": ("if ask(): pass", False),
    "named on the way": ("(answer := ask())", False),
    "yielded": ("yield ask()", False),
    "entered": ("with ask(): pass", False),
}


@pytest.mark.parametrize("frame", FRAMES)
def test_only_a_call_whose_result_is_dropped_at_once_is_let_go_of(frame):
    line, expected = FRAMES[frame]
    seen = []

    class Entered:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def __iter__(self):
            return iter((1, 2))

    def ask(*_, **__):
        seen.append(lets_go(sys._getframe(1)))
        return Entered()

    space = {"ask": ask, "self": SimpleNamespace(ask=ask)}
    exec(f"def check():\n    {line}\n    return 2\n", space)
    for _ in range(20):  # Python makes code faster that has run a few times
        done = space["check"]()
        _ = list(done) if inspect.isgenerator(done) else done
    assert set(seen) == {expected}


def test_an_answer_that_is_there_is_judged_at_once():
    assert judged(lambda: 2, lambda given: given + 1) == 3
