"""Takes the submissions of one assignment through its suite: collected once, the solution first, a fork for each."""

import hashlib
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec
import torch

from grader.course.layout import Assignment, Course
from grader.course.run_source import load_solution
from grader.course.variants.read_variants import load_variants, solution_submission
from grader.errors import CourseError
from grader.inside.protocol.messages import Cell
from grader.inside.zygote import hugepages
from grader.jail import Jail
from grader.limits import Limits
from grader.results.assemble import Outcome
from grader.results.verdict import Language, ManifestCheck
from grader.source_cells import Source
from grader.suite.core.context import AssignmentContext
from grader.suite.core.draw import submission_seed
from grader.suite.core.figures import load_figures
from grader.suite.core.manifest import Check, in_order
from grader.suite.runner.collect import Collection
from grader.suite.runner.forking import take_through
from grader.suite.runner.tries import Job, Tries
from grader.workers.process.clock import Allowance

from .course_errors import solution_fails
from .jails import MANY
from .options import utc_now

PROOFS = 3  # how often the solution is tried


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What one submission came to.

    Attributes:
        number: Its place among those of the assignment.
        source: What was read of it, with the problem where it could not be graded.
        lasting: Whether the same would come of it again, so that it may be kept.
        raw: pytest-json-report's reports, of the first try and of each exercise that was run once
            more.
    """

    number: int
    source: Source
    outcome: Outcome
    lasting: bool = True
    raw: Mapping[str, bytes] = {}


@dataclass(frozen=True)
class SuiteRun:
    """Grades submissions of one assignment.

    Attributes:
        jobs: Submissions at once.
        job: Reads a submission by its number, and says what is to be run of it.
        take: Called with each result, in the order in which they end.
        order: Chooses which checks are run, and in which order, of the suite's own.
        context: What the assignment brings to its checks; None to load it now.
    """

    course: Course
    assignment: Assignment
    jail: Jail
    limits: Limits
    device: str
    language: Language
    jobs: int
    job: Callable[[int], Job]
    take: Callable[[list[ManifestCheck], Result], None]
    order: Callable[[list[Check]], list[Check]] = list
    context: AssignmentContext | None = None

    def run(self, numbers: Sequence[int]) -> None:
        """Grade the submissions with these numbers.

        Raises:
            GraderError: The suite is broken, does not accept its own solution, or the jail is gone.
        """
        torch.set_num_threads(1)
        context = self.context or load_context(self.course, self.assignment, self.device, self.limits, self.language)
        use = partial(self._grade, numbers, context)
        Collection(context, self.assignment.visible, self.assignment.hidden, use).run()

    def _grade(self, numbers: Sequence[int], context: AssignmentContext, all_checks: list[Check]) -> None:
        warm(all_checks)
        if len(numbers) >= MANY:  # or a fork for each try copies all of the page tables
            hugepages.gather(Path("/proc/self/maps").read_text(errors="replace"))
        order = self.order(in_order(all_checks))
        entries = [check.entry() for check in all_checks]
        checks: dict[str, set[str]] = {}
        for check in all_checks:
            if check in order:
                checks.setdefault(check.spec.exercise, set()).add(check.id)

        def begin(number: int) -> Tries | None:
            started, job = utc_now(), self.job(number)
            if job.source.problem is not None:
                outcome = Outcome(started=started, duration_s=0.0)
                self.take(entries, Result(number=number, source=job.source, outcome=outcome))
                return None
            job = replace(job, left=Allowance.of(self.limits.submission_cpu_s))
            asked = checks if job.exercise is None else {job.exercise: checks[job.exercise]}
            return Tries(job, asked, number, started)

        refused: list[Tries] = []

        def done(tries: Tries) -> None:
            self.take(entries, self._result(tries))

        def first(tries: Tries) -> None:
            refused.append(tries) if tries.refused else done(tries)

        self._prove(context, order, checks)
        take_through(filter(None, map(begin, numbers)), first, self.jobs, self.jail, context, order)
        again = (replace(tries, ended=[]) for tries in refused)  # what the machine was short of may be there now
        take_through(again, done, 1, self.jail, context, order)

    def _result(self, tries: Tries) -> Result:
        source = tries.job.source
        return Result(
            number=tries.number,
            source=msgspec.structs.replace(source, problem=tries.refused or None),
            outcome=Outcome(
                verdicts=list(tries.verdicts.values()),
                notes=[note for ended in tries.ended for note in ended.notes],
                ungraded=tries.ungraded,
                seed=submission_seed(self.course.secret(), self.assignment.id, source.digest),
                started=tries.started,
                duration_s=round(sum(ended.seconds for ended in tries.ended), 6),
            ),
            lasting=tries.is_lasting,
            raw={ended.exercise or "": ended.raw for ended in tries.ended if ended.raw is not None},
        )

    def _prove(self, context: AssignmentContext, order: list[Check], checks: Mapping[str, Set[str]]) -> None:
        """Ask that the course's own solution passes every check, before any student is held to them.

        Raises:
            CourseError: It does not; the first check that it fails is named.
            IsolationError: The process that starts workers is gone, so nothing is known of the solution.
        """
        for _ in range(PROOFS):  # a fork that is killed from outside says nothing of the course
            tries = Tries(solution_job(self.assignment, self.limits), checks)
            take_through(iter([tries]), lambda _: None, 1, self.jail, context, order)
            failed = [result for result in tries.verdicts.values() if result.status != "passed" and not result.excused]
            if failed:
                raise solution_fails(failed[0], {check.id: check.item for check in order})
            if len(tries.verdicts) == len(order):
                return
            self.jail.status()
        if tries.refused:
            raise CourseError(tries.refused)
        raise CourseError(
            f"The process that graded the course's own solution of {self.assignment.id} ended early.",
            "Fix the check or the solution; nothing is graded until then.",
        )


def warm(checks: Sequence[Check]) -> None:
    """Work out what pytest would otherwise work out anew for every submission."""
    for check in checks:
        _ = check.item.location


def load_context(
    course: Course, assignment: Assignment, device: str, limits: Limits, language: Language
) -> AssignmentContext:
    """Load what an assignment brings to its checks: solution, mistakes and figures, on the trusted side only."""
    solution = load_solution(assignment)
    variants = load_variants(assignment, solution)
    return AssignmentContext(
        assignment=assignment.id,
        module_name=assignment.name,
        exercises=[exercise.id for exercise in assignment.exercises],
        solution=solution,
        mistakes={exercise.id: list(variants.mistakes_of(exercise.id)) for exercise in assignment.exercises},
        forbids={exercise.id: list(exercise.forbids) for exercise in assignment.exercises},
        figures=load_figures(assignment.golden),
        secret=course.secret(),
        device=device,
        limits=limits,
        language=language,
    )


def solution_job(assignment: Assignment, limits: Limits) -> Job:
    """Return the solution as a submission that is graded first, to prove the suite."""
    text = solution_submission(assignment)
    digest = hashlib.sha256(text.encode()).hexdigest()
    source = Source([Cell(1, text)], "py", f"{assignment.name}.py", digest, {f"{assignment.name}.py": digest})
    return Job(source, Allowance.of(limits.submission_cpu_s))
