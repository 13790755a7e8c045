"""Joins the reports folders of several runs into one, as if one run had written them.

Each part was graded by the same command with `--shard` on some machine. A report is taken over byte for byte, after its
hash was held against the journal that says who wrote it; what does not fit is left out and said.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.records.journal import NAME, Journal, Line
from grader.results.summary import Row, Summary, summarise
from grader.results.text import name_shown
from grader.results.write import ReportsFolder

SHAPE = "Name the folders that `grader grade --shard I/N --output FOLDER` wrote."


@dataclass
class Merged:
    """What joining came to.

    Attributes:
        rows: What each submission came to.
        students: Everybody in the parts, also who handed nothing in.
        warnings: What was left out, a sentence each.
        parts: The summaries of the parts.
        secret: The key of the journals' seals.
    """

    secret: bytes
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    students: set[str] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)
    parts: list[Summary] = field(default_factory=list)


def merge(folders: Sequence[Path], output: Path, secret: bytes) -> tuple[list[Row], list[str], Summary]:
    """Join reports folders into one and sum them up.

    Args:
        folders: The parts.
        output: The folder to write, made when it is not there; reports of an earlier merge are replaced.
        secret: The course's secret, which seals the journals.

    Returns:
        The rows, all students, and the summary that was written.

    Raises:
        UsageError: A part is no reports folder, or was graded with another secret.
        OutputError: Something could not be written.
    """
    into = ReportsFolder(output)
    parts = [(folder, _journal(folder, output, secret)) for folder in folders]
    into.prepare()
    merged = Merged(secret)
    newest = _newest(parts, merged)
    journal = Journal(output, secret)
    try:
        for folder, line in newest.values():
            _take(folder, line, into, journal, merged)
    finally:
        journal.close()
    rows = list(merged.rows.values())
    students = sorted(merged.students | {row.student for row in rows})
    first = merged.parts[0]
    summary = summarise(
        rows,
        students,
        [*dict.fromkeys(warning for part in merged.parts for warning in part.warnings), *merged.warnings],
        kit_version=first.kit_version,
        started=min(part.started for part in merged.parts),
        duration_s=sum(part.duration_s for part in merged.parts),
        device=first.device,
        isolation=first.isolation,
        kept=sum(part.kept for part in merged.parts),
        lowered=[each for part in merged.parts for each in part.lowered],
        notes=list(dict.fromkeys(note for part in merged.parts for note in part.notes)),
    )
    into.write_summary(summary)
    into.write_scores(rows, students, [each.id for each in summary.assignments])
    return rows, students, summary


def _journal(folder: Path, output: Path, secret: bytes) -> Journal:
    shown = name_shown(str(folder))
    if not (folder / NAME).is_file() and not _is_of_nobody(folder):
        raise UsageError("A reports folder was looked for.", f"{shown} has no {NAME}.", SHAPE)
    if folder.resolve() == output.resolve():
        raise UsageError(
            f"The parts were to be joined into {shown}, which is one of them.", hint="Name another output."
        )
    journal = Journal(folder, secret)
    if journal.spoilt and not len(journal):
        found = f"No line of the journal in {shown} was made with the secret of this course."
        raise UsageError("A part of this course was looked for.", found, "Grade all parts with the same GRADER_SECRET.")
    return journal


def _is_of_nobody(folder: Path) -> bool:
    """Tell whether a part had no student, as happens to a small class in many parts."""
    return (folder / "summary.json").is_file() and _summary(folder).submissions == 0


def _newest(parts: list[tuple[Path, Journal]], merged: Merged) -> dict[tuple[str, str], tuple[Path, Line]]:
    """Return for each submission the folder and line of its newest report."""
    found: dict[tuple[str, str], tuple[Path, Line]] = {}
    for folder, journal in parts:
        merged.parts.append(_summary(folder))
        merged.students.update(merged.parts[-1].absent)
        if journal.spoilt:
            merged.warnings.append(f"{journal.spoilt} damaged lines of the journal in {name_shown(str(folder))}.")
        for line in _last_lines(journal):
            place = line.student, line.assignment
            other = found.get(place)
            if other is not None and other[1].report != line.report:
                merged.warnings.append(
                    f"{name_shown(line.student)}, {line.assignment}: {name_shown(str(other[0]))} and "
                    f"{name_shown(str(folder))} both have a report; the newer one was taken."
                )
            if other is None or other[1].written <= line.written:
                found[place] = folder, line
    return dict(sorted(found.items()))


def _last_lines(journal: Journal) -> Iterator[Line]:
    yield from {(line.student, line.assignment): line for line in journal.lines()}.values()


def _take(folder: Path, line: Line, into: ReportsFolder, journal: Journal, merged: Merged) -> None:
    contents = [_whole(place, digest) for place, digest in zip(
        ReportsFolder(folder).places_of(line.student, line.assignment), (line.report, line.copy), strict=True
    )]  # fmt: skip
    if None in contents:
        merged.warnings.append(
            f"{name_shown(line.student)}, {line.assignment}: the report in {name_shown(str(folder))} is not as it was "
            "written, so it was left out. Grade that part again."
        )
        return
    into.write_copies(line.student, line.assignment, contents[0] or b"", contents[1] or b"")
    if journal.key_of(line.student, line.assignment) != line.key or not line.key:
        journal.append(line)
    merged.rows[line.student, line.assignment] = line.row()


def _whole(place: Path, digest: str) -> bytes | None:
    try:
        content = place.read_bytes()
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == digest else None


def _summary(folder: Path) -> Summary:
    place = folder / "summary.json"
    try:
        return msgspec.json.decode(place.read_bytes(), type=Summary)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        raise UsageError(
            "The summary of a part was looked for.",
            f"{name_shown(str(place))} is missing or not of this version.",
            "Was the run of that part stopped? Let it end, by the same command.",
        ) from None
