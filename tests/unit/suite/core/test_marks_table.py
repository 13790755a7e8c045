"""The table of marks: what each check of an exercise with a contract weighs."""

from fractions import Fraction

import pytest

from grader.suite.core.marks import MARKS, ROW_OF, ROWS, Row, weights


def test_the_table_is_of_a_hundred_and_every_row_is_worth_something() -> None:
    assert sum(MARKS.values()) == 100 and min(MARKS.values()) > 0
    assert set(ROWS) == set(MARKS) and set(ROW_OF.values()) == set(ROWS)


@pytest.mark.parametrize(
    "rows",
    [
        [*ROWS],
        *([row for row in ROWS if row != missing] for missing in ROWS),
        [*ROWS, *["values"] * 6, *["properties"] * 7, *["point"] * 4, "gradients", None, None],
        ["values"] * 3,
        ["values", "properties", "properties", "properties"],
    ],
)
def test_each_row_that_has_checks_weighs_its_part_of_them_all_in_whole_numbers_and_is_shared_alike(
    rows: list[Row | None],
) -> None:
    numbers = weights([(row, 1) for row in rows])
    assert all(isinstance(number, int) for number in numbers)
    assert all((number > 0) == (row is not None) for number, row in zip(numbers, rows, strict=True))
    known = {row for row in rows if row is not None}
    whole = sum(MARKS[row] for row in known)
    for row in known:
        of_row = [number for number, other in zip(numbers, rows, strict=True) if other == row]
        assert Fraction(sum(of_row), sum(numbers)) == Fraction(MARKS[row], whole)
        assert len(set(of_row)) == 1


def test_an_exercise_of_policy_checks_alone_has_no_weight() -> None:
    assert weights([(None, 0), (None, 0)]) == [0, 0] and weights([]) == []


def test_a_policy_check_is_in_no_row_and_a_check_of_every_other_category_in_one() -> None:
    assert "policy" not in ROW_OF
    assert (ROW_OF["value"], ROW_OF["document"], ROW_OF["shape"]) == ("values", "values", "properties")
    assert (ROW_OF["purity"], ROW_OF["stability"], ROW_OF["device"]) == ("unchanged", "point", "device")


def test_a_check_of_more_weight_gets_more_of_its_row_and_of_no_other() -> None:
    numbers = weights([("values", 1), ("values", 2), ("gradients", 1)])
    assert numbers[1] == 2 * numbers[0]
    assert Fraction(numbers[0] + numbers[1], numbers[2]) == Fraction(MARKS["values"], MARKS["gradients"])
