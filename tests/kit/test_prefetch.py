"""The first calls of checks are made together, and nobody's verdict depends on it."""

import pytest

from grader.workers.policy import TextReading

from .open_workers import close_sessions
from .prefetched_runs import ALL, ALL_PASSED, COUNTING, FIRST, KEPT, RIGHT, SUITE, THIRD, Graded


@pytest.fixture(autouse=True)
def _no_session_stays():
    yield
    close_sessions()


def test_the_calls_of_an_exercise_go_in_one_exchange(tmp_path):
    graded = Graded(tmp_path, RIGHT)
    assert graded.statuses == ALL_PASSED
    assert graded.exchanges == [3, 1]


def test_the_calls_of_all_exercises_go_in_one_exchange(tmp_path):
    graded = Graded(tmp_path, RIGHT, chosen=ALL)
    assert graded.statuses == ALL_PASSED
    assert graded.exchanges == [4]


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


def test_a_check_that_is_not_worth_running_is_not_run_for_its_answer(tmp_path):
    suite = SUITE.replace('"value", ko="둘"', '"value", needs=("test_one",), ko="둘"')
    graded = Graded(tmp_path, RIGHT.replace("2 * x", "3 * x"), suite=suite)
    assert graded.statuses["two"] == "skipped"


def test_a_source_that_cannot_be_loaded_is_told_as_ever(tmp_path):
    text = "def first(x) return 2 * x\n"
    ahead, singly = Graded(tmp_path, text), Graded(tmp_path, text, chosen=())
    assert "passed" not in ahead.statuses.values()
    assert ahead.statuses == singly.statuses
