"""Reads the parts that are to be joined, and refuses those that would make a wrong whole.

A part is what its newest run says it is: the summary of that run, and the journal's newest line of each submission
that is not gone by that summary. Whatever does not fit together stops the joining before anything is written.
"""

import stat
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.results.summary import Summary
from grader.text import counted, name_shown

from .announced_scores import SUMMARY, read_summary
from .departed_students import places_of
from .journal import NAME, UNREADABLE, Journal
from .journal_lines import Line, Override, Place
from .report_files import UNSAFE

SHAPE = "Name the folders that `grader grade --shard I/N --output FOLDER` wrote."
ONCE_MORE = "Copy that folder once more, or give that part's `grader grade` again: it writes what is missing."
MOST_NAMED = 5


@dataclass(frozen=True)
class Part:
    """One of the folders to join.

    Attributes:
        shown: The folder as a sentence names it.
        summary: What its newest run came to.
        spoilt: How many lines of its journal are not whole.
        lines: The newest line of each submission that its class still has.
        earlier: The lines before it, the oldest first: among them are earlier attempts.
        overrides: What was set by hand and taken back in it, the newest last.
    """

    folder: Path
    shown: str
    summary: Summary
    spoilt: int
    lines: dict[Place, Line]
    earlier: dict[Place, list[Line]]
    overrides: list[Override]


def read_part(folder: Path, secret: bytes) -> Part:
    """Read a part, a folder that `grader grade` wrote.

    Raises:
        UsageError: It is not a reports folder, was graded with another secret or without isolation, its newest run was
            stopped, or something of it is lost.
    """
    shown = name_shown(str(folder))
    kept = _is_there(folder / NAME)
    if not kept and not _is_there(folder / SUMMARY):
        raise UsageError("A reports folder was looked for.", f"{shown} has no {NAME}.", SHAPE)
    summary = summary_of_part(folder)
    if summary.isolation.get("tier") == UNSAFE:
        raise UsageError(
            "A part to join was looked for.",
            f"{shown} was graded with --unsafe-no-isolation. Results that were graded without isolation are not kept "
            "and cannot be merged.",
            "Grade that part without --unsafe-no-isolation.",
        )
    journal = Journal(folder, secret, summary.journal_bytes)
    if journal.damaged_lines and not journal.places():
        found = f"No line of the journal in {shown} was made with the secret of this course."
        raise UsageError("A part of this course was looked for.", found, "Grade all parts with the same GRADER_SECRET.")
    newest: dict[Place, Line] = {}
    earlier: dict[Place, list[Line]] = {}
    for line in journal.lines():
        if line.place in newest:
            earlier.setdefault(line.place, []).append(newest[line.place])
        newest[line.place] = line
    if journal.unannounced():
        raise UsageError(
            "The summary of a part's newest run was looked for.",
            f"The journal in {shown} has reports of a later run than the one that {SUMMARY} speaks of.",
            "Was that run stopped? Let it end, by the same command.",
        )
    there = len(places_of(summary.handed_in) & newest.keys()) if summary.handed_in is not None else len(newest)
    if there < summary.submissions:
        state = f"knows of {there}" if kept else "is gone"
        raise UsageError(
            "The account of a part was looked for.",
            f"The summary in {shown} counts {counted(summary.submissions, 'submission')}, but its {NAME} {state}.",
            ONCE_MORE,
        )
    gone = places_of(summary.gone)
    lines = {place: line for place, line in newest.items() if place not in gone}
    return Part(folder, shown, summary, journal.damaged_lines, lines, earlier, journal.overrides)


def summary_of_part(folder: Path) -> Summary:
    """Return the summary of a part's newest run.

    Raises:
        UsageError: It is missing, cannot be read, or is not of this version.
    """
    place = folder / SUMMARY
    try:
        summary = read_summary(folder)
        datetime.fromisoformat(summary.started).astimezone(UTC)
        return summary
    except (FileNotFoundError, msgspec.MsgspecError, ValueError, OverflowError):
        found = f"{name_shown(str(place))} is missing or not of this version."
        hint = "Was the run of that part stopped? Let it end, by the same command."
    except OSError as problem:
        found, hint = f"{name_shown(str(place))} cannot be read: {problem.strerror}.", UNREADABLE
    raise UsageError("The summary of a part was looked for.", found, hint)


def refuse_unlike(parts: Sequence[Part]) -> None:
    """Refuse parts of which one is missing or there twice, or that were not graded by the same suite and kit.

    Raises:
        UsageError: They make no whole.
    """
    _refuse_gaps(parts)
    first: dict[str, tuple[Part, Line]] = {}
    for part in parts:
        for assignment, line in {line.assignment: line for line in part.lines.values()}.items():
            before, other = first.setdefault(assignment, (part, line))
            if (line.suite, line.kit) == (other.suite, other.kit):
                continue
            what = "suite" if line.suite != other.suite else "version of the kit"
            raise UsageError(
                "Parts that were graded alike were looked for.",
                f"{assignment} was graded by another {what} in {part.shown} than in {before.shown}.",
                "Give all parts the same course and kit, and grade those again that had another.",
            )


def _refuse_gaps(parts: Sequence[Part]) -> None:
    shards = Counter(part.summary.shard for part in parts if part.summary.shard is not None)
    for shard, times in shards.items():
        if times > 1:
            named = _listed(part.shown for part in parts if part.summary.shard == shard)
            raise UsageError(
                "Each part of a class was looked for once.",
                f"{named} are all part {shard}.",
                "Name one of them; if they are of different classes, join each class by itself.",
            )
    if sum(shards.values()) < len(parts):
        return  # a whole class, or a part by a kit that did not say which: nobody knows what is missing
    for parted in dict.fromkeys(shard.partition("/")[2] for shard in shards):
        missing = (f"{n}/{parted}" for n in range(1, int(parted) + 1) if f"{n}/{parted}" not in shards)
        if named := _listed(missing):
            raise UsageError(
                f"All {parted} parts of a class were looked for.",
                f"Missing: {named}.",
                "Name their folders too; where a part has none, grade it with that --shard.",
            )


def _listed(names: Iterable[str]) -> str:
    some = list(islice(names, MOST_NAMED + 1))
    return ", ".join(some[:MOST_NAMED]) + (" and more" if len(some) > MOST_NAMED else "")


def _is_there(place: Path) -> bool:
    try:
        return stat.S_ISREG(place.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as problem:
        found = f"{name_shown(str(place), 200)} cannot be looked at: {problem.strerror}."
        raise UsageError("A part to join was looked for.", found, UNREADABLE) from None
