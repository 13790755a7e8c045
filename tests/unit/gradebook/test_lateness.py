"""Lateness costs what the rules say, never more than there is, never less for more days, by the clock on the wall."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.gradebook.lateness import Penalty, Step, days_after, days_late, instant, lowest, points_after

BERLIN = ZoneInfo("Europe/Berlin")
DUE = datetime(2026, 3, 1, 18, tzinfo=ZoneInfo("Asia/Seoul"))
PERCENTS = st.decimals(0, 100, places=1)
STEPS = st.lists(st.tuples(st.integers(1, 40), PERCENTS), max_size=4).map(
    lambda pairs: [
        Step(from_day=day, percent=percent)
        for day, percent in zip(
            sorted({day for day, _ in pairs}), sorted(percent for _, percent in pairs), strict=False
        )
    ]
)
PENALTIES = st.builds(
    Penalty,
    grace=st.timedeltas(timedelta(), timedelta(hours=30)),
    per_day=PERCENTS,
    most=PERCENTS,
    steps=STEPS,
    zero_after=st.none() | st.integers(0, 20),
)
POINTS = (
    st.integers(0, 400)
    .flatmap(lambda most: st.tuples(st.integers(0, most), st.just(most)))
    .map(lambda pair: (Decimal(pair[0]) / 10, Decimal(pair[1]) / 10))
)
ZONES = st.sampled_from(
    [UTC, BERLIN, ZoneInfo("Asia/Seoul"), ZoneInfo("America/New_York"), timezone(timedelta(hours=9))]
)
MOMENTS = st.builds(
    lambda day, second, zone: datetime(2026, 1, 1, tzinfo=zone) + timedelta(days=day, seconds=second),
    st.integers(0, 364), st.integers(0, 86_399), ZONES,
)  # fmt: skip


@given(POINTS, PENALTIES, st.integers(0, 60))
def test_what_counts_is_between_nothing_and_the_raw_points(points, penalty, days):
    raw, most = points
    counted = points_after(raw, most, penalty, days)
    assert 0 <= counted <= raw
    assert counted == round(counted, 2)


@given(POINTS, PENALTIES, st.integers(0, 60), st.integers(0, 60))
def test_more_days_never_count_more(points, penalty, days, more):
    raw, most = points
    assert points_after(raw, most, penalty, days + more) <= points_after(raw, most, penalty, days)


@given(POINTS, PENALTIES)
def test_what_is_on_time_counts_as_it_is(points, penalty):
    raw, most = points
    assert points_after(raw, most, penalty, 0) == raw


@given(
    MOMENTS, st.timedeltas(timedelta(), timedelta(days=40)), st.timedeltas(timedelta(), timedelta(days=40)), PENALTIES
)
def test_who_hands_in_later_is_never_less_late(due, first, more, penalty):
    early = (due.astimezone(UTC) + first).astimezone(due.tzinfo)
    assert days_late(early, due, penalty.grace) <= days_late(early.astimezone(UTC) + more, due, penalty.grace)


@given(MOMENTS, MOMENTS, st.integers(1, 30), PENALTIES, POINTS)
def test_an_extension_never_costs_anything(due, submitted, days, penalty, points):
    raw, most = points
    before, after = (days_late(submitted, each, penalty.grace) for each in (due, days_after(due, days)))
    assert after <= before
    assert points_after(raw, most, penalty, after) >= points_after(raw, most, penalty, before)


@given(MOMENTS, MOMENTS)
def test_the_days_end_at_the_same_time_of_day(due, submitted):
    days = days_late(submitted, due)
    if days:
        assert submitted.astimezone(UTC) <= days_after(due, days).astimezone(UTC)
        assert submitted.astimezone(UTC) > (due if days == 1 else days_after(due, days - 1)).astimezone(UTC)


@pytest.mark.parametrize(
    ("seconds", "days"),
    [(-1, 0), (0, 0), (900, 0), (901, 1), (900 + 86_400, 1), (901 + 86_400, 2), (900 + 7 * 86_400, 7)],
)
def test_the_first_day_begins_where_the_grace_ends(seconds, days):
    assert days_late(DUE + timedelta(seconds=seconds), DUE, timedelta(minutes=15)) == days


@pytest.mark.parametrize(
    ("submitted", "days"),
    [
        ("2026-10-25T23:59:00", 1),  # the clocks went back that night: 25 hours
        ("2026-10-26T00:00:00", 2),
        ("2026-10-24T21:59:00+00:00", 0),
        ("2026-10-24T22:00:00+00:00", 1),
    ],
)
def test_a_day_is_one_by_the_clock_also_when_the_clocks_change(submitted, days):
    moment = instant(datetime.fromisoformat(submitted), BERLIN, later=False)
    assert days_late(moment, datetime(2026, 10, 24, 23, 59, tzinfo=BERLIN)) == days
    spring = datetime(2026, 3, 28, 23, 59, tzinfo=BERLIN)  # the next day has 23 hours
    assert days_late(datetime(2026, 3, 29, 23, 59, tzinfo=BERLIN), spring) == 1
    assert days_late(datetime(2026, 3, 30, 0, 0, tzinfo=BERLIN), spring) == 2


def test_a_time_that_the_clock_shows_twice_is_taken_in_favour_of_the_student():
    twice = datetime(2026, 10, 25, 2, 30)
    due, submitted = instant(twice, BERLIN, later=True), instant(twice, BERLIN, later=False)
    assert due.astimezone(UTC).hour == 1
    assert submitted.astimezone(UTC).hour == 0
    assert instant(twice, None, later=True) is None


@pytest.mark.parametrize(
    ("penalty", "counted"),
    [
        (Penalty(), ["27", "27", "27", "27"]),
        (Penalty(per_day=Decimal(10)), ["27", "24", "18", "0"]),
        (Penalty(per_day=Decimal(10), most=Decimal(25)), ["27", "24", "19.5", "19.5"]),
        (Penalty(per_day=Decimal(10), zero_after=2), ["27", "24", "0", "0"]),
        (Penalty(steps=[Step(from_day=1, percent=Decimal(5)), Step(from_day=3, percent=Decimal(50))]),
         ["27", "25.5", "12", "12"]),
        (Penalty(zero_after=0), ["27", "0", "0", "0"]),
        (Penalty(per_day=Decimal("0.05")), ["27", "26.99", "26.96", "26.55"]),  # 26.985 and 26.955 are rounded half up
    ],
)  # fmt: skip
def test_a_penalty_is_a_share_of_the_maximum(penalty, counted):
    found = [points_after(Decimal(27), Decimal(30), penalty, days) for days in (0, 1, 3, 30)]
    assert list(map(str, found)) == counted


@pytest.mark.parametrize(
    ("number", "dropped"), [(0, []), (1, ["b"]), (2, ["a", "b"]), (3, ["a", "b"]), (9, ["a", "b"])]
)
def test_the_lowest_share_of_the_maximum_is_dropped_and_one_stays(number, dropped):
    counted = [("a", Decimal(10), Decimal(20)), ("b", Decimal(9), Decimal(30)), ("c", Decimal(8), Decimal(10))]
    assert lowest(counted, number) == dropped


def test_of_equal_shares_the_smaller_maximum_is_dropped():
    assert lowest([("a", Decimal(10), Decimal(20)), ("b", Decimal(5), Decimal(10))], 1) == ["b"]
    assert lowest([], 1) == []


def test_what_was_not_handed_in_is_dropped_before_a_graded_0():
    assert lowest([("a", Decimal(0), Decimal(10)), ("b", None, Decimal(20)), ("c", Decimal(3), Decimal(9))], 1) == ["b"]
