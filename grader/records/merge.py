"""Joins the reports folders of several runs into one, as if one run had written them.

Each part was graded by the same command with `--shard` on some machine. A report is taken over byte for byte, after its
hash was held against the journal that says who wrote it; what does not fit is left out and said. Earlier lines of the
journals come along, since an earlier attempt may count. In the history of the joined folder a merge is one run.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.results.summary import Lowered, Row, Summary, summarise
from grader.results.write import ReportsFolder
from grader.text import name_shown

from .announced_scores import lowered_from, stamp, summary_before
from .departed_students import departed_after, departed_note
from .journal import Journal
from .journal_lines import Line, Place
from .merged_parts import Part, read_part, refuse_unlike
from .overrides import Overrides, by_hand_note, changed_beneath, in_force, row_after
from .plain_files import open_plain


class Merge:
    """A merge on its way.

    Attributes:
        rows: What grading gave each submission.
        overrides: What was set by hand.
        lowered: The scores that went down.
        warnings: What was left out, a sentence each.
        notes: What else there is to know, a sentence each.
    """

    def __init__(self, into: Path, journal: Journal) -> None:
        self._into, self._journal, self._run = ReportsFolder(into), journal, stamp(datetime.now(UTC))
        self._known = set(map(_grading, journal.lines()))
        self._older: dict[Place, Line] = {}  # the line of a report in whose place that of another part was taken
        self.rows: list[Row] = []
        self.overrides: Overrides = {}
        self.lowered: list[Lowered] = []
        self.warnings: list[str] = []
        self.notes: list[str] = []

    def take_all(self, parts: Sequence[Part]) -> None:
        """Write the newest report of each submission."""
        self._into.prepare()
        try:
            newest = self._newest(parts)
            self._take_overrides(parts, newest)
            for part, line in newest.values():
                self._take(part, line, self._earlier(parts, part, line))
        finally:
            self._journal.close()

    def _take_overrides(self, parts: Sequence[Part], newest: Mapping[Place, tuple[Part, Line]]) -> None:
        """Add what was set by hand in the parts and is not in the journal yet; what the newest report has counts."""
        for place in sorted({each.place for part in parts for each in part.overrides} & newest.keys()):
            home, _ = newest[place]
            for part in sorted(parts, key=lambda part: part is home):
                for each in part.overrides:
                    if each.place == place and each not in self._journal.overrides:
                        self._journal.append(each)
        self.overrides = in_force(self._journal.overrides)

    def counted(self) -> list[Row]:
        """Return the rows with the points that count."""
        return [row_after(row, self.overrides) for row in self.rows]

    def sum_up(self, parts: Sequence[Part], students: list[str], before: Summary | None) -> Summary:
        """Return the summary, after writing it and the scores."""
        ids = {row.assignment for row in self.rows}
        missed = (place for place in self._journal.places() if place[1] in ids)
        gone = departed_after(before, missed, [(row.student, row.assignment) for row in self.rows])
        summaries = [part.summary for part in parts]
        started = min(each.started for each in summaries)
        since = datetime.now(UTC) - datetime.fromisoformat(started).astimezone(UTC)
        notes = dict.fromkeys(note for each in summaries for note in each.notes)
        summary = summarise(
            self.rows,
            students,
            [*dict.fromkeys(warning for each in summaries for warning in each.warnings), *self.warnings],
            kit_version=summaries[0].kit_version,
            started=started,
            duration_s=max(0.0, since.total_seconds()),
            device=summaries[0].device,
            isolation=summaries[0].isolation,
            kept=sum(each.kept for each in summaries),
            lowered=self.lowered,
            notes=[*notes, *self.notes, *departed_note(gone), *by_hand_note(self.rows, self.overrides)],
            run=self._run,
            gone=gone,
            journal_bytes=self._journal.announced_bytes,
            whole=all(each.whole for each in summaries),
        )
        self._into.write_summary(summary)
        self._into.write_scores(self.counted(), students, [each.id for each in summary.assignments])
        return summary

    def _newest(self, parts: Sequence[Part]) -> dict[Place, tuple[Part, Line]]:
        """Return for each submission the part and line of its newest report."""
        found: dict[Place, tuple[Part, Line]] = {}
        for part in parts:
            if part.spoilt:
                self.notes.append(
                    f"Lines of the journal in {part.shown} that were damaged or made with another secret were left "
                    f"aside: {part.spoilt} in all."
                )
            for place, line in part.lines.items():
                if place not in found:
                    found[place] = part, line
                    continue
                home, other = found[place]
                if other.report != line.report:
                    self.warnings.append(
                        f"{name_shown(line.student)}, {line.assignment}: {home.shown} and {part.shown} both have a "
                        "report; the newer one was taken."
                    )
                newer = other.written <= line.written  # two journals have no order but that of their clocks
                self._older[place] = other if newer else line
                if newer:
                    found[place] = part, line
        return dict(sorted(found.items()))

    def _earlier(self, parts: Sequence[Part], home: Part, line: Line) -> list[Line]:
        """Return the lines before the newest one of a submission that the journal lacks, those of its own part last."""
        found: dict[tuple[str, ...], Line] = {}
        for part in sorted(parts, key=lambda part: part is home):
            newest = part.lines.get(line.place, line)
            last = [newest] if _grading(newest) != _grading(line) else []
            found |= {_grading(each): each for each in [*part.earlier.get(line.place, []), *last]}
        return [each for name, each in found.items() if name not in self._known]

    def _take(self, part: Part, line: Line, earlier: Sequence[Line]) -> None:
        report, copy = ReportsFolder(part.folder).places_of(*line.place)
        whole, students = _content(report, line.report), _content(copy, line.copy)
        if whole is None or students is None:
            self.warnings.append(
                f"{name_shown(line.student)}, {line.assignment}: the report in {part.shown} is not as it was written, "
                "so it was left out. Grade that part again."
            )
            return
        self._into.write_copies(*line.place, whole, students)
        newest = self._journal.newest(line.place)
        for each in earlier:
            self._journal.append(msgspec.structs.replace(each, run=self._run))
        if earlier or newest is None or (newest.key, newest.report, newest.copy) != (line.key, line.report, line.copy):
            self._journal.append(msgspec.structs.replace(line, run=self._run))
        self.rows.append(line.row())
        before = self._journal.last_announced(line.place) or self._older.get(line.place)
        if before is not None:
            self.lowered += lowered_from(before, line)
            self.notes += changed_beneath(before, line, self.overrides)
        else:  # as its own run reported it
            self.lowered += [each for each in part.summary.lowered if (each.student, each.assignment) == line.place]


def merge(folders: Sequence[Path], output: Path, secret: bytes) -> tuple[list[Row], list[str], Summary]:
    """Join reports folders into one and sum them up.

    Args:
        output: The folder to write, made when it is not there; reports of an earlier merge are replaced.
        secret: The course's secret, which seals the journals.

    Returns:
        The rows with the points that count, all students, and the summary that was written.

    Raises:
        UsageError: A part is not a reports folder, is not whole, or does not fit the others.
        OutputError: Something could not be written.
    """
    for folder in folders:
        if folder.resolve() == output.resolve():
            found = f"The parts were to be joined into {name_shown(str(folder))}, which is one of them."
            raise UsageError(found, hint="Name another output.")
    parts = [read_part(folder, secret) for folder in folders]
    refuse_unlike(parts)
    before = summary_before(output)
    merged = Merge(output, Journal(output, secret, None if before is None else before.journal_bytes))
    merged.take_all(parts)
    students = sorted({name for part in parts for name in part.summary.absent} | {row.student for row in merged.rows})
    return merged.counted(), students, merged.sum_up(parts, students, before)


def _grading(line: Line) -> tuple[str, ...]:
    """Return what a line is known by in whichever journal it is."""
    return (*line.place, line.submission, line.written, line.key, line.report)


def _content(place: Path, digest: str) -> bytes | None:
    """Return what a file holds; None where it is not as it was written."""
    try:
        with open_plain(place) as file:
            content = file.read()
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == digest else None
