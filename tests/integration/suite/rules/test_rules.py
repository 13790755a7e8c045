"""The proof of the rules of a contract: each spoilt answer loses the rules that it breaks, and no other."""

import pytest

from grader.suite.rules.items import RULES

from ....support.exercises import spoilt_classes, spoilt_functions
from ....support.exercises.ruled_exercises import MODULES, by_rules, right


@pytest.fixture(scope="module", params=[spoilt_functions, spoilt_classes], ids=["functions", "classes"])
def table(request):
    """The answers of a kind."""
    return request.param


@pytest.fixture(scope="module")
def graded(table, tmp_path_factory):
    """What came of each answer, by name."""
    answers = {f"right {exercise}": right(exercise) for exercise in table.EXERCISES}
    answers |= table.STYLES | {name: given for name, (given, _) in {**table.SPOILT, **table.TRIVIAL}.items()}
    answers |= {f"ends for {kind}": given for kind, (given, _) in table.ENDS.items()}
    return by_rules(tmp_path_factory.mktemp("rules"), {**answers, "hangs": table.HANGS})


def test_a_right_answer_passes_every_rule_of_its_contract(table, graded):
    for exercise in table.EXERCISES:
        assert set(graded[f"right {exercise}"].statuses.values()) == {"passed"}, exercise


def test_all_rules_of_a_right_answer_read_one_exchange_with_one_worker(table, graded):
    for exercise in {*table.EXERCISES} - {"residual"}:
        seen = graded[f"right {exercise}"]
        assert (len(seen.exchanges), seen.workers) == (1, 1), exercise
        assert seen.exchanges[0] < (60 if exercise in MODULES else 2 * len(RULES)), exercise


def test_a_right_answer_in_another_style_passes_every_rule(table, graded):
    for name in table.STYLES:
        assert set(graded[name].statuses.values()) == {"passed"}, name


def test_a_spoilt_answer_loses_the_rules_that_it_breaks_and_no_other(table, graded):
    assert {name: graded[name].lost for name in table.SPOILT} == {
        name: lost for name, (_, lost) in table.SPOILT.items()
    }


def test_an_answer_that_depends_on_nothing_passes_no_rule_and_is_told_why(table, graded, subtests):
    for name, (_, says) in table.TRIVIAL.items():
        with subtests.test(name=name):
            passed = {rule for rule, status in graded[name].statuses.items() if status == "passed"}
            assert says in graded[name].messages["uses_inputs"]
            assert passed <= {"written_by_hand"}


def test_a_rule_is_left_out_where_the_one_that_it_needs_is_lost_and_nowhere_else(graded, subtests):
    for name, seen in graded.items():
        with subtests.test(name=name):
            passed = {"", *(rule for rule, status in seen.statuses.items() if status == "passed")}
            asked = seen.statuses.keys() - {"uses_inputs", "written_by_hand"}
            left_out = {rule for rule in asked if not {"uses_inputs", RULES[rule].needs} <= passed}
            told = {rule for rule, status in seen.statuses.items() if status in ("forbidden", "timeout")}
            assert {rule for rule, status in seen.statuses.items() if status == "skipped"} == left_out - told


def test_a_forbidden_call_has_a_status_of_its_own_also_in_a_wrong_answer_and_in_either_mode(table, graded):
    assert {graded[name].statuses["written_by_hand"] for name in table.LIBRARY} == {"forbidden"}


def test_an_answer_that_ends_its_process_in_one_kind_of_call_loses_the_rules_that_read_it(table, graded, subtests):
    for kind, (_, lost) in table.ENDS.items():
        with subtests.test(kind=kind):
            seen = graded[f"ends for {kind}"]
            assert seen.lost == lost
            assert {seen.statuses[rule] for rule in seen.lost} == {"crash"}
            assert seen.workers <= 2


def test_an_endless_loop_in_one_kind_of_call_ends_the_exercise_and_not_the_rules_before_it(table, graded):
    statuses = list(graded["hangs"].statuses.values())
    before = statuses.count("passed")
    assert set(statuses) == {"passed", "timeout"} and statuses[-1] == "timeout"
    assert statuses[0] == "passed" and (before == 1 or table is spoilt_classes)


def test_every_rule_is_lost_by_an_answer_that_loses_few_others(table, graded):
    rules = {rule for exercise in table.EXERCISES for rule in graded[f"right {exercise}"].statuses} - {"uses_inputs"}
    least = {rule: min(len(lost) for _, lost in table.SPOILT.values() if rule in lost) for rule in rules}
    assert all(count <= (2 if table is spoilt_functions else 4) for count in least.values()), least
