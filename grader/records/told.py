"""What a teacher was told of scores, and what is to be told: a run that is stopped writes reports, and no summary."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from grader.records.journal import Line
from grader.records.plain_files import open_plain
from grader.results.summary import Lowered

SUMMARY = "summary.json"


class Ended(msgspec.Struct, frozen=True):
    """What a summary says of when its run was."""

    started: str
    duration_s: float
    run: str | None = None


class ShutIn(msgspec.Struct, frozen=True):
    """What a summary says of how student code was shut in."""

    isolation: dict[str, Any]


def tier_before(folder: Path) -> str | None:
    """Return the tier of isolation of the last run into a folder, None where its summary tells of none.

    Args:
        folder: The output folder.
    """
    try:
        with open_plain(folder / SUMMARY) as file:
            tier = msgspec.json.decode(file.read(), type=ShutIn).isolation.get("tier")
    except (OSError, msgspec.MsgspecError, RecursionError):
        return None
    return tier if isinstance(tier, str) else None


def told_until(folder: Path) -> str | None:
    """Return up to which stamp of a run the summary of a folder speaks; None where there is no summary.

    Args:
        folder: The output folder.
    """
    try:
        with open_plain(folder / SUMMARY) as file:
            found = msgspec.json.decode(file.read(), type=Ended)
        if found.run is not None:
            return found.run
        least = datetime.fromisoformat(found.started) + timedelta(seconds=found.duration_s)
        written = datetime.fromtimestamp((folder / SUMMARY).stat().st_mtime, UTC)
    except (OSError, msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
        return None
    most = least + timedelta(seconds=1)  # the beginning is told in whole seconds
    return stamp(max(least, min(most, written)))


def stamp(moment: datetime) -> str:
    """Return a moment as the journal names runs, to the microsecond."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def lowered_from(before: Line, after: Line) -> Lowered | None:
    """Return how a score went down, None when it did not."""
    if after.score >= before.score:
        return None
    scores = {each.id: each.score for each in before.exercises}
    return Lowered(
        student=after.student,
        assignment=after.assignment,
        before=before.score,
        after=after.score,
        exercises=[each.id for each in after.exercises if each.score < scores.get(each.id, each.score)],
        resubmitted=before.submission != after.submission,
    )
