"""The submissions of a class on their way: what is unchanged is taken over, the rest is graded in a jail.

One bad submission costs nobody else's report, and a run opens another jail when the process that starts workers was
killed.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from grader.course.layout import Assignment, Course
from grader.errors import IsolationError
from grader.limits import Limits
from grader.records.announced_scores import tier_before
from grader.results.assemble import Outcome
from grader.results.report import Fact
from grader.results.summary import Row
from grader.results.verdict import Language, ManifestCheck
from grader.results.write import ReportsFolder
from grader.source_cells import Source
from grader.submissions.read import read_submission
from grader.submissions.submission import Submission
from grader.system.machine import shortages
from grader.system.processors import cores

from .course_errors import course_error_notes
from .ledger import Ledger
from .options import GradeOptions
from .progress import ProgressReporter

if TYPE_CHECKING:
    from grader.jail import Jail
    from grader.suite.core.context import AssignmentContext

    from .suite_run import Result

Judge = Callable[["ClassRun", dict[str, list[Submission]]], None]
"""Enters a result for every submission, listed by assignment, and takes it off its list: jails of this machine, nodes
of a cluster, or a table of verdicts where a test asks nothing of either."""

MOST_JAILS = 4  # a run opens another one when the process that starts workers was killed
NO_JAIL: dict[str, Fact] = {"tier": "not needed"}


class ClassRun:
    """The submissions of a class on their way.

    Args:
        raw: Where pytest-json-report's raw reports are kept; None to forget them.

    Attributes:
        rows: What each submission came to so far.
        isolation: How student code is shut in.
        notes: What a person should know of the machines that graded.
    """

    def __init__(
        self, options: GradeOptions, course: Course, limits: Limits, device: str, language: Language, ledger: Ledger,
        raw: ReportsFolder | None, progress: ProgressReporter,
    ) -> None:  # fmt: skip
        self.options, self.course, self.limits, self.device, self.language = options, course, limits, device, language
        self.ledger, self.raw, self.progress = ledger, raw, progress
        self.jobs = options.jobs or cores()
        self.rows: list[Row] = []
        self.isolation = NO_JAIL
        self.notes: list[str] = []
        self._contexts: dict[str, AssignmentContext] = {}

    def grade(self, submissions: list[Submission], judge: Judge) -> None:
        """Grade the submissions, assignment by assignment; what is unchanged is taken over first.

        `judge` is given what is left. A GraderError says that nothing more could be graded; what was written is whole.
        """
        left: dict[str, list[Submission]] = {}
        for assignment in self.course.assignments.values():
            mine = [submission for submission in submissions if submission.assignment == assignment.id]
            known = bool(mine) and self.ledger.knows(assignment)
            for work in mine:
                row = self.ledger.take_over(assignment, work, self.read(assignment, work)) if known else None
                if row is not None:
                    self.rows.append(row)
                else:
                    left.setdefault(assignment.id, []).append(work)
        self.progress.begin(len(submissions), len(self.rows))
        if left:
            judge(self, left)

    def in_jails(self, left: dict[str, list[Submission]]) -> None:
        """Grade on this machine, each submission by its suite and in a jail."""
        for sentence in shortages(self.jobs, self.limits):
            self.progress.say(sentence)
        for jails_left in reversed(range(MOST_JAILS)):
            if not left:
                return
            try:
                with self._open_jail(self.course.assignments[next(iter(left))], sum(map(len, left.values()))) as jail:
                    self.in_jail(left, jail)
            except IsolationError:
                if not jails_left or self.isolation is NO_JAIL:
                    raise

    def in_jail(self, left: dict[str, list[Submission]], jail: "Jail") -> None:
        """Grade in a jail that is open; what is finished is taken off the list."""
        from .jails import isolation_of

        self.isolation = isolation_of(jail)
        for name in list(left):
            self._grade(jail, self.course.assignments[name], left[name])
            del left[name]

    def _open_jail(self, first: Assignment, submissions: int) -> "Jail":
        from .jails import open_course_jail, weaker_than_before

        proven = self.isolation is not NO_JAIL  # a second jail of the run is of the kind of the first, or there is none
        tier = str(self.isolation["tier"]) if proven else self.options.tier
        paths = (*self.options.paths, self.options.output)
        prepare = partial(self._prepare, first)
        jail = open_course_jail(self.course, tier, self.limits, self.device, self.jobs, submissions, paths, prepare)
        if not proven:
            self.notes += weaker_than_before(tier_before(self.options.output), jail.isolation.tier)
        return jail

    def _prepare(self, first: Assignment) -> None:
        """Import torch and pytest and load the first assignment, which takes as long as the jail does to open."""
        from .suite_run import load_context

        if first.id not in self._contexts:
            self._contexts[first.id] = load_context(self.course, first, self.device, self.limits, self.language)

    def _grade(self, jail: "Jail", assignment: Assignment, waiting: list[Submission]) -> None:
        """Grade submissions of one assignment; what is finished is taken off the list."""
        from grader.suite.core.manifest import shuffled
        from grader.suite.runner.tries import Job

        from .suite_run import SuiteRun

        submissions, read, options = list(waiting), False, self.options

        def take(manifest: list[ManifestCheck], result: "Result") -> None:
            nonlocal read
            if not read:
                self.ledger.suite_was_read(assignment)
                read = True
            submission = submissions[result.number]
            self.enter(
                assignment, submission, manifest, result.source, result.outcome, self.isolation, result.raw,
                lasting=result.lasting,
            )  # fmt: skip
            waiting.remove(submission)

        def job(number: int) -> Job:
            submission = submissions[number]
            return Job(self.read(assignment, submission), exercise=options.alone.get(submission.student))

        SuiteRun(
            course=self.course,
            assignment=assignment,
            jail=jail,
            limits=self.limits,
            device=self.device,
            language=self.language,
            jobs=self.jobs,
            job=job,
            take=take,
            order=list if options.shuffle is None else partial(shuffled, seed=options.shuffle),
            context=self._contexts.pop(assignment.id, None),
        ).run(range(len(submissions)))

    def enter(
        self, assignment: Assignment, submission: Submission, manifest: list[ManifestCheck], source: Source,
        outcome: Outcome, isolation: dict[str, Fact], raw: Mapping[str, bytes], *, lasting: bool,
    ) -> None:  # fmt: skip
        """Enter a new result into the ledger.

        Args:
            manifest: The checks that must have a verdict.
            source: What was read of it, with the problem where it could not be graded.
            outcome: What each check came to.
            isolation: How its code was shut in.
            raw: pytest-json-report's reports, by the exercise that was run once more.
            lasting: Whether grading it again would give the same result, so that it may be kept.
        """
        row = self.ledger.enter(assignment, submission, manifest, source, outcome, isolation, lasting=lasting)
        self.rows.append(row)
        self.notes += course_error_notes(submission, outcome.verdicts)
        if self.raw is not None:
            for exercise, content in raw.items():
                self.raw.write_raw(submission.student, assignment.id, exercise, content)
        self.progress.advance()

    def read(self, assignment: Assignment, submission: Submission) -> Source:
        return read_submission(submission, assignment.names, self.limits, self.language)
