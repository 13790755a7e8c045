"""Turns verdicts into points: numbers in, numbers out.

Points are exact decimals and shares are exact fractions; rounding happens once, per exercise. The manifest decides
which checks there are, so a verdict that did not come is a crash, and verdicts that nobody asked for spoil the lot:
whoever can add one could also have changed one.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

import msgspec

from .report import ExerciseStatus
from .verdict import CheckVerdict, ManifestCheck

HUNDREDTH = Decimal("0.01")


class Joined(msgspec.Struct, frozen=True):
    """The manifest's checks with their verdicts.

    Attributes:
        verdicts: Exactly one for each check of the manifest, in its order.
        missing: Checks without a verdict of their own, which are `crash`.
        strangers: Ids that the manifest does not know or that came twice; with any of them every check is `crash`.
    """

    verdicts: list[CheckVerdict]
    missing: list[str]
    strangers: list[str]


def join(manifest: Sequence[ManifestCheck], verdicts: Sequence[CheckVerdict]) -> Joined:
    """Give every check of the manifest exactly one verdict."""
    expected = {check.id for check in manifest}
    counted = Counter(verdict.id for verdict in verdicts)
    strangers = sorted(id for id, times in counted.items() if id not in expected or times > 1)
    by_id = {} if strangers else {verdict.id: verdict for verdict in verdicts}
    missing = [check.id for check in manifest if check.id not in counted]
    whole = [by_id.get(check.id) or CheckVerdict(id=check.id, status="crash") for check in manifest]
    return Joined(whole, missing, strangers)


def points_for(points: Decimal, passed: int, total: int) -> Decimal:
    """Return the points for a share of an exercise's weight.

    Args:
        points: What the exercise is worth.
        passed: Weight of the checks that passed.
        total: Weight of the checks that count.

    Returns:
        All points with all of the weight and none with none of it; between, the share rounded half up to a hundredth
        (finer for an exercise worth less than a tenth), never to all and never to none.
    """
    if points <= 0 or passed <= 0:
        return Decimal(0)
    if passed >= total:
        return plain(points)
    step = min(HUNDREDTH, Decimal(1).scaleb(points.adjusted() - 1))
    steps = nearest(Fraction(points) * passed / total / Fraction(step))
    most = math.ceil(Fraction(points) / Fraction(step)) - 1  # the last step below all points
    return plain(step * max(1, min(steps, most)))


def nearest(number: Fraction) -> int:
    """Return the nearest whole number, the higher one of two."""
    return math.floor(number + Fraction(1, 2))


def plain(number: Decimal) -> Decimal:
    """Return the same number without trailing zeros and without an exponent, so that equal numbers look equal."""
    short = number.normalize()
    return short.quantize(Decimal(1)) if short == short.to_integral_value() else short


def share_change(before: Decimal, most_before: Decimal, after: Decimal, most_after: Decimal) -> int:
    """Return -1 where a score is a smaller share of its maximum than it was, 1 where it is a larger one, else 0."""
    then, now = before * most_after, after * most_before
    return (now > then) - (now < then)


def total_of(scores: Sequence[Decimal]) -> Decimal:
    """Return the exact sum."""
    return plain(sum(scores, Decimal(0)))


def status_of(checks: Sequence[tuple[CheckVerdict, int]]) -> ExerciseStatus:
    """Return what to call an exercise with these verdicts and weights.

    Checks that are excused say nothing. With none passed it is the status that all the others share; a skipped check
    shares whatever kept it from running.
    """
    counting = [verdict.status for verdict, _ in checks if not verdict.excused]
    if not counting:
        return "skipped"
    if all(status == "passed" for status in counting):
        return "passed"
    if "passed" in counting:
        return "partial"
    kinds = set(counting) - {"skipped"} or {"skipped"}
    return kinds.pop() if len(kinds) == 1 else "failed"


def score_of(points: Decimal, checks: Sequence[tuple[CheckVerdict, int]]) -> Decimal:
    """Return the points of an exercise for its verdicts and weights."""
    total = sum(weight for verdict, weight in checks if not verdict.excused)
    passed = sum(weight for verdict, weight in checks if verdict.status == "passed" and not verdict.excused)
    return points_for(points, passed, total) if total else Decimal(0)


def by_exercise(manifest: Sequence[ManifestCheck]) -> Mapping[str, list[ManifestCheck]]:
    """Return the checks of each exercise in the manifest's order."""
    grouped: dict[str, list[ManifestCheck]] = {}
    for check in manifest:
        grouped.setdefault(check.exercise, []).append(check)
    return grouped
