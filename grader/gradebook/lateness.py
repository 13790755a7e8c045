"""How late something is, and what that takes off: times and points in, days and points out.

All comparisons are of instants; days are counted by the clock on the wall of the due date's time zone, so that
"until 23:59 on the next day" is one day also when the clocks change that night.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from fractions import Fraction

import msgspec

from grader.results.scoring import HUNDREDTH, nearest, plain

DAY = timedelta(days=1)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """From which day late on how many percent of the maximum are taken off."""

    from_day: int
    percent: Decimal


class Penalty(msgspec.Struct, frozen=True, kw_only=True):
    """What lateness takes off, in percent of the maximum.

    Attributes:
        grace: How long after the due date nothing is late.
        per_day: Percent for each day that has begun.
        most: Percent that are taken off at most for days.
        steps: Instead of `per_day`: percents that hold from a day on, in the order of the days.
        zero_after: After how many days nothing counts; None for never.
    """

    grace: timedelta = timedelta()
    per_day: Decimal = Decimal(0)
    most: Decimal = Decimal(100)
    steps: Sequence[Step] = ()
    zero_after: int | None = None

    @property
    def is_any(self) -> bool:
        """Whether lateness costs anything at all."""
        return bool(self.per_day or self.steps or self.zero_after is not None)

    def ended(self, days: int) -> bool:
        """Return whether nothing counts any more after so many days."""
        return self.zero_after is not None and days > self.zero_after

    def percent(self, days: int) -> Decimal:
        """Return the percent of the maximum that are taken off after so many days, 0 to 100."""
        if self.ended(days):
            return Decimal(100)
        if self.steps:
            return next((each.percent for each in reversed(self.steps) if each.from_day <= days), Decimal(0))
        return min(days * self.per_day, self.most)


def instant(moment: datetime, zone: tzinfo | None, *, later: bool) -> datetime | None:
    """Return a moment with its time zone; one without gets `zone`, and is None where that is None.

    Args:
        later: Which of two is meant where the clock on the wall shows a time twice: for a due date the later, for a
            submission the earlier, since nobody knows.
    """
    if moment.tzinfo is not None:
        return moment
    if zone is None:
        return None
    return _by_the_clock(moment, zone, later=later)


def days_after(moment: datetime, days: int) -> datetime:
    """Return the same time of day so many days later, in the time zone of the moment."""
    return _by_the_clock(moment.replace(tzinfo=None) + days * DAY, moment.tzinfo, later=True)


def _by_the_clock(moment: datetime, zone: tzinfo | None, *, later: bool) -> datetime:
    choose: Callable[..., datetime] = max if later else min
    return choose((moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1)), key=lambda each: each.astimezone(UTC))


def days_late(submitted: datetime, due: datetime, grace: timedelta = timedelta()) -> int:
    """Return how many days have begun between the end of the grace and the submission; 0 when it is on time.

    Both times have a time zone.
    """
    end = (due.astimezone(UTC) + grace).astimezone(due.tzinfo)
    handed_in = submitted.astimezone(UTC)
    if handed_in <= end.astimezone(UTC):
        return 0
    days = max(1, (handed_in - end.astimezone(UTC)) // DAY - 1)
    while handed_in > days_after(end, days).astimezone(UTC):
        days += 1
    return days


def points_after(raw: Decimal, maximum: Decimal, penalty: Penalty, days: int) -> Decimal:
    """Return the points that count of raw ones after so many days, from 0 to the raw points.

    A share of the maximum is taken off. What is left is rounded to a hundredth, half up, and is never more than the raw
    points.
    """
    if penalty.ended(days):
        return Decimal(0)
    percent = penalty.percent(days)
    if not percent:
        return plain(raw)
    left = Fraction(raw) - Fraction(maximum) * Fraction(percent) / 100
    return plain(min(raw, HUNDREDTH * nearest(max(left, Fraction(0)) * 100)))


def lowest(counted: Sequence[tuple[str, Decimal | None, Decimal]], number: int) -> list[str]:
    """Return which assignments are dropped as the lowest; one always stays.

    Args:
        counted: Assignments, their points and their maximum. What was not handed in (None) goes first, then the lowest
            share of the maximum; of equal ones that with the smaller maximum.
        number: How many may be dropped.
    """

    def rank(each: tuple[str, Decimal | None, Decimal]) -> tuple[bool, Fraction, Decimal, str]:
        assignment, points, maximum = each
        share = Fraction(points) / Fraction(maximum) if points and maximum else Fraction(0)
        return points is not None, share, maximum, assignment

    most = max(0, min(number, len(counted) - 1))
    return sorted(assignment for assignment, _, _ in sorted(counted, key=rank)[:most])
