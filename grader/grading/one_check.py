"""Repeats one check on a submission and shows all that the teacher may know of it; no report is written.

The inputs are those of the report in the output folder, where there is one: its seed is used again, also when the
course's secret has changed since. So what a student appeals against can be looked at, and a mended suite tried.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.course.layout import Assignment, Course, find_course
from grader.errors import UsageError
from grader.limits import Limits
from grader.records.report_files import read_file
from grader.results.report import Check, Report
from grader.results.verdict import CheckVerdict, ManifestCheck
from grader.results.write import ReportsFolder
from grader.submissions.read import read_submission
from grader.submissions.submission import Submission
from grader.system.devices import choose_device
from grader.system.processors import cores
from grader.text import name_shown, one_line, sanitise

from .finding import find_all
from .jails import open_course_jail
from .options import GradeOptions, merged_limits

if TYPE_CHECKING:
    from .suite_run import Result

SEED = re.compile(r"[0-9a-f]{32}")
LONGEST = 4000


def repeat_check(options: GradeOptions, check: str) -> int:
    """Run one check on what the options name, with the checks that it needs, and print what came of it.

    Returns:
        0 when it could be run on every submission, 1 otherwise.
    """
    course = find_course(options.course)
    limits = merged_limits(course.limits, options.limits)
    exercise = check.partition(".")[0]
    assignments = [each for each in course.assignments.values() if any(exercise == part.id for part in each.exercises)]
    if not assignments:
        known = ", ".join(part.id for each in course.assignments.values() for part in each.exercises)
        raise UsageError("A check was looked for.", f"No exercise is called {exercise!r}.", f"There are {known}.")
    submissions = find_all(course, options).submissions
    device = choose_device(options.device, course.settings.device)
    missed = 0
    for assignment in assignments:
        mine = [each for each in submissions if each.assignment == assignment.id]
        if not mine:
            raise UsageError(
                f"A submission for {assignment.id} was looked for, which {check} belongs to.", "There is none."
            )
        missed += _repeat(course, assignment, mine, options, check, limits, device)
    return 1 if missed else 0


def _repeat(
    course: Course, assignment: Assignment, submissions: list[Submission], options: GradeOptions, check: str,
    limits: Limits, device: str,
) -> int:  # fmt: skip
    reports = [recorded_report(options.output, each) for each in submissions]
    missed = 0

    def show(manifest: list[ManifestCheck], result: "Result") -> None:
        nonlocal missed
        missed += result.source.problem is not None
        for line in check_lines(submissions[result.number], manifest, result, reports[result.number]):
            click.echo(line)

    run_check(course, assignment, submissions, reports, options, check, limits, device, show)
    return missed


def run_check(
    course: Course, assignment: Assignment, submissions: Sequence[Submission], reports: Sequence[Report | None],
    options: GradeOptions, check: str, limits: Limits, device: str,
    take: "Callable[[list[ManifestCheck], Result], None]",
) -> None:  # fmt: skip
    """Run one check on submissions of an assignment, with the checks that it needs, and take each result.

    Args:
        reports: The report of each submission, whose inputs are drawn again; None where there is none.

    Raises:
        GraderError: There is no such check, the suite is broken, or no jail can be had.
    """

    def seeds(number: int) -> Mapping[str, int]:
        return {id: int(found.detail.input_seed, 16) for id, found in checks_of(reports[number]).items()
                if SEED.fullmatch(found.detail.input_seed)}  # fmt: skip

    jobs, paths = options.jobs or cores(), (*options.paths, options.output)
    with open_course_jail(course, options.tier, limits, device, jobs, len(submissions), paths) as jail:
        from .suite_run import SuiteRun

        SuiteRun(
            course=course,
            assignment=assignment,
            jail=jail,
            limits=limits,
            device=device,
            language=course.settings.language,
            jobs=jobs,
            read=lambda number: read_submission(
                submissions[number], assignment.names, limits, course.settings.language
            ),
            take=take,
            only=check,
            seeds=seeds,
        ).run(range(len(submissions)))


def recorded_report(output: Path, submission: Submission) -> Report | None:
    """Return the report that the output folder holds of a submission; None when there is none that can be read."""
    place, _ = ReportsFolder(output).places_of(submission.student, submission.assignment)
    try:
        return read_file(place)[0]
    except UsageError:
        return None


def checks_of(report: Report | None) -> dict[str, Check]:
    """Return the checks of a report by id."""
    return {} if report is None else {check.id: check for each in report.exercises for check in each.checks}


def check_lines(
    submission: Submission, manifest: list[ManifestCheck], result: "Result", report: Report | None
) -> list[str]:
    """Return what to print of a submission."""
    head = f"{name_shown(submission.student)}, {submission.assignment}"
    if result.source.problem is not None:
        return [f"{head}: {one_line(result.source.problem, 400)}"]
    asked = {check.id: check for check in manifest}
    before = checks_of(report)
    files = {} if report is None else report.submission.sha256
    same = result.source.digest in files.values() or dict(result.source.sha256) == files
    lines = [head]
    if report is not None and not same:
        lines.append("  The report in the output folder is of another file; its inputs were used all the same.")
    for verdict in result.outcome.verdicts:
        lines += _verdict(asked[verdict.id], verdict, before.get(verdict.id))
    return lines


def _verdict(check: ManifestCheck, verdict: CheckVerdict, before: Check | None) -> list[str]:
    facts: list[tuple[str, Any]] = [
        ("asks", check.sentence),
        ("found", verdict.found or verdict.reason),
        ("exception", f"{verdict.exception_type}: {verdict.exception_text}" if verdict.exception_text else ""),
        ("line", f"{verdict.line}: {verdict.line_text.strip()}" if verdict.line else ""),
        ("advice", verdict.advice),
        ("mistake", ", ".join(verdict.diagnosis.mistakes) if verdict.diagnosis else ""),
        ("hint", verdict.diagnosis.hint if verdict.diagnosis else ""),
        ("printed", verdict.output),
        ("inputs drawn from", verdict.input_seed),
        ("in the report", _before(before, verdict)),
    ]
    lines = [f"  {check.id} ({check.category}, weight {check.weight}): {verdict.status}"]
    for name, text in facts:
        if text:
            clean = sanitise(str(text), LONGEST).strip("\n").splitlines()
            lines += [f"    {name}: {clean[0]}", *(f"      {line}" for line in clean[1:])]
    return lines


def _before(before: Check | None, verdict: CheckVerdict) -> str:
    if before is None:
        return "there is no report of it"
    seed = "the same inputs" if before.detail.input_seed == verdict.input_seed else "other inputs"
    return f"{before.status}, with {seed}"
