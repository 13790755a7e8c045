"""Shows the differences between two states of a reports folder, in plain text."""

from collections.abc import Mapping, Sequence

from grader.results.scoring import share_change
from grader.results.table import score_change_text
from grader.text import name_shown, one_line

from .changes import Change, Points
from .journal_lines import Line, Place

NOTHING = "-"


def lines_of(changes: Sequence[Change], old: Mapping[Place, Line], new: Mapping[Place, Line]) -> list[str]:
    """Return the differences as lines: those whose score went down first, and a closing count."""
    down = [change for change in changes if direction(change) < 0]
    up = [change for change in changes if direction(change) > 0]
    level = [change for change in changes if direction(change) == 0]
    lines: list[str] = []
    for title, group in (("Went DOWN", down), ("Went up", up), ("Same share of the maximum", level)):
        if group:
            lines.append(f"{title} ({len(group)}):")
            for change in group:
                lines += _lines(change)
    same = len(old.keys() | new.keys()) - len(changes)
    counts = f"{len(down)} went down, {len(up)} up, {len(level)} differ otherwise, {same} are the same."
    return [*lines, "", counts] if lines else [counts]


def direction(change: Change) -> int:
    """Return -1 where the share of the maximum went down or the grade was lost, 1 where it went up, 0 for neither."""
    if change.before is None or change.after is None:
        return (change.after is not None) - (change.before is not None)
    return share_change(*change.before, *change.after)


def _lines(change: Change) -> list[str]:
    again = " (handed in something else)" if change.resubmitted else ""
    scores = _scores(change.before, change.after)
    lines = ["  " + one_line(f"{name_shown(change.student)}, {change.assignment}: {scores}{again}", 400)]
    for exercise in change.exercises:
        scores = "" if exercise.before == exercise.after else f": {_scores(exercise.before, exercise.after)}"
        lines.append(f"    {exercise.id}{scores}")
        for id, (before, after) in exercise.checks.items():
            lines.append("      " + one_line(f"{id.partition('.')[2]}: {before or NOTHING} to {after or NOTHING}"))
    return lines


def _scores(before: Points | None, after: Points | None) -> str:
    return score_change_text(*(before or (None, None)), *(after or (None, None)))
