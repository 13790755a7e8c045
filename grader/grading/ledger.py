"""Keeps the ledger of a run: what was graded before and still holds, what is written, and whose score went down."""

from datetime import UTC, datetime
from typing import Any

import msgspec

from grader import __version__
from grader.course.layout import Assignment, Course
from grader.limits import Limits
from grader.records.announced_scores import lowered_from, stamp, summary_before
from grader.records.cache_key import report_key, result_key, run_conditions, stat_signature, suite_digest
from grader.records.journal import Journal
from grader.records.journal_lines import Line, Place, line_of
from grader.records.plain_files import digest_of
from grader.records.store import SealedFolder, StoredManifest, StoredResult
from grader.results.assemble import Outcome, PlannedExercise, RunFacts, assemble
from grader.results.report import Fact
from grader.results.summary import Lowered, Row
from grader.results.table import score_change_text
from grader.results.verdict import Language, ManifestCheck
from grader.results.write import ReportsFolder
from grader.source_cells import Source
from grader.submissions.names import may_be_work
from grader.submissions.submission import Submission
from grader.text import listed, name_shown

from .options import utc_now


class Ledger:
    """The records of one run.

    Args:
        fresh: Whether what was graded before is left aside.
        remember: Whether results are kept for later runs.

    Attributes:
        begun: When the run began, as its lines in the journal say it.
        lowered: The scores that went down.
        kept: How many submissions were graded before and are the same.
        changed: The assignments whose suites changed after the run began and before they were read.
    """

    def __init__(
        self, course: Course, output: ReportsFolder, device: str, limits: Limits, language: Language, *, fresh: bool,
        remember: bool,
    ) -> None:  # fmt: skip
        secret = course.secret()
        self.output, self.language = output, language
        self.begun = stamp(datetime.now(UTC))
        self.kept = 0
        self.lowered: list[Lowered] = []
        self._higher: list[str] = []
        self.changed: set[str] = set()
        self._course, self._device, self._limits = course, device, limits
        self._fresh, self._remember = fresh, remember
        self._run = run_conditions(course, device, limits)
        kept = course.root / ".grader" / "kept"
        self._results = SealedFolder(kept / "results", StoredResult, secret)
        self._lists = SealedFolder(kept / "manifests", StoredManifest, secret)
        before = summary_before(output.root)
        self._journal = Journal(output.root, secret, None if before is None else before.journal_bytes)
        assignments = course.assignments.values()
        # Worked out before a suite is collected: what is changed while a run goes on counts for the next one.
        self._suites = {assignment.id: suite_digest(course, assignment) for assignment in assignments}
        self._signatures = {assignment.id: stat_signature(course, assignment) for assignment in assignments}
        self._noted: set[Place] = set()
        self._manifests: dict[str, list[ManifestCheck] | None] = {}

    def knows(self, assignment: Assignment) -> bool:
        """Return whether anything of an assignment can have been kept, so that looking is worth its time."""
        return not self._fresh and (bool(self._journal.places()) or self.manifest(assignment) is not None)

    def take_over(self, assignment: Assignment, submission: Submission, source: Source) -> Row | None:
        """Return the row of a submission whose earlier result still counts, or None if it has to be graded.

        When a row is returned, both reports of the submission are up to date on disk.
        """
        if self._fresh:
            return None
        result, place = self._result_key(assignment, source), (submission.student, assignment.id)
        key = report_key(result, submission.student, self.language, source)
        line = self._journal.newest(place, key)
        if line is not None and self._reports_unchanged(line):
            self.kept += 1
            if not self._journal.is_announced(place):
                self._note_change(line)  # it is of a run that was stopped before it could say so
            facts = _facts_of(submission, source)
            if self._remember and facts != {name: getattr(line, name) for name in facts}:  # handed in once more
                self._journal.append(msgspec.structs.replace(line, run=self.begun, written=utc_now(), **facts))
                self._noted.add(place)
            return line.row()
        manifest = self.manifest(assignment)
        kept = self._results.get(result) if self._remember and manifest is not None else None
        if kept is None or manifest is None or source.problem is not None:
            return None
        self.kept += 1
        return self._write(assignment, submission, source, kept, manifest)

    def suite_was_read(self, assignment: Assignment) -> None:
        """Look whether an assignment's suite, which was read just now, is what it was when the run began.

        If not, nothing of it is kept: nobody knows by which of the two its results were made.
        """
        if stat_signature(self._course, assignment) != self._signatures[assignment.id]:
            self.changed.add(assignment.id)
            self._suites[assignment.id] = suite_digest(self._course, assignment)

    def enter(
        self, assignment: Assignment, submission: Submission, manifest: list[ManifestCheck], source: Source,
        outcome: Outcome, isolation: dict[str, Fact], *, lasting: bool,
    ) -> Row:  # fmt: skip
        """Keep a new result, if grading it again would give the same (`lasting`), and write its reports."""
        lasting = lasting and assignment.id not in self.changed
        result = StoredResult(
            key=self._result_key(assignment, source),
            kit_version=__version__,
            isolation=isolation,
            limits=self._limits,
            outcome=outcome,
        )
        if self._remember and lasting and source.problem is None:
            if self.manifest(assignment) is None:
                self._lists.put(StoredManifest(key=self._manifest_key(assignment), checks=manifest))
                self._manifests[assignment.id] = manifest
            self._results.put(result)
        return self._write(assignment, submission, source, result, manifest, lasting=lasting)

    def note_stopped_runs(self) -> None:
        """Record the scores that a stopped run lowered, of submissions that this run did not look at.

        After this run's summary, the journal's lines of that run count as announced, so no later run would say it.
        """
        for place in self._journal.unannounced():
            if place not in self._noted and (line := self._journal.newest(place)) is not None:
                self._note_change(line)

    @property
    def announced_bytes(self) -> int:
        """How many bytes of the journal this run's summary speaks of."""
        return self._journal.announced_bytes

    def notes(self) -> list[str]:
        """Return what a person should know of the records themselves."""
        notes = []
        if self._journal.damaged_lines:
            notes.append(
                f"Lines of {self._journal.path.name} that were damaged or made with another secret were left aside, "
                f"and their submissions looked at anew: {self._journal.damaged_lines} in all."
            )
        if self._higher:
            notes.append(f"Higher than before ({len(self._higher)}): {listed(sorted(self._higher), 20)}.")
        notes.extend(
            f"The suite of {name} was changed while this run went on, so its results are not kept: the next run grades "
            "these submissions again."
            for name in sorted(self.changed)
        )
        if damaged := self._results.damaged_entries + self._lists.damaged_entries:
            note = "Kept results that were damaged or could not be read, so that those were graded anew"
            notes.append(f"{note}: {damaged} in all.")
        return notes

    def close(self) -> None:
        """Make the journal durable."""
        self._journal.close()

    def manifest(self, assignment: Assignment) -> list[ManifestCheck] | None:
        """Return the kept list of an assignment's checks; None when there is none."""
        if assignment.id not in self._manifests:
            kept = self._lists.get(self._manifest_key(assignment)) if self._remember else None
            self._manifests[assignment.id] = None if kept is None else kept.checks
        return self._manifests[assignment.id]

    def _write(
        self, assignment: Assignment, submission: Submission, source: Source, result: StoredResult,
        manifest: list[ManifestCheck], *, lasting: bool = True,
    ) -> Row:  # fmt: skip
        report = assemble(
            student=submission.student,
            assignment=assignment.id,
            source=source,
            plan=plan_of(assignment, self.language),
            manifest=manifest,
            outcome=result.outcome,
            run=RunFacts(
                kit_version=result.kit_version,
                language=self.language,
                device=self._device,
                isolation=result.isolation,
                limits=result.limits,
            ),
        )
        whole, copy = self.output.write_report(report)
        line = line_of(
            report,
            run=self.begun,
            written=utc_now(),
            kit=self._run.kit,
            suite=self._suites[assignment.id],
            submission=source.digest,
            result=result.key,
            key=report_key(result.key, submission.student, self.language, source) if lasting else "",
            report=whole,
            copy=copy,
            **_facts_of(submission, source),
        )
        if self._remember:
            self._journal.append(line)
        self._note_change(line)
        return line.row()

    def _note_change(self, line: Line) -> None:
        self._noted.add(line.place)
        if (before := self._journal.last_announced(line.place)) is not None:
            self.lowered += (lowered := lowered_from(before, line))
            if not lowered and before.score is not None and line.score is not None and before.score < line.score:
                scores = score_change_text(before.score, before.max_score, line.score, line.max_score)
                self._higher.append(f"{name_shown(line.student)} in {line.assignment} ({scores})")

    def _reports_unchanged(self, line: Line) -> bool:
        report, copy = self.output.places_of(*line.place)
        return digest_of(report) == line.report and digest_of(copy) == line.copy

    def _result_key(self, assignment: Assignment, source: Source) -> str:
        return result_key(self._run, self._suites[assignment.id], source)

    def _manifest_key(self, assignment: Assignment) -> str:
        return result_key(self._run, self._suites[assignment.id], Source(file_name=f"manifest of {assignment.id}"))


def _facts_of(submission: Submission, source: Source) -> dict[str, Any]:
    """Return what the journal keeps of how a submission came in."""
    files = [file for file in submission.files if may_be_work(file.name)] or submission.files
    names = [name_shown(file.name)[1:-1] for file in files]
    return {
        "file": source.file_name or listed(names),
        "submitted": submission.submitted,
        "late": bool(submission.late),
    }


def plan_of(assignment: Assignment, language: Language) -> list[PlannedExercise]:
    """Return an assignment's exercises as a report lists them."""
    korean = language == "ko"
    return [
        PlannedExercise(id=exercise.id, title=exercise.title_ko if korean else exercise.title, points=exercise.points)
        for exercise in assignment.exercises
    ]
