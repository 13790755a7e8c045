"""Grades a class: finds the submissions, shuts student code in, runs each assignment's suite and writes the reports.

This is the whole way of a submission on one page; every step is a module of its own. Nothing is graded before the jail
is proven and the output folder can be written, and one bad submission costs nobody else's report.
"""

import hashlib
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch

from grader import __version__
from grader.course.layout import Assignment, Course, find_course
from grader.course.source import load_solution
from grader.course.variants import load_variants, solution_submission
from grader.devices import choose_device
from grader.errors import CourseError, UsageError
from grader.inside.messages import Cell
from grader.jail import Jail, open_jail
from grader.limits import Limits
from grader.results.assemble import Outcome, Planned, RunFacts, assemble
from grader.results.sentences import NO_VERDICTS, pick
from grader.results.summary import Row, Summary, row_of, summarise
from grader.results.table import show_results
from grader.results.verdict import ManifestCheck
from grader.results.write import ReportsFolder
from grader.submissions.find import find_submissions
from grader.submissions.overlap import refuse_overlap
from grader.submissions.read import Source, StubTexts, read_submission
from grader.submissions.submission import Found, Submission
from grader.suite.collect import run_suite
from grader.suite.context import CourseSide
from grader.suite.draw import submission_seed
from grader.suite.fingerprints import load_fingerprints, recognised
from grader.suite.forking import Done, Farewell, Forks, Job
from grader.suite.golden import load_figures
from grader.suite.plugin import GradingPlugin

SPARE_WORKERS = 2
SOLUTION = -1


@dataclass(frozen=True)
class Order:
    """What the command line asks for; None where it says nothing."""

    paths: Sequence[Path]
    output: Path
    course: Path
    assignment: str | None = None
    student: str | None = None
    jobs: int | None = None
    device: str | None = None
    language: str | None = None
    tier: str = "auto"
    raw: Path | None = None
    limits: dict[str, float | int] = field(default_factory=dict)
    shuffle: int | None = None


@dataclass
class GradingRun:
    """One run over a class.

    Attributes:
        course: Whose suites grade.
        jail: Where student code runs.
        facts: What every report of the run repeats.
        jobs: Submissions at once.
        output: Where reports go.
        raw: Where pytest-json-report's raw reports are kept; None to forget them.
        shuffle: What another order of the checks is drawn from; None for the suite's own.
        rows: What each submission came to.
    """

    course: Course
    jail: Jail
    facts: RunFacts
    jobs: int
    output: ReportsFolder
    raw: ReportsFolder | None = None
    shuffle: int | None = None
    rows: list[Row] = field(default_factory=list)

    def grade(self, assignment: Assignment, submissions: list[Submission]) -> None:
        """Grade the submissions of one assignment and write their reports."""
        stub = stub_texts(assignment)
        side = course_side(self.course, assignment, self.facts.device)
        started: dict[int, str] = {}

        def read(number: int) -> Source:
            started[number] = now()
            return read_submission(submissions[number], stub, self.facts.limits)

        def run(plugin: GradingPlugin, session: pytest.Session) -> None:
            if plugin.manifest is None:
                return
            manifest = [check.entry() for check in plugin.manifest.checks]
            known = load_fingerprints(assignment.fingerprints)

            def write(number: int, source: Source, outcome: Outcome) -> None:
                self._write(assignment, submissions[number], source, manifest, outcome)

            def jobs() -> Iterator[Job]:
                for number in range(len(submissions)):
                    source = read(number)
                    if source.problem is not None:
                        write(number, source, Outcome(started=started[number], duration_s=0.0))
                    else:
                        yield Job(number, source, source.digest)

            def done(result: Done) -> None:
                farewell = result.farewell or Farewell(refused=pick(NO_VERDICTS, self.facts.language))
                source = result.job.source
                if farewell.refused:
                    source = msgspec.structs.replace(source, problem=farewell.refused)
                seed = submission_seed(self.course.secret(), assignment.id, result.job.digest)
                number = result.job.number
                write(
                    number,
                    source,
                    Outcome(
                        verdicts=recognised(result.verdicts, manifest, known, side.mistakes),
                        notes=farewell.notes,
                        seed=seed,
                        started=started[number],
                        duration_s=result.seconds,
                    ),
                )
                if self.raw is not None and result.raw.exists():
                    self.raw.write_raw(submissions[number].student, assignment.id, result.raw.read_bytes())
                shutil.rmtree(result.raw.parent, ignore_errors=True)

            with tempfile.TemporaryDirectory(prefix="grading-") as folder:
                forks = Forks(self.jail, self.facts.limits, Path(folder), self.jobs, partial(self._proven, assignment))
                forks.run(iter([solution_job(assignment)]), plugin, session)
                forks.on_done = done
                forks.run(jobs(), plugin, session)

        exercises = [exercise.id for exercise in assignment.exercises]
        suites = [assignment.visible, assignment.hidden]
        run_suite(side, exercises, suites, assignment.visible, run, shuffle=self.shuffle)

    def _proven(self, assignment: Assignment, result: Done) -> None:
        """Ask that the course's own solution passes every check, before any student is held to them.

        Raises:
            CourseError: It does not; the first check that it fails is named.
        """
        told = [each for each in result.verdicts if each.status != "passed" and not each.excused]
        if result.farewell is not None and not told:
            return
        first = f"{told[0].id}: {told[0].status}. {told[0].found} {told[0].exception_text[-300:]}" if told else ""
        raise CourseError(
            f"The course's own solution of {assignment.id} does not pass its suite, so nothing is graded.",
            " ".join((first or "The process that graded it ended early.").split()),
            "Mend the check or the solution.",
        )

    def _write(
        self,
        assignment: Assignment,
        submission: Submission,
        source: Source,
        manifest: list[ManifestCheck],
        outcome: Outcome,
    ) -> None:
        report = assemble(
            student=submission.student,
            assignment=assignment.id,
            source=source,
            plan=plan_of(assignment, self.facts.language),
            manifest=manifest,
            outcome=outcome,
            run=self.facts,
        )
        self.output.write_report(report)
        self.rows.append(row_of(report))


