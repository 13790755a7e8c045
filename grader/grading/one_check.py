"""Repeats one check on a submission, for `grader appeal`; no report is written.

The inputs are those of the report: its seed is used again, also when the course's secret has changed since.
"""

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from grader.course.layout import Assignment, Course
from grader.results.report import Check, Report
from grader.results.verdict import CheckVerdict, ManifestCheck
from grader.submissions.read import read_submission
from grader.submissions.submission import Submission
from grader.text import name_shown, one_line, sanitise

from .jails import open_course_jail
from .options import GradeOptions

if TYPE_CHECKING:
    from .suite_run import Result

SEED = re.compile(r"[0-9a-f]{32}")
LONGEST = 4000


def run_check(
    course: Course, assignment: Assignment, submission: Submission, report: Report, options: GradeOptions, check: str,
    device: str,
) -> "tuple[list[ManifestCheck], Result]":  # fmt: skip
    """Run one check on a submission, with the checks that it needs; return the checks of the suite and the result.

    Raises:
        GraderError: There is no such check, the suite is broken, or no jail can be had.
    """
    seeds = {id: int(record.detail.input_seed, 16) for id, record in checks_of(report).items()
             if SEED.fullmatch(record.detail.input_seed)}  # fmt: skip
    limits, language, paths = report.limits, course.settings.language, (*options.paths, options.output)
    source = read_submission(submission, assignment.names, limits, language)
    results: list[tuple[list[ManifestCheck], Result]] = []
    with open_course_jail(course, options.tier, limits, device, 1, 1, paths) as jail:
        from grader.suite.core.manifest import only_with_needs
        from grader.suite.process.tries import Job

        from .suite_run import SuiteRun

        SuiteRun(
            course=course,
            assignment=assignment,
            jail=jail,
            limits=limits,
            device=device,
            jobs=1,
            job=lambda _: Job(source, language=language, seeds=seeds, keeps_calls=True),
            take=lambda manifest, result: results.append((manifest, result)),
            order=partial(only_with_needs, assignment.id, wanted=check),
        ).run([0])
    return results[0]


def checks_of(report: Report) -> dict[str, Check]:
    """Return the checks of a report by id."""
    return {check.id: check for exercise in report.exercises for check in exercise.checks}


def check_lines(submission: Submission, manifest: list[ManifestCheck], result: "Result", report: Report) -> list[str]:
    """Return what to print of a submission."""
    head = f"{name_shown(submission.student)}, {submission.assignment}"
    if result.source.problem is not None:
        return [f"{head}: {one_line(result.source.problem, 400)}"]
    asked = {check.id: check for check in manifest}
    before = checks_of(report)
    files = report.submission.sha256
    same = result.source.digest in files.values() or dict(result.source.sha256) == files
    lines = [head]
    if not same:
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
