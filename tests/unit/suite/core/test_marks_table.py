"""The table of marks: what each check of an exercise with a contract weighs."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from grader.suite.core.marks import MARKS, ROW_OF, ROWS, Row, weights


def shares(rows: Sequence[Row | None]) -> list[Fraction]:
    """Return the percentage of each check."""
    found = weights([(row, 1) for row in rows])
    return [Fraction(100 * each, sum(found)) for each in found]


def test_the_table_is_of_a_hundred_and_every_row_is_worth_something() -> None:
    assert sum(MARKS.values()) == 100 and min(MARKS.values()) > 0
    assert set(ROWS) == set(MARKS) and set(ROW_OF.values()) == set(ROWS)


def test_one_check_of_each_row_weighs_what_the_table_says() -> None:
    assert shares(ROWS) == [MARKS[row] for row in ROWS]


def test_checks_of_a_row_share_what_it_is_worth() -> None:
    found = shares([*ROWS, "values", "values", "device"])
    assert [each for each, row in zip(found, [*ROWS, "values", "values"], strict=False) if row == "values"] == [10] * 3
    assert found[ROWS.index("device")] == found[-1] == Fraction(MARKS["device"], 2)
    assert found[ROWS.index("gradients")] == MARKS["gradients"]


@pytest.mark.parametrize("missing", ROWS)
def test_a_row_without_a_check_is_spread_over_the_others_in_proportion(missing: Row) -> None:
    rows = [row for row in ROWS if row != missing]
    left = 100 - MARKS[missing]
    assert shares(rows) == [Fraction(100 * MARKS[row], left) for row in rows]


def test_a_check_in_no_row_weighs_nothing_and_takes_nothing() -> None:
    found = weights([(row, 1) for row in [*ROWS, None, None]])
    assert found[-2:] == [0, 0] and found[:-2] == weights([(row, 1) for row in ROWS])


@pytest.mark.parametrize(
    "rows",
    [
        [*ROWS, *["values"] * 6, *["properties"] * 7, *["point"] * 4, "gradients", None],
        ["values"] * 3,
        ["values", "properties", "properties", "properties"],
    ],
)
def test_weights_are_positive_whole_numbers_in_exact_proportion(rows: list[Row | None]) -> None:
    found = weights([(row, 1) for row in rows])
    assert all(isinstance(each, int) for each in found)
    assert all((each > 0) == (row is not None) for each, row in zip(found, rows, strict=True))
    known = {row for row in rows if row is not None}
    whole = sum(MARKS[row] for row in known)
    for row in known:
        of_row = sum(each for each, other in zip(found, rows, strict=True) if other == row)
        assert Fraction(of_row, sum(found)) == Fraction(MARKS[row], whole)


def test_an_exercise_of_policy_checks_alone_has_no_weight() -> None:
    assert weights([(None, 0), (None, 0)]) == [0, 0] and weights([]) == []


def test_a_policy_check_is_in_no_row_and_a_check_of_every_other_category_in_one() -> None:
    assert "policy" not in ROW_OF
    assert (ROW_OF["value"], ROW_OF["document"], ROW_OF["shape"]) == ("values", "values", "properties")
    assert (ROW_OF["purity"], ROW_OF["stability"], ROW_OF["device"]) == ("unchanged", "point", "device")


def test_a_check_of_more_weight_gets_more_of_its_row_and_of_no_other() -> None:
    found = weights([("values", 1), ("values", 2), ("gradients", 1)])
    assert found[1] == 2 * found[0]
    assert Fraction(found[0] + found[1], found[2]) == Fraction(MARKS["values"], MARKS["gradients"])
