"""Checks pause at their questions and ask together; what each comes to is what it comes to by itself."""

import pytest

from grader.workers.source_loading import TextReading

from ....support.exercises.small_suites import ALL_PASSED, COUNTING, HEAD, RIGHT, SUITE, SmallRun, check, suite_with


def test_the_first_questions_of_all_checks_go_in_one_exchange(tmp_path):
    graded = SmallRun(tmp_path, RIGHT)
    assert graded.statuses == ALL_PASSED
    assert graded.exchanges == [4]


def test_a_check_that_says_so_asks_alone(tmp_path):
    graded = SmallRun(tmp_path, RIGHT, suite_with(two=", alone=True"))
    assert graded.statuses == ALL_PASSED and graded.exchanges == [3, 1]


def test_a_check_goes_on_from_its_line_whatever_stands_around_its_question(tmp_path):
    suite = f"""{HEAD}
lines = []

@first.check("value", ko="하나")
def test_one(student):
    '''Asks in a loop, in `try` and in `with`, and looks at each answer.'''
    lines.append("began")
    total = sum(student.first(x) for x in (1, 2))
    with torch.no_grad():
        total += student.first(total)
        assert not torch.is_grad_enabled()
    try:
        student.first("x")
    except Exception as error:
        total += 1
    assert total == 6 + 12 + 1, total
    assert lines == ["began"], "the body ran more than once"

{check("two", "assert student.first(1) == 2 and torch.is_grad_enabled()")}"""
    graded = SmallRun(tmp_path, "def first(x): return 2 * x if x != 'x' else 1 / 0\n", suite)
    assert graded.statuses == {"one": "passed", "two": "passed"}, graded.verdicts
    assert graded.exchanges == [2, 1, 1, 1]


def test_torch_is_found_as_a_check_left_it(tmp_path):
    suite = f"""{HEAD}
@first.check("value", ko="하나")
def test_one(student):
    '''Draws around its question what it would draw by itself.'''
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(5)
    expected = [torch.rand(1) for _ in range(2)]
    torch.manual_seed(5)
    found = [torch.rand(1)]
    student.first(1)
    found.append(torch.rand(1))
    assert found == expected and torch.get_default_dtype() == torch.float64
    torch.set_default_dtype(torch.float32)

@first.check("value", ko="둘")
def test_two(student):
    '''Draws in between.'''
    student.first(torch.rand(1))
    assert torch.rand(1).dtype == torch.float32
"""
    assert SmallRun(tmp_path, RIGHT, suite).statuses == {"one": "passed", "two": "passed"}


def test_no_later_input_is_there_before_the_earlier_checks_have_come_to_their_end(tmp_path):
    suite = suite_with(two=', visibility="visible"')
    graded = SmallRun(tmp_path, COUNTING.format(what="print(calls, x.numel())"), suite)
    assert graded.statuses == ALL_PASSED
    assert list(graded.verdicts) == ["two", "one", "three", "four"]
    assert [graded.verdicts[name].output for name in ("two", "one", "three")] == ["1 4\n", "2 3\n", "3 5\n"]
    assert graded.exchanges == [1, 3]


def test_what_a_call_prints_belongs_to_its_check(tmp_path):
    graded = SmallRun(tmp_path, COUNTING.format(what="print('size', x.numel())"))
    outputs = [graded.verdicts[name].output for name in ("one", "two", "three")]
    assert outputs == ["size 3\n", "size 4\n", "size 5\n"]


def test_every_check_begins_with_the_same_random_numbers_and_goes_on_to_others(tmp_path):
    suite = f"""{HEAD}
{check("one", "assert student.first() != student.first()")}
{check("two", "assert student.first() != student.first()", "second")}"""
    text = "import torch\ndef first():\n    drawn = torch.rand(1).item()\n    print(drawn)\n    return drawn\n"
    together, alone = (SmallRun(tmp_path, text, suite, together=each) for each in (True, False))
    assert together.statuses == {"one": "passed", "two": "passed"}
    assert together.verdicts["one"].output == together.verdicts["two"].output == alone.verdicts["two"].output


# -- what goes wrong ------------------------------------------------------------------------------------------------


def test_wrong_answers_are_reported_as_they_are_where_checks_ask_alone(tmp_path):
    text = RIGHT.replace("2 * x", "3 * x if x.numel() == 4 else 2 * x")
    together, alone = (SmallRun(tmp_path, text, together=each) for each in (True, False))
    assert together.statuses == {**ALL_PASSED, "two": "failed"}
    for name, verdict in together.verdicts.items():
        other = alone.verdicts[name]
        assert (verdict.status, verdict.found, verdict.attempts) == (other.status, other.found, other.attempts)
    assert "not doubled" in together.verdicts["two"].exception_text
    assert together.verdicts["two"].suite_line == alone.verdicts["two"].suite_line is not None


def test_answers_that_are_too_large_together_are_asked_for_one_by_one(tmp_path):
    suite = SUITE.replace("draw.normal(3)", "draw.normal(1000)").replace("draw.normal(4)", "draw.normal(1000)")
    graded = SmallRun(tmp_path, RIGHT, suite, reply_bytes=6000)
    assert graded.statuses == ALL_PASSED
    assert not graded.run.asks_alone


@pytest.mark.parametrize("unwritten", ["def first(x): raise NotImplementedError\n", ""], ids=["stub", "absent"])
def test_an_exercise_that_is_not_written_is_not_asked_for_together(tmp_path, unwritten):
    text = f"{unwritten}def second(): return 2\n"
    reading = TextReading(stubs=frozenset({"first"})) if unwritten else TextReading(absent=frozenset({"first"}))
    graded = SmallRun(tmp_path, text, reading=reading)
    assert graded.statuses == {"one": "missing", "two": "missing", "three": "missing", "four": "passed"}
