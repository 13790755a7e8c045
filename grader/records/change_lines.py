"""Shows the differences between two states of a reports folder, in plain text."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from grader.results.scoring import plain, share_change
from grader.results.table import score_change_text
from grader.text import name_shown, one_line

from .changes import Change, ExerciseChange, Place
from .journal import Line

NOTHING = "-"


def lines_of(changes: Sequence[Change], old: Mapping[Place, Line], new: Mapping[Place, Line]) -> list[str]:
    """Return the differences as lines: those whose score went down first, and a closing count.

    Args:
        changes: What differs.
        old: The submissions before.
        new: The submissions after.
    """
    down = [each for each in changes if direction(each) < 0]
    up = [each for each in changes if direction(each) > 0]
    level = [each for each in changes if direction(each) == 0]
    lines: list[str] = []
    for title, group in (("Went DOWN", down), ("Went up", up), ("Same share of the maximum", level)):
        if group:
            lines.append(f"{title} ({len(group)}):")
            for change in group:
                lines += _change(change)
    same = len(old.keys() | new.keys()) - len(changes)
    counts = f"{len(down)} went down, {len(up)} up, {len(level)} differ otherwise, {same} are the same."
    return [*lines, "", counts] if lines else [counts]


def direction(change: Change) -> int:
    """Return -1 where the share of the maximum went down or the grade was lost, 1 where it went up, 0 for neither."""
    if change.before is None or change.after is None or change.max_before is None or change.max_after is None:
        return (change.after is not None) - (change.before is not None)
    return share_change(change.before, change.max_before, change.after, change.max_after)


def _change(change: Change) -> list[str]:
    who = name_shown(change.student)
    again = " (handed in something else)" if change.resubmitted else ""
    head = f"{who}, {change.assignment}: {_scores(change)}{again}"
    return ["  " + one_line(head, 400), *(line for each in change.exercises for line in _exercise(each))]


def _exercise(each: ExerciseChange) -> list[str]:
    same = (each.before, each.max_before) == (each.after, each.max_after)
    scores = "" if same else f": {_scores(each)}"
    return [
        f"    {each.id}{scores}",
        *(
            "      " + one_line(f"{check.id.partition('.')[2]}: {check.before or NOTHING} to {check.after or NOTHING}")
            for check in each.checks
        ),
    ]


def _scores(change: Change | ExerciseChange) -> str:
    if change.before is None or change.after is None:
        return f"{_points(change.before)} to {_points(change.after)}"
    return score_change_text(change.before, change.max_before, change.after, change.max_after)


def _points(score: Decimal | None) -> str:
    return NOTHING if score is None else f"{plain(score):f}"
