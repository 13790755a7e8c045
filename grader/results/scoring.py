"""Turns verdicts into points: numbers in, numbers out.

Points are exact decimals and shares are exact fractions; rounding happens once, per exercise. The manifest decides
which checks there are, so a verdict that did not come is a crash, and verdicts that nobody asked for spoil the lot:
whoever can add one could also have changed one.
"""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from .report import ExerciseStatus
from .verdict import CheckVerdict, ManifestCheck

HUNDREDTH = Decimal("0.01")
TENTH = Decimal("0.1")
MOST_WITH_A_LOSS, MOST_WITH_A_FORBIDDEN_CALL = Fraction(95, 100), Fraction(3, 10)  # of the points of an exercise


def join(manifest: Sequence[ManifestCheck], verdicts: Sequence[CheckVerdict]) -> tuple[dict[str, CheckVerdict], bool]:
    """Return exactly one verdict for each check, by id, and whether no verdict is of a strange check or came twice.

    A check without a verdict of its own is a `crash`; so is every check where one of the verdicts is too many.
    """
    by_id = {verdict.id: verdict for verdict in verdicts}
    sound = len(by_id) == len(verdicts) and by_id.keys() <= {check.id for check in manifest}
    known = by_id if sound else {}
    return {check.id: known.get(check.id) or CheckVerdict(id=check.id, status="crash") for check in manifest}, sound


def points_for(points: Decimal, share: Fraction) -> Decimal:
    """Return the points for a share, 0 to 1, of an exercise.

    These are all points for all of it; otherwise the share rounded down to a tenth of a point (finer for an exercise
    worth less than one point), and never all points.
    """
    if points <= 0 or share <= 0:
        return Decimal(0)
    if share >= 1:
        return plain(points)
    step = min(TENTH, Decimal(1).scaleb(points.adjusted() - 1))
    return plain(step * math.floor(Fraction(points) * share / Fraction(step)))


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


def points_shown(score: Decimal | None) -> str:
    """Return points as a person reads them; a dash where there are none."""
    return "-" if score is None else f"{plain(score):f}"


def total_of(scores: Iterable[Decimal | None]) -> Decimal:
    """Return the exact sum of the points that there are."""
    return plain(sum((score for score in scores if score is not None), Decimal(0)))


def status_of(verdicts: Sequence[CheckVerdict]) -> ExerciseStatus:
    """Return what to call an exercise with these verdicts.

    Checks that are excused say nothing. With none passed it is the status that all the others share; a skipped check
    shares whatever kept it from running.
    """
    counting = [verdict.status for verdict in verdicts if not verdict.excused]
    if not counting:
        return "skipped"
    if all(status == "passed" for status in counting):
        return "passed"
    if "passed" in counting:
        return "partial"
    kinds = set(counting) - {"skipped"} or {"skipped"}
    return kinds.pop() if len(kinds) == 1 else "failed"


def score_of(points: Decimal, checks: Sequence[tuple[ManifestCheck, CheckVerdict]]) -> Decimal:
    """Return the points of an exercise for its checks and their verdicts.

    The share is the weight that passed of the weight that counts, and at most `MOST_WITH_A_LOSS` if that is not all.
    Where any check saw a forbidden call, the share is at most `MOST_WITH_A_FORBIDDEN_CALL`.
    """
    counting = [(check, verdict) for check, verdict in checks if not verdict.excused]
    total = sum(check.weight for check, _ in counting)
    if not total:
        return Decimal(0)
    share = Fraction(sum(check.weight for check, verdict in counting if verdict.status == "passed"), total)
    if share < 1:
        share = min(share, MOST_WITH_A_LOSS)
    if any(verdict.is_forbidden_call for _, verdict in counting):
        share = min(share, MOST_WITH_A_FORBIDDEN_CALL)
    return points_for(points, share)
