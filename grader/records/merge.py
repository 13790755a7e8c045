"""Joins the reports folders of several runs into one, as if one run had written them.

Each part was graded by the same command with `--shard` on some machine. A report is taken over byte for byte, after its
hash was held against the journal that says who wrote it; what does not fit is left out and said. In the history of the
joined folder a merge is one run.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.results.summary import Lowered, Row, Summary, summarise
from grader.results.write import ReportsFolder
from grader.text import name_shown

from .announced_scores import lowered_from, stamp, summary_before
from .departed_students import Place, departed_after, departed_note
from .journal import Journal, Line
from .merged_parts import Part, read_part, refuse_unlike
from .plain_files import open_plain


@dataclass
class Merged:
    """What joining came to.

    Attributes:
        into: The folder that is written.
        journal: Its journal.
        run: When the merge began, as its lines in the journal say it.
        rows: What each submission came to.
        lowered: The scores that went down.
        warnings: What was left out, a sentence each.
        notes: What else there is to know, a sentence each.
        older: The line of a report in whose place that of another part was taken.
    """

    into: ReportsFolder
    journal: Journal
    run: str
    rows: dict[Place, Row] = field(default_factory=dict)
    lowered: list[Lowered] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    older: dict[Place, Line] = field(default_factory=dict)


def merge(folders: Sequence[Path], output: Path, secret: bytes) -> tuple[list[Row], list[str], Summary]:
    """Join reports folders into one and sum them up.

    Args:
        folders: The parts.
        output: The folder to write, made when it is not there; reports of an earlier merge are replaced.
        secret: The course's secret, which seals the journals.

    Returns:
        The rows, all students, and the summary that was written.

    Raises:
        UsageError: A part is not a reports folder, is not whole, or does not fit the others.
        OutputError: Something could not be written.
    """
    begun = stamp(datetime.now(UTC))
    for folder in folders:
        if folder.resolve() == output.resolve():
            found = f"The parts were to be joined into {name_shown(str(folder))}, which is one of them."
            raise UsageError(found, hint="Name another output.")
    parts = [read_part(folder, secret) for folder in folders]
    refuse_unlike(parts)
    into, before = ReportsFolder(output), summary_before(output)
    journal = Journal(output, secret, None if before is None else before.journal_bytes)
    into.prepare()
    merged = Merged(into, journal, begun)
    try:
        for part, line in _newest(parts, merged).values():
            _take(part, line, merged)
    finally:
        journal.close()
    rows = list(merged.rows.values())
    students = sorted({name for part in parts for name in part.summary.absent} | {row.student for row in rows})
    ids = {row.assignment for row in rows}
    gone = departed_after(before, (place for place in journal.places() if place[1] in ids), merged.rows)
    summary = _summed_up(parts, rows, students, merged, gone)
    into.write_summary(summary)
    into.write_scores(rows, students, [each.id for each in summary.assignments])
    return rows, students, summary


def _summed_up(
    parts: Sequence[Part], rows: list[Row], students: list[str], merged: Merged, gone: dict[str, list[str]]
) -> Summary:
    summaries = [part.summary for part in parts]
    started = min(each.started for each in summaries)
    since = datetime.now(UTC) - datetime.fromisoformat(started).astimezone(UTC)
    return summarise(
        rows,
        students,
        [*dict.fromkeys(warning for each in summaries for warning in each.warnings), *merged.warnings],
        kit_version=summaries[0].kit_version,
        started=started,
        duration_s=max(0.0, since.total_seconds()),
        device=summaries[0].device,
        isolation=summaries[0].isolation,
        kept=sum(each.kept for each in summaries),
        lowered=merged.lowered,
        notes=[*dict.fromkeys(note for each in summaries for note in each.notes), *merged.notes, *departed_note(gone)],
        run=merged.run,
        gone=gone,
        journal_bytes=merged.journal.announced_bytes,
    )


def _newest(parts: Sequence[Part], merged: Merged) -> dict[Place, tuple[Part, Line]]:
    """Return for each submission the part and line of its newest report."""
    found: dict[Place, tuple[Part, Line]] = {}
    for part in parts:
        if part.spoilt:
            merged.notes.append(
                f"Lines of the journal in {part.shown} that were damaged or made with another secret were left aside: "
                f"{part.spoilt} in all."
            )
        for place, line in part.lines.items():
            other = found.get(place)
            if other is None:
                found[place] = part, line
                continue
            if other[1].report != line.report:
                merged.warnings.append(
                    f"{name_shown(line.student)}, {line.assignment}: {other[0].shown} and {part.shown} both have a "
                    "report; the newer one was taken."
                )
            newer = other[1].written <= line.written  # two journals have no order but that of their clocks
            merged.older[place] = other[1] if newer else line
            if newer:
                found[place] = part, line
    return dict(sorted(found.items()))


def _take(part: Part, line: Line, merged: Merged) -> None:
    place = line.student, line.assignment
    contents = [_whole(file, digest) for file, digest in zip(
        ReportsFolder(part.folder).places_of(*place), (line.report, line.copy), strict=True
    )]  # fmt: skip
    if None in contents:
        merged.warnings.append(
            f"{name_shown(line.student)}, {line.assignment}: the report in {part.shown} is not as it was written, so "
            "it was left out. Grade that part again."
        )
        return
    merged.into.write_copies(*place, contents[0] or b"", contents[1] or b"")
    newest = merged.journal.newest(*place)
    if newest is None or (newest.key, newest.report, newest.copy) != (line.key, line.report, line.copy):
        merged.journal.append(msgspec.structs.replace(line, run=merged.run))
    merged.rows[place] = line.row()
    merged.lowered += _lowered(part, line, merged.journal.last_announced(*place) or merged.older.get(place))


def _lowered(part: Part, line: Line, before: Line | None) -> list[Lowered]:
    """Return how a score went down: from what was in the folder or another part, or as its own run reported it."""
    if before is None:
        own = part.summary.lowered
        return [each for each in own if (each.student, each.assignment) == (line.student, line.assignment)]
    lowered = lowered_from(before, line)
    return [] if lowered is None else [lowered]


def _whole(place: Path, digest: str) -> bytes | None:
    try:
        with open_plain(place) as file:
            content = file.read()
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == digest else None
