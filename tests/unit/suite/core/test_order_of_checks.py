"""The checks of an assignment in another order, and one check with those that it needs."""

from types import SimpleNamespace

import pytest

from grader.errors import UsageError
from grader.suite.core.exercise_decorator import CheckSpec
from grader.suite.core.manifest import Check, only_with_needs, shuffled


def check(id, visibility="hidden", needs=()):
    spec = CheckSpec(exercise=id.partition(".")[0], category="value", weight=2, sentence="It is asked.",
                     sentence_ko="묻는다.", needs=needs, row="values")  # fmt: skip
    return Check(id=id, item=SimpleNamespace(nodeid=f"test_{id}"), spec=spec, visibility=visibility)


CHECKS = [
    check("a.seen", "visible"), check("a.first"), check("a.second", needs=("test_first",)), check("a.each[1]"),
    check("a.each[2]"), check("a.last", needs=("second", "each")), check("b.seen", "visible"), check("b.only"),
]  # fmt: skip


def ids(checks):
    return [check.id for check in checks]


def test_another_order_has_every_check_once_the_visible_ones_first_and_each_behind_what_it_needs():
    orders = {tuple(ids(shuffled(CHECKS, seed))) for seed in range(20)}
    assert len(orders) > 10
    for order in orders:
        assert sorted(order) == sorted(ids(CHECKS)) and set(order[:2]) == {"a.seen", "b.seen"}
        place = {name: number for number, name in enumerate(order)}
        assert place["a.first"] < place["a.second"] < place["a.last"]
        assert max(place["a.each[1]"], place["a.each[2]"]) < place["a.last"]
    assert ids(shuffled(CHECKS, 3)) == ids(shuffled(CHECKS, 3))


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        ("a.first", ["a.first"]),
        ("a.second", ["a.first", "a.second"]),
        ("a.each", ["a.each[1]", "a.each[2]"]),
        ("a.each[2]", ["a.each[2]"]),
        ("a.last", ["a.first", "a.second", "a.each[1]", "a.each[2]", "a.last"]),
    ],
)
def test_one_check_comes_with_all_that_it_needs(wanted, chosen):
    assert ids(only_with_needs("01_a", CHECKS, wanted)) == chosen


@pytest.mark.parametrize(("wanted", "told"), [("a.frist", "a.first"), ("q", "`a.first`, `a.last`")])
def test_an_unknown_check_is_refused_with_what_may_have_been_meant(wanted, told):
    with pytest.raises(UsageError) as refused:
        only_with_needs("01_a", CHECKS, wanted)
    assert told in str(refused.value)
