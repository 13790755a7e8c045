"""Checks that only judge an answer: run to their end before it is there, and no second time where it is right."""

import textwrap

import pytest
import torch

from .open_workers import close_sessions
from .prefetched_runs import Graded, solution_of

SOLUTION = """
import torch
def first(x): return 2 * x
def second(x): return x.sum()
"""
BEGINNING = """
import torch
from grader.suite import checks, exercise
from grader.suite.golden import printed
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
CHOSEN = ("first.one", "first.two")
LINES = {
    "matches_reference": LINE,
    "matches_reference_on_each": (
        'checks.matches_reference_on_each(student, reference, "first", [checks.given(draw.normal(n)) for n in (2, 3)])'
    ),
    "computed_anew": ('checks.computed_anew(student, reference, "first", draw.normal(3), before=(draw.normal(3),))'),
    "computed_anew and unchanged": (
        'checks.computed_anew(student, reference, "first", draw.normal(3), before=(draw.normal(3),), unchanged=True)'
    ),
    "input_unchanged": 'checks.input_unchanged(student, "first", draw.normal(3))',
    "gradient_matches": 'checks.gradient_matches(student, reference, "first", draw.normal(3))',
    "no_forbidden_call": 'checks.no_forbidden_call(student, reference, "first", draw.normal(3))',
    "cost_does_not_grow": (
        'checks.cost_does_not_grow(student, reference, "first", (draw.normal(2),), (draw.normal(9),))'
    ),
    "close": "x = draw.normal(3); checks.close(student.first(x), reference.first(x), kind='value')",
    "close by keywords": "x = draw.normal(3); checks.close(expected=2.0 * x, actual=student.first(x))",
    "has_shape": "checks.has_shape(student.first(draw.normal(3)), (6 // 2,))",
    "has_dtype": "checks.has_dtype(student.first(draw.normal(3)), torch.float32)",
    "have_dtypes": (
        'checks.have_dtypes(checks.matches_reference_on_each(student, reference, "first", '
        "[checks.given(draw.normal(3, dtype=each)) for each in (torch.float32, torch.float64)]), "
        "(torch.float32, torch.float64))"
    ),
    "satisfies": (
        "asked = lambda answer: (checks.has_shape(answer, (3,)), checks.stays_finite(answer)); "
        "checks.satisfies(student.first(draw.normal(3)), asked)"
    ),
    "stays_finite": "checks.stays_finite(student.first(draw.normal(3)))",
    "rows_sum_to_one": "checks.rows_sum_to_one(student.first(torch.tensor([0.25, 0.25])))",
    "matches_figure": "checks.matches_figure(student.first(torch.tensor([0.25, 0.5])), printed('0.500 1.000'))",
    "a judgement of what was judged": f"checks.has_dtype({LINE}, torch.float32)",
}
SEVERAL = {"matches_reference_on_each": 2, "have_dtypes": 2, "cost_does_not_grow": 2}
"""The calls of a line that makes more than one."""
WRONG = {
    "input_unchanged": "def first(x): return x.mul_(2)\n",
    "has_shape": "def first(x): return x[:2]\n",
    "has_dtype": "def first(x): return x.double()\n",
    "have_dtypes": "def first(x): return 2 * x.float()\n",
    "computed_anew and unchanged": "def first(x): return x.mul_(2)\n",
    "satisfies": "def first(x): return x / 0\n",
    "stays_finite": "def first(x): return x / 0\n",
    "a judgement of what was judged": "def first(x): return 2 * x.double()\n",
}
"""A function that a line does not let pass; of the others three times as much."""


@pytest.fixture(autouse=True)
def _no_session_stays():
    yield
    close_sessions()


@pytest.fixture
def graded(tmp_path):
    """Return a function that grades a text and then asks which checks take part."""

    def grade(student, line=LINE, after="", chosen=CHOSEN):
        suite = BEGINNING + ONE.format(before="", line=line, after=after) + OTHERS
        return Graded(tmp_path, student, suite, chosen, solution=solution_of(SOLUTION))

    return grade


@pytest.fixture
def runs(tmp_path):
    """Return a function that tells how often a check's body was run while a text was graded."""

    def count(student, line=LINE, after="", chosen=CHOSEN):
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
    assert done.exchanges == [1 + SEVERAL.get(kind, 1), 1]
    assert times == 1


