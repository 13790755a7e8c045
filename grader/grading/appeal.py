"""Runs a check that a student asks about again, and writes a page of it for the teacher; no report is changed.

The inputs, the limits and the device are those of the report; the submission and the suite are those of now. What is
different since then is found by the hashes in the journal.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click
import msgspec

from grader.course.layout import Assignment, Course, find_course
from grader.course.output_place import refuse_place
from grader.errors import UsageError
from grader.export.grades import read_grades
from grader.faults import did_you_mean
from grader.inside.protocol.messages import Cell
from grader.pages.appeal_page import AppealedCheck, NumberedLine, appeal_page
from grader.records.cache_key import result_key, run_conditions, suite_digest
from grader.records.journal import Journal
from grader.records.journal_lines import Line
from grader.results.report import Check, Report
from grader.results.verdict import ManifestCheck
from grader.results.write import CLASS_PAGES, ReportsFolder, folder_of
from grader.source_cells import Source
from grader.submissions.files import listing_of
from grader.submissions.read import read_submission
from grader.submissions.submission import Submission
from grader.suite.diagnosis.shown_calls import ShownCall
from grader.system.devices import choose_device
from grader.system.folder_listing import is_program
from grader.text import name_shown, one_line

from .finding import find_all
from .jails import open_course_jail
from .options import GradeOptions

if TYPE_CHECKING:
    from .suite_run import Result

SEED = re.compile(r"[0-9a-f]{32}")
LONGEST_NAME = 150


def appeal_check(options: GradeOptions, student: str, named: str, check: str) -> int:
    """Run a check on a student's submission again, print what came of it and write the page.

    Args:
        named: The assignment.
        check: The check's id; without brackets that of a check with parameters means all of them.

    Returns:
        0 when it could be run, 1 otherwise.

    Raises:
        GraderError: There is no such report, submission or check, no jail can be had, or the page cannot be written.
    """
    course, assignment, student, report = _asked_about(options, student, named)
    refuse_place(options.output, apart=options.paths)
    if check.partition(".")[0] not in {exercise.id for exercise in assignment.exercises}:
        hint = did_you_mean(check, checks_of(report))[:1000]
        raise UsageError(f"{assignment.id} has no check {name_shown(check)}.", hint)
    submission = _submission_of(course, options, student, assignment)
    device = choose_device(report.device, course.settings.device)
    manifest, result = _run_again(course, assignment, submission, report, options, check, device)
    who = f"{name_shown(student)}, {assignment.id}"
    if result.source.problem is not None:
        click.echo(f"{who}: {one_line(result.source.problem, 400)}")
        return 1
    click.echo(who)
    appealed = _appealed(course, assignment, options.output, report, check, device, manifest, result)
    for asked in appealed:
        before = "no such check" if asked.before is None else asked.before.status
        click.echo(f"  {asked.check.id}: {asked.now.status}; in the report: {before}")
        if why := one_line(asked.now.found or asked.now.reason, 400):
            click.echo(f"    {why}")
    source = result.source
    content = appeal_page(
        report.language, student, assignment.id, check, appealed, source.file_name, _numbered(source.cells)
    )
    inside = (CLASS_PAGES, assignment.id, "appeals", folder_of(student))
    place = ReportsFolder(options.output).write_page(inside, f"{quote(check, safe='[]')[:LONGEST_NAME]}.html", content)
    click.echo(f"The page, for the teacher alone: {one_line(str(place), 1000)}")
    return 0


def list_checks(options: GradeOptions, student: str, named: str, exercise: str | None) -> int:
    """Print the checks of a student's report with their verdicts, by exercise, and return 0.

    Args:
        named: The assignment.
        exercise: The only exercise to list; None for all.

    Raises:
        GraderError: There is no such report, or no such exercise in it.
    """
    _, assignment, student, report = _asked_about(options, student, named)
    there = {result.id: result for result in report.exercises if exercise in (None, result.id)}
    if exercise is not None and not there:
        meant = [id for id in checks_of(report) if id.partition(".")[2] == exercise]
        hint = did_you_mean(exercise, meant or [result.id for result in report.exercises])
        raise UsageError(f"{assignment.id} has no exercise {name_shown(exercise)}.", hint=hint)
    click.echo(f"{name_shown(student)}, {assignment.id}")
    if report.problem is not None:
        click.echo(f"  Not graded: {one_line(report.problem, 400)}")
    for result in there.values():
        click.echo(f"  {result.id}")
        for check in result.checks:
            click.echo(f"    {check.status:10}{check.id}: {one_line(check.message, 400)}")
    return 0


def _asked_about(options: GradeOptions, student: str, named: str) -> tuple[Course, Assignment, str, Report]:
    """Return the course, the assignment, the student's folder and the report, which must be as it was written."""
    course = find_course(options.course)
    assignment, grades = course.assignment(named), read_grades(options.output)
    grade = grades.of_report(student, assignment.id)
    return course, assignment, grade.student, grades.report(grade)


