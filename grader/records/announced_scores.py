"""Which scores were announced to a teacher, and which still have to be: a stopped run writes reports, but no summary.

Which of two reports is the later one is read off the order of the journal's lines. A clock may step back.
"""

import contextlib
from datetime import UTC, datetime
from pathlib import Path

from grader.errors import UsageError
from grader.results.scoring import share_change
from grader.results.summary import Lowered, Summary

from .journal_lines import ExerciseLine, Line
from .plain_files import read_beside

SUMMARY = "run.json"


def summary_before(folder: Path) -> Summary | None:
    """Return the summary of a folder's newest run; None where there is none that can be read."""
    with contextlib.suppress(UsageError):
        return read_beside(folder / SUMMARY, Summary)
    return None


def tier_before(folder: Path) -> str | None:
    """Return the tier of isolation of the last run into a folder, None where its summary says none."""
    summary = summary_before(folder)
    tier = summary.isolation.get("tier") if summary else None
    return tier if isinstance(tier, str) else None


def stamp(moment: datetime) -> str:
    """Return a moment as the journal names runs, to the microsecond."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def lowered_from(before: Line, after: Line) -> list[Lowered]:
    """Return how a score went down, in points or as a share of the maximum, or was lost; nothing when it did not."""
    if before.score is None or (after.score is not None and not _is_lower(before, after)):
        return []
    earlier = {line.id: line for line in before.exercises}
    return [
        Lowered(
            student=after.student,
            assignment=after.assignment,
            before=before.score,
            after=after.score,
            max_before=before.max_score,
            max_after=after.max_score,
            exercises=[line.id for line in after.exercises if line.id in earlier and _is_lower(earlier[line.id], line)],
            resubmitted=before.submission != after.submission,
        )
    ]


def _is_lower(before: Line | ExerciseLine, after: Line | ExerciseLine) -> bool:
    if before.score is None or after.score is None:
        return False
    return after.score < before.score or share_change(before.score, before.max_score, after.score, after.max_score) < 0
