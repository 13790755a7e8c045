"""Takes the submissions of one assignment through its suite: collected once, the solution first, a fork for each."""

import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import msgspec
import torch

from grader.course.layout import Assignment, Course
from grader.course.run_source import load_solution
from grader.course.variants.read_variants import load_variants, solution_submission
from grader.errors import CourseError
from grader.inside.protocol.messages import Cell
from grader.jail import Jail
from grader.limits import Limits
from grader.results.assemble import Outcome
from grader.results.sentences import NO_VERDICTS, pick
from grader.results.verdict import Language, ManifestCheck
from grader.source_cells import Source
from grader.suite.core.context import AssignmentContext
from grader.suite.core.draw import submission_seed
from grader.suite.core.figures import load_figures
from grader.suite.diagnosis.by_report import diagnose_by_report, load_fingerprints
from grader.suite.diagnosis.called_exercises import blame_called_exercises
from grader.suite.diagnosis.shown_calls import ShownCall
from grader.suite.process.child_report import SOLUTION, ChildReport, Job, SubmissionResult
from grader.suite.process.forking import JobRunner, Stragglers
from grader.suite.runner.collect import collected
from grader.suite.runner.suite import Suite

from .course_errors import solution_fails
from .options import utc_now

PROOFS = 3  # how often the solution is tried


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What one submission came to.

    Attributes:
        number: Its place among those of the assignment.
        source: What was read of it, with the problem where it could not be graded.
        lasting: Whether the same would come of it again, so that it may be kept.
        raw: pytest-json-report's raw report, as long as `take` runs; None where there is none.
        shown: What each check asked and what came of it, where single checks were run.
    """

    number: int
    source: Source
    outcome: Outcome
    lasting: bool = True
    raw: Path | None = None
    shown: dict[str, list[ShownCall]] = {}


@dataclass(frozen=True)
class SuiteRun:
    """The submissions of one assignment on their way.

    Attributes:
        language: Of the sentence about a submission that could not be graded, and of the notes on how it was run.
        jobs: Submissions at once.
        read: Reads a submission by its number.
        take: Called with each result, in the order in which they end.
        shuffle: What another order of the checks is drawn from; None for the suite's own.
        singly: Whether every check asks by itself, and none pauses to ask together with others.
        only: The id of the one check to run, with those that it needs; None for all.
        exercise: The exercise whose checks are run; None for all.
        first_loss: Whether the checks of an exercise end at the first one that costs points.
        seeds: Gives for a submission's number what the inputs of single checks are drawn from, by check; those of
            others are drawn from the submission.
        side: What the assignment brings to its checks; None to load it now.
        stragglers: Where the last submissions may go on while another suite runs. Some may then not be taken in the
            end, and have to be graded once more. None where each has to be taken before this is over.
    """

    course: Course
    assignment: Assignment
    jail: Jail
    limits: Limits
    device: str
    language: Language
    jobs: int
    read: Callable[[int], Source]
    take: Callable[[list[ManifestCheck], Result], None]
    shuffle: int | None = None
    singly: bool = False
    only: str | None = None
    exercise: str | None = None
    first_loss: bool = False
    seeds: Callable[[int], Mapping[str, int]] = lambda _: {}
    side: AssignmentContext | None = None
    stragglers: Stragglers | None = None

    def run(self, numbers: Sequence[int]) -> None:
        """Grade the submissions with these numbers.

        Raises:
            GraderError: The suite is broken, does not accept its own solution, or the jail is gone.
        """
        torch.set_num_threads(1)
        side = self.side or course_side(self.course, self.assignment, self.device)
        exercises = [exercise.id for exercise in self.assignment.exercises]
        suites = [self.assignment.visible, self.assignment.hidden]
        together = not self.singly and self.only is None
        with collected(
            side, exercises, suites, self.assignment.visible,
            shuffle=self.shuffle, only=self.only, exercise=self.exercise, together=together,
        ) as suite:  # fmt: skip
            suite.first_loss = self.first_loss
            self._grade(numbers, suite)

    def _grade(self, numbers: Sequence[int], suite: Suite) -> None:
        suite.warm()
        manifest = [check.entry() for check in suite.manifest.checks]
        known = load_fingerprints(self.assignment.fingerprints)
        started: dict[int, str] = {}
        again: dict[int, Job] = {}

        def submissions() -> Iterator[Job]:
            for number in numbers:
                begun = utc_now()
                source = self.read(number)
                if source.problem is not None:
                    self.take(
                        manifest,
                        Result(number=number, source=source, outcome=Outcome(started=begun, duration_s=0.0)),
                    )
                else:
                    started[number] = begun
                    yield Job(number, source, source.digest, self.seeds(number), self.only is not None, self.language)

        def done(ended: SubmissionResult) -> None:
            number = ended.job.number
            source, child_report = ended.job.source, ended.child_report
            refused = pick(NO_VERDICTS, self.language) if child_report is None else child_report.refused
            if refused:
                self.jail.status()  # without the process that starts workers, nobody's result is to be believed
                if number not in again and (child_report or ended.seconds < self.limits.submission_wall_s):
                    again[number] = ended.job  # its session was killed, or the machine was short of something
                    return
                source = msgspec.structs.replace(source, problem=refused)
            verdicts = ended.verdicts
            if self.only is None:  # how a report looks says something only when it is whole
                verdicts = diagnose_by_report(verdicts, manifest, known, suite.course.mistakes)
                verdicts = blame_called_exercises(verdicts, manifest, child_report.calls if child_report else {})
            outcome = Outcome(
                verdicts=verdicts,
                notes=(child_report or ChildReport()).notes,
                seed=submission_seed(self.course.secret(), self.assignment.id, ended.job.digest),
                started=started.pop(number),
                duration_s=round(ended.seconds, 6),
            )
            raw = ended.raw if ended.raw.exists() else None
            lasting = child_report is not None and not refused
            shown = child_report.shown if child_report else {}
            self.take(
                manifest,
                Result(number=number, source=source, outcome=outcome, lasting=lasting, raw=raw, shown=shown),
            )
            shutil.rmtree(ended.raw.parent, ignore_errors=True)

        with nullcontext(self.stragglers) if self.stragglers else Stragglers() as stragglers:
            proofs: list[SubmissionResult] = []
            forks = JobRunner(
                self.jail, self.limits, stragglers.new_folder(), self.jobs, proofs.append, stragglers=stragglers
            )
            for _ in range(PROOFS):  # a session that is killed from outside says nothing of the course
                forks.run(iter([solution_job(self.assignment)]), suite)
                if proofs[-1].child_report is not None or proofs[-1].seconds > self.limits.submission_wall_s:
                    break
                self.jail.status()
            self._proven(suite, proofs[-1])
            forks.on_done = done
            forks.run(submissions(), suite, expected=len(numbers), may_leave=self.stragglers is not None)
            if self.stragglers is None:
                forks.most = 1  # what the machine was too small for together
                forks.run(iter(list(again.values())), suite)

    def _proven(self, suite: Suite, result: SubmissionResult) -> None:
        """Ask that the course's own solution passes every check, before any student is held to them.

        Raises:
            CourseError: It does not; the first check that it fails is named.
            IsolationError: The process that starts workers is gone, so nothing is known of the solution.
        """
        failed = [each for each in result.verdicts if each.status != "passed" and not each.excused]
        if result.child_report is not None and not failed and not result.child_report.refused:
            return
        self.jail.status()
        if failed:
            raise solution_fails(failed[0], {suite.checks[item.nodeid].id: item for item in suite.items})
        raise CourseError(
            f"The process that graded the course's own solution of {self.assignment.id} ended early.",
            "Fix the check or the solution; nothing is graded until then.",
        )


def course_side(course: Course, assignment: Assignment, device: str) -> AssignmentContext:
    """Load what an assignment brings to its checks: solution, mistakes and figures, on the trusted side only."""
    solution = load_solution(assignment)
    variants = load_variants(assignment, solution)
    return AssignmentContext(
        assignment=assignment.id,
        module_name=assignment.name,
        solution=solution,
        mistakes={each.id: list(variants.mistakes_of(each.id)) for each in assignment.exercises},
        forbids={each.id: list(each.forbids) for each in assignment.exercises},
        figures=load_figures(assignment.golden),
        secret=course.secret(),
        device=device,
    )


def solution_job(assignment: Assignment) -> Job:
    """Return the solution as a submission that is graded first, to prove the suite."""
    text = solution_submission(assignment)
    digest = hashlib.sha256(text.encode()).hexdigest()
    source = Source([Cell(1, text)], "py", f"{assignment.name}.py", digest, {f"{assignment.name}.py": digest})
    return Job(SOLUTION, source, digest)