@pytest.mark.parametrize("kind", LINES)
def test_a_check_whose_answer_is_wrong_is_told_as_if_it_had_been_run_at_its_turn(runs, kind):
    wrong = WRONG.get(kind, "def first(x): return 3 * x\n") + "def second(x): return x.sum()\n"
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


STRICTLY = """
import contextlib
from grader.suite import compare
@contextlib.contextmanager
def strictly():
    usual, compare.tolerance = compare.tolerance, lambda *_: compare.Tolerance(0.0, 0.0)
    try:
        yield
    finally:
        compare.tolerance = usual
"""
AROUND = {
    "with": "with torch.no_grad(): {line}",
    "try": "try: {line}\nfinally: pass",
    "a helper within a with": "def ask(): {line}\nwith torch.no_grad(): ask()",
    "a helper that is wrapped": "@torch.no_grad()\ndef ask(): {line}\nask()",
    "a tolerance of its own": STRICTLY + "with strictly(): {line}",
}


def within_a_check(text):
    """Return lines as they stand in the body of a check, behind the indent of the first one."""
    return textwrap.indent(text, "    ").lstrip()


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("line", [LINE, "checks.close(student.first(torch.ones(3)), torch.full((3,), 2.0))"])
def test_nothing_is_put_off_where_something_around_it_has_a_say(runs, around, line):
    done, times = runs(SOLUTION, within_a_check(AROUND[around].format(line=line)))
    assert done.statuses["one"] == "passed"
    assert times == 2


def test_a_tolerance_that_holds_for_one_line_is_not_forgotten(runs):
    line = within_a_check(AROUND["a tolerance of its own"].format(line=LINE))
    nearly = SOLUTION.replace("2 * x", "2 * x * (1 + 1e-6)")
    assert runs(nearly)[0].statuses["one"] == "passed"
    for chosen in (CHOSEN, ()):
        assert runs(nearly, line, chosen=chosen)[0].statuses["one"] == "failed"


SWITCHED = {
    "what is expected is overwritten": (
        "x = draw.normal(3); expected = 2 * x; checks.close(student.first(x), expected)",
        "expected.zero_()",
    ),
    "gradients are off for one line": (f"torch.set_grad_enabled(False); {LINE}", "torch.set_grad_enabled(True)"),
    "another dtype for one line": (
        f"torch.set_default_dtype(torch.float64); {LINE}",
        "torch.set_default_dtype(torch.float32)",
    ),
}


@pytest.mark.parametrize("switched", SWITCHED)
def test_a_check_that_judges_in_other_surroundings_than_it_leaves_takes_no_part(graded, switched):
    line, after = SWITCHED[switched]
    done = graded(SOLUTION, line, after, chosen=())
    assert done.statuses["one"] == "passed"
    assert "first.one" not in done.harmless
    assert "first.two" in done.harmless


def test_two_judgements_are_asked_one_by_one(runs):
    done, times = runs(SOLUTION, f"{LINE}; {LINE}")
    assert done.statuses["one"] == "passed"
    assert times == 2


HELPERS = {
    "compares": "assert (x == y).all()",
    "asks torch": "assert torch.allclose(x, y)",
    "asks for its kind": "assert isinstance(x, torch.Tensor)",
    "asks for its type": "assert type(x) is torch.Tensor",
    "asks whether there is any": "assert x is not None",
    "unpacks": "a, b, c = x",
    "judges": "checks.close(x, y)",
    "takes another way without it": "checks.close(x, y) if type(x) is torch.Tensor else checks.is_true(True, '', '')",
    "judges less without it": "checks.close(x, y) if type(x) is torch.Tensor else checks.stays_finite(x)",
}


@pytest.mark.parametrize("helper", HELPERS)
def test_a_function_of_the_suite_gets_the_answer_itself(runs, helper):
    line = f"""x = draw.normal(3)
    def helper(x, y): {HELPERS[helper]}
    helper(student.first(x), 2 * x)"""
    for answer in ("2 * x", "3 * x", "None"):
        (done, _), (singly, _) = (runs(SOLUTION.replace("2 * x", answer), line, chosen=c) for c in (CHOSEN, ()))
        assert done.statuses == singly.statuses
        assert done.statuses["one"] == "passed" or answer != "2 * x"