@dataclass(frozen=True)
class Graded:
    """What a run over a class came to.

    Attributes:
        rows: What each submission came to.
        students: Everybody in the class, also who handed nothing in.
        summary: The run's summary, as it was written.
    """

    rows: list[Row]
    students: list[str]
    summary: Summary

    @property
    def code(self) -> int:
        """The exit code: 0 when every submission was graded, 1 when some could not be."""
        return 1 if self.summary.not_graded or self.summary.warnings else 0

    @property
    def columns(self) -> list[str]:
        """The assignments that somebody handed in."""
        return [each.id for each in self.summary.assignments]


def grade_all(order: Order) -> int:
    """Grade what the order names, write everything and print the class's table.

    Returns:
        The exit code of `Graded.code`.

    Raises:
        GraderError: Nothing could be graded, or a report could not be written.
    """
    graded = grade_class(order)
    show_results(graded.rows, graded.students, graded.columns, graded.summary, order.output)
    return graded.code


def grade_class(order: Order) -> Graded:
    """Grade what the order names and write everything.

    Raises:
        GraderError: Nothing could be graded, or a report could not be written.
    """
    begun, clock = now(), time.monotonic()
    torch.set_num_threads(1)
    course = find_course(order.course)
    language: Any = order.language or course.settings.language
    limits = merged(course.limits, order.limits)
    found = find_all(course, order)
    device = choose_device(order.device, course.settings.device)
    output = ReportsFolder(order.output)
    raw = None if order.raw is None else ReportsFolder(order.raw)
    for folder in (output, raw):
        if folder is not None:
            refuse_overlap(order.paths, folder.root)
            folder.prepare()
    jobs = order.jobs or cores()
    course.secret()  # made now, so that the probe tries to read it
    with open_jail(
        order.tier,
        limits=limits,
        device=device,
        pool=jobs * 2 + SPARE_WORKERS,
        extra_packages=course.settings.extra_packages,
        secret_paths=[*course.secret_paths, *(path.absolute() for path in (*order.paths, order.output))],
    ) as jail:
        isolation: dict[str, Any] = msgspec.to_builtins(jail.isolation)
        del isolation["attempts"]  # how many there were hangs on how many files lie around
        facts = RunFacts(kit_version=__version__, language=language, device=device, isolation=isolation, limits=limits)
        run = GradingRun(course, jail, facts, jobs, output, raw, order.shuffle)
        for assignment in course.assignments.values():
            mine = [each for each in found.submissions if each.assignment == assignment.id]
            if mine:
                run.grade(assignment, mine)
    summary = summarise(
        run.rows,
        found.students,
        found.warnings,
        kit_version=__version__,
        started=begun,
        duration_s=time.monotonic() - clock,
        device=device,
        isolation=isolation,
    )
    output.write_summary(summary)
    graded = Graded(run.rows, found.students, summary)
    output.write_scores(graded.rows, graded.students, graded.columns)
    return graded


def find_all(course: Course, order: Order) -> Found:
    """Find the submissions that an order names.

    Raises:
        UsageError: There are none, or a path is none.
    """
    found = find_submissions(
        order.paths,
        assignments={each.id: each.name for each in course.assignments.values()},
        assignment=None if order.assignment is None else course.assignment(order.assignment).id,
        student=order.student,
    )
    if not found.submissions and not found.warnings:
        raise UsageError("Submissions were looked for, but there are none.", hint="Name a class, a folder or a file.")
    return found


def course_side(course: Course, assignment: Assignment, device: str) -> CourseSide:
    """Load what an assignment brings to its checks: solution, mistakes and figures, on the trusted side only."""
    solution = load_solution(assignment)
    variants = load_variants(assignment, solution)
    return CourseSide(
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


def plan_of(assignment: Assignment, language: str) -> list[Planned]:
    """Return an assignment's exercises as a report lists them."""
    korean = language == "ko"
    return [
        Planned(id=each.id, title=each.title_ko if korean else each.title, points=each.points)
        for each in assignment.exercises
    ]


def stub_texts(assignment: Assignment) -> StubTexts:
    """Return the texts of the files that students were given; empty where the build was never run."""

    def text(suffix: str) -> str:
        path = assignment.released / f"{assignment.name}{suffix}"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    return StubTexts(py=text(".py"), ipynb=text(".ipynb"))


def merged(limits: Limits, asked: dict[str, float | int]) -> Limits:
    """Return the course's limits with those of the command line put over them."""
    return msgspec.structs.replace(limits, **asked)


def cores() -> int:
    """Return how many processors this process may use."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def now() -> str:
    """Return the time in UTC by ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
