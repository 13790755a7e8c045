"""Keeps the books of a run: what was graded before and still holds, what is written, and whose score went down."""

from datetime import UTC, datetime

import msgspec

from grader import __version__
from grader.course.layout import Assignment, Course
from grader.grading.order import now
from grader.limits import Limits
from grader.records.deciding import Circumstances, circumstances, report_key, result_key, suite_digest
from grader.records.journal import ExerciseLine, Journal, Line, digest_of
from grader.records.store import Kept, KeptManifest, Store
from grader.results.assemble import Outcome, Planned, RunFacts, assemble
from grader.results.report import Fact, Report
from grader.results.summary import Lowered, Row, row_of
from grader.results.verdict import Language, ManifestCheck
from grader.results.write import ReportsFolder
from grader.submissions.source import Source
from grader.submissions.submission import Submission


class Graded(msgspec.Struct, frozen=True, kw_only=True):
    """A result that is to be written: what came of it, and under which conditions."""

    source: Source
    outcome: Outcome
    kit_version: str
    isolation: dict[str, Fact]
    limits: Limits


class Books:
    """The records of one run.

    Args:
        course: Whose results they are.
        output: Where reports go.
        device: Where student code computes.
        limits: What a submission may use.
        language: Of the reports.
        fresh: Whether what was graded before is left aside.
        remember: Whether results are kept for later runs.

    Attributes:
        lowered: The scores that went down.
        kept: How many submissions were graded before and are the same.
        told: What a person should know of the records themselves.
    """

    def __init__(
        self, course: Course, output: ReportsFolder, device: str, limits: Limits, language: Language, *, fresh: bool,
        remember: bool,
    ) -> None:  # fmt: skip
        secret = course.secret()
        self.output = output
        self.language = language
        self.lowered: list[Lowered] = []
        self.kept = 0
        self._course = course
        self._begun = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        self._device = device
        self._fresh, self._remember = fresh, remember
        self._run: Circumstances = circumstances(course, device, limits)
        self._store = Store(course.root / ".grader" / "kept", secret)
        self._journal = Journal(output.root, secret)
        self._suites: dict[str, str] = {}
        self._manifests: dict[str, list[ManifestCheck] | None] = {}

    # -- what was graded before -------------------------------------------------------------------------------------

    def knows(self, assignment: Assignment) -> bool:
        """Tell whether anything of an assignment can have been kept, so that looking is worth its time."""
        return not self._fresh and (len(self._journal) > 0 or self.manifest(assignment) is not None)

    def manifest(self, assignment: Assignment) -> list[ManifestCheck] | None:
        """Return the kept list of an assignment's checks; None when there is none."""
        if assignment.id not in self._manifests:
            kept = self._store.manifests.get(self._manifest_key(assignment)) if self._remember else None
            self._manifests[assignment.id] = None if kept is None else kept.checks
        return self._manifests[assignment.id]

    def take_over(self, assignment: Assignment, submission: Submission, source: Source) -> Row | None:
        """Return the row of a submission that need not be graded; its reports are then as they must be.

        Raises:
            OutputError: A report could not be written.
        """
        if self._fresh:
            return None
        result = self._result_key(assignment, source)
        key = report_key(result, submission.student, self.language, source)
        if self._journal.key_of(submission.student, assignment.id) == key:
            line = self._journal.newest(submission.student, assignment.id)
            if line is not None and line.key == key and self._stands(line):
                self.kept += 1
                return line.row()
        manifest = self.manifest(assignment)
        kept = self._store.results.get(result) if self._remember and manifest is not None else None
        if kept is None or manifest is None or source.problem is not None:
            return None
        self.kept += 1
        graded = Graded(
            source=source,
            outcome=kept.outcome,
            kit_version=kept.kit_version,
            isolation=kept.isolation,
            limits=kept.limits,
        )
        return self._write(assignment, submission, graded, manifest)

    # -- what is graded now -----------------------------------------------------------------------------------------

    def enter(
        self,
        assignment: Assignment,
        submission: Submission,
        manifest: list[ManifestCheck],
        graded: Graded,
        *,
        lasting: bool,
    ) -> Row:
        """Keep a new result and write its reports.

        Args:
            assignment: What was answered.
            submission: Whose it is.
            manifest: The checks that must have a verdict.
            graded: The result.
            lasting: Whether the same would come of it again.

        Raises:
            OutputError: A report could not be written.
        """
        if self._remember and lasting and graded.source.problem is None:
            if self.manifest(assignment) is None:
                self._store.manifests.put(KeptManifest(key=self._manifest_key(assignment), checks=manifest))
                self._manifests[assignment.id] = manifest
            self._store.results.put(
                Kept(
                    key=self._result_key(assignment, graded.source),
                    kit_version=graded.kit_version,
                    isolation=graded.isolation,
                    limits=graded.limits,
                    outcome=graded.outcome,
                )
            )
        return self._write(assignment, submission, graded, manifest, lasting=lasting)

    def notes(self) -> list[str]:
        """Return what a person should know of the records themselves."""
        told = []
        if self._journal.spoilt:
            told.append(
                f"{self._journal.spoilt} lines of {self._journal.path.name} were damaged or made with another secret; "
                "they were left aside, and their submissions looked at anew."
            )
        if self._store.spoilt:
            told.append(f"{self._store.spoilt} kept results were damaged, so those submissions were graded anew.")
        return told

    def close(self) -> None:
        """Make the journal durable."""
        self._journal.close()

    # -- inside -----------------------------------------------------------------------------------------------------

    def _write(
        self,
        assignment: Assignment,
        submission: Submission,
        graded: Graded,
        manifest: list[ManifestCheck],
        *,
        lasting: bool = True,
    ) -> Row:
        report = assemble(
            student=submission.student,
            assignment=assignment.id,
            source=graded.source,
            plan=plan_of(assignment, self.language),
            manifest=manifest,
            outcome=graded.outcome,
            run=RunFacts(
                kit_version=graded.kit_version,
                language=self.language,
                device=self._device,
                isolation=graded.isolation,
                limits=graded.limits,
            ),
        )
        before = self._journal.newest(submission.student, assignment.id)
        digests = self.output.write_report(report)
        result = self._result_key(assignment, graded.source)
        key = report_key(result, submission.student, self.language, graded.source) if lasting else ""
        line = self._line(report, assignment, graded.source, result, key, digests)
        if self._remember:
            self.output.add_to_journal(self._journal, line)
        if before is not None and (lowered := lowered_from(before, line)) is not None:
            self.lowered.append(lowered)
        return row_of(report)

    def _line(
        self, report: Report, assignment: Assignment, source: Source, result: str, key: str, digests: tuple[str, str]
    ) -> Line:
        return Line(
            run=self._begun,
            student=report.student,
            assignment=report.assignment,
            at=report.started,
            written=now(),
            kit_version=report.kit_version,
            kit=self._run.kit,
            suite=self._suite(assignment),
            submission=source.digest,
            result=result,
            key=key,
            report=digests[0],
            copy=digests[1],
            score=report.score,
            max_score=report.max_score,
            problem=report.problem,
            exercises=[
                ExerciseLine(
                    id=each.id,
                    title=each.title,
                    score=each.score,
                    max_score=each.max_score,
                    status=each.status,
                    checks={check.id: check.status for check in each.checks},
                )
                for each in report.exercises
            ],
        )

    def _stands(self, line: Line) -> bool:
        """Tell whether both reports of a line are still as they were written."""
        report, copy = self.output.places_of(line.student, line.assignment)
        return digest_of(report) == line.report and digest_of(copy) == line.copy

    def _suite(self, assignment: Assignment) -> str:
        if assignment.id not in self._suites:
            self._suites[assignment.id] = suite_digest(self._course, assignment)
        return self._suites[assignment.id]

    def _result_key(self, assignment: Assignment, source: Source) -> str:
        return result_key(self._run, self._suite(assignment), source)

    def _manifest_key(self, assignment: Assignment) -> str:
        return result_key(self._run, self._suite(assignment), Source(file_name=f"manifest of {assignment.id}"))


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


def plan_of(assignment: Assignment, language: Language) -> list[Planned]:
    """Return an assignment's exercises as a report lists them."""
    korean = language == "ko"
    return [
        Planned(id=each.id, title=each.title_ko if korean else each.title, points=each.points)
        for each in assignment.exercises
    ]


def graded_now(source: Source, outcome: Outcome, isolation: dict[str, Fact], limits: Limits) -> Graded:
    """Return a result of this run."""
    return Graded(source=source, outcome=outcome, kit_version=__version__, isolation=isolation, limits=limits)