def _run_again(
    course: Course, assignment: Assignment, submission: Submission, report: Report, options: GradeOptions, check: str,
    device: str,
) -> tuple[list[ManifestCheck], "Result"]:  # fmt: skip
    """Run a check, with those that it needs, on a report's own inputs, also when the course's secret has changed since.

    Raises:
        GraderError: There is no such check, the suite is broken, or no jail can be had.
    """
    seeds = {
        id: int(record.detail.input_seed, 16)
        for id, record in checks_of(report).items()
        if SEED.fullmatch(record.detail.input_seed)
    }
    results: list[tuple[list[ManifestCheck], Result]] = []
    exercise = check.partition(".")[0]
    limits, language, paths = report.limits, course.settings.language, (*options.paths, options.output)
    source = read_submission(submission, assignment.names, limits, language)
    with open_course_jail(course, options.tier, limits, device, 1, 1, paths) as jail:
        from grader.suite.core.manifest import only_with_needs
        from grader.suite.runner.tries import Job

        from .suite_run import SuiteRun

        SuiteRun(
            course=course,
            assignment=assignment,
            jail=jail,
            limits=limits,
            device=device,
            language=language,
            jobs=1,
            job=lambda _: Job(source, exercise=exercise, seeds=seeds),
            take=lambda manifest, result: results.append((manifest, result)),
            order=partial(only_with_needs, assignment.id, wanted=check),
        ).run([0])
    return results[0]


def checks_of(report: Report) -> dict[str, Check]:
    """Return the checks of a report by id."""
    return {check.id: check for exercise in report.exercises for check in exercise.checks}


def _appealed(
    course: Course, assignment: Assignment, output: Path, report: Report, check: str, device: str,
    manifest: Sequence[ManifestCheck], result: "Result",
) -> list[AppealedCheck]:  # fmt: skip
    """Return the checks that were asked for, each with what is different since the report."""
    line = Journal(output, None).newest((report.student, report.assignment))
    asked = {entry.id: entry for entry in manifest if check in (entry.id, entry.id.partition("[")[0])}
    before = checks_of(report)
    since = _since(course, assignment, report, line, device, result.source)
    checks = []
    for now in result.outcome.verdicts:
        if now.id in asked:
            then = before.get(now.id)
            other = ["inputs"] if then is not None and then.detail.input_seed != now.input_seed else []
            same = then is None or then.status == now.status
            nothing = ["nothing"] if same else ["nothing", "chance"]
            calls = msgspec.convert(now.calls, list[ShownCall])
            checks.append(AppealedCheck(asked[now.id], then, now, [*since, *other] or nothing, calls))
    return checks


def _submission_of(course: Course, options: GradeOptions, student: str, assignment: Assignment) -> Submission:
    """Return what the student handed in.

    Raises:
        UsageError: It is not under the paths.
    """

    def is_one_students(path: Path) -> bool:  # which no class is: it holds no assignment's folder itself
        return is_program(path.name) or assignment.id in (
            path.name,
            *(file.where.partition("/")[0] for file in listing_of(path)),
        )

    named = student if options.layout is None and all(map(is_one_students, options.paths)) else None
    options = replace(options, assignment=assignment.id, student=named)
    submissions = find_all(course, options).submissions
    mine = [work for work in submissions if (work.student, work.assignment) == (student, assignment.id)]
    if not mine:
        where = ", ".join(name_shown(str(path)) for path in options.paths)
        problem = f"{where} has no submission of {name_shown(student)} for {assignment.id}."
        raise UsageError(problem, did_you_mean(student, [work.student for work in submissions])[:300])
    return mine[0]


def _since(
    course: Course, assignment: Assignment, report: Report, line: Line | None, device: str, source: Source
) -> list[str]:
    """Return what is different since the report was written: keys of `pages.appeal_page.SINCE`."""
    if line is None:
        same = source.digest in report.submission.sha256.values() or dict(source.sha256) == report.submission.sha256
        return [*([] if same else ["submission"]), "unknown"]
    run, suite = run_conditions(course, device, report.limits), suite_digest(course, assignment)
    now = {"submission": source.digest, "suite": suite, "kit": run.kit}
    then = {"submission": line.submission, "suite": line.suite, "kit": line.kit}
    differences = [key for key in now if now[key] != then[key]]
    return differences or (["conditions"] if line.result != result_key(run, suite, source) else [])


def _numbered(cells: Sequence[Cell]) -> list[NumberedLine]:
    """Return the lines of a submission, those of a notebook with the number of the cell."""
    return [
        (f"{cell.number}:{number}" if len(cells) > 1 else str(number), text)
        for cell in cells
        for number, text in enumerate(cell.source.split("\n"), 1)
    ]
