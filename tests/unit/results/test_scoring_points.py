"""How verdicts become points."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.results.scoring import plain, points_for, score_of, status_of, total_of
from grader.results.verdict import CheckVerdict, ManifestCheck, Status

from ...support.reports.report_parts import expected

POINTS = st.decimals(min_value="0.01", max_value=1000, places=2)


def verdict(status: Status, id: str = "f.x", excused: bool = False) -> CheckVerdict:
    return CheckVerdict(id=id, status=status, excused=excused)


def weighed(*pairs: tuple[int, CheckVerdict]) -> list[tuple[ManifestCheck, CheckVerdict]]:
    return [(expected("f.x", weight=weight), verdict) for weight, verdict in pairs]


def test_points_are_the_share_rounded_down_to_tenths(subtests: pytest.Subtests) -> None:
    for points, passed, total, wanted in [
        ("10", 0, 3, "0"), ("10", 1, 3, "3.3"), ("10", 2, 3, "6.6"), ("10", 3, 3, "10"), ("3", 1, 8, "0.3"),
        ("1", 1, 200, "0"), ("2.5", 1, 2, "1.2"), ("2.5", 2, 2, "2.5"), ("10", 99_999, 100_000, "9.9"),
        ("0.03", 1, 2, "0.015"), ("0.125", 7, 8, "0.1"), ("1E+1", 1, 2, "5"), ("0", 1, 2, "0"),
    ]:  # fmt: skip
        with subtests.test(points=points, passed=passed, total=total, wanted=wanted):
            assert str(points_for(Decimal(points), Fraction(passed, total))) == wanted


@given(POINTS, st.integers(1, 10_000), st.data())
def test_only_everything_is_full(points: Decimal, total: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, total))
    score = points_for(points, Fraction(passed, total))
    assert (score == points) == (passed == total)
    assert passed or score == 0
    assert 0 <= score <= points


@given(POINTS, st.integers(2, 10_000), st.data())
def test_a_score_is_at_most_a_tenth_below_the_share_and_never_falls(
    points: Decimal, total: int, data: st.DataObject
) -> None:
    passed = data.draw(st.integers(0, total - 1))
    score = points_for(points, Fraction(passed, total))
    assert 0 <= Fraction(points) * passed / total - Fraction(score) < Fraction(1, 10)
    assert score <= points_for(points, Fraction(passed + 1, total))


def test_equal_numbers_look_equal() -> None:
    shown = {text: str(plain(Decimal(text))) for text in ("10.00", "1E+1", "2.50", "0.00", "100")}
    assert shown == {"10.00": "10", "1E+1": "10", "2.50": "2.5", "0.00": "0", "100": "100"}


def test_a_total_is_exact() -> None:
    assert total_of([Decimal("0.1")] * 3) == Decimal("0.3")
    assert str(total_of([])) == "0"


def test_a_loss_costs_a_twentieth_at_least() -> None:
    checks = weighed((99, verdict("passed")), (1, verdict("failed")))
    assert score_of(Decimal(10), checks) == Decimal("9.5")
    assert score_of(Decimal(10), [*checks, (expected("f.x", weight=0), verdict("failed"))]) == Decimal("9.5")
    assert score_of(Decimal(10), weighed((1, verdict("passed")), (0, verdict("failed")))) == 10


def test_an_excused_check_counts_for_nothing() -> None:
    excused = (5, verdict("skipped", excused=True))
    assert score_of(Decimal(10), weighed((1, verdict("passed")), excused)) == 10
    assert score_of(Decimal(10), weighed((1, verdict("failed")), excused)) == 0
    assert score_of(Decimal(10), weighed(excused)) == 0


def test_nothing_but_passed_earns_points(subtests: pytest.Subtests) -> None:
    for status in ["failed", "error", "timeout", "memory", "crash", "forbidden", "missing", "skipped"]:
        with subtests.test(status=status):
            assert score_of(Decimal(10), weighed((1, verdict(status)))) == 0


def test_an_exercise_is_called_by_its_checks(subtests: pytest.Subtests) -> None:
    for statuses, wanted in [
        (["passed", "passed"], "passed"), (["passed", "timeout"], "partial"), (["passed", "skipped"], "partial"),
        (["missing", "missing"], "missing"), (["missing", "skipped"], "missing"),
        (["timeout", "skipped", "timeout"], "timeout"), (["failed", "error"], "failed"),
        (["timeout", "error"], "failed"), (["skipped"], "skipped"),
    ]:  # fmt: skip
        with subtests.test(statuses=statuses, wanted=wanted):
            assert status_of([verdict(status) for status in statuses]) == wanted


def test_an_exercise_with_only_excused_checks_is_skipped() -> None:
    assert status_of([verdict("skipped", excused=True)]) == "skipped"
    assert status_of([verdict("skipped", excused=True), verdict("passed")]) == "passed"
