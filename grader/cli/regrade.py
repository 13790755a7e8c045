"""`grader diff` and `grader appeal`: what another run changed, and another look at one check."""

from pathlib import Path

import click

from .options import PATH, Common, pass_common


@click.command()
@click.argument("reports", type=PATH, metavar="REPORTS")
@click.argument("student", metavar="STUDENT")
@click.argument("assignment", metavar="ASSIGNMENT")
@click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option("--check", metavar="ID", help="The check that is asked about.  [default: list them]")
@click.option("--from", "layout", metavar="NAME", help="As it was given to `grader grade`.")
@pass_common
def appeal(
    common: Common, reports: Path, student: str, assignment: str, paths: tuple[Path, ...], check: str | None,
    layout: str | None,
) -> int:  # fmt: skip
    """Run one check of a student's report again and show everything of it on a page for the teacher.

    Without --check, the checks of each exercise are listed with their verdicts; with the name of an exercise, its own.

    REPORTS is the folder that `grader grade` wrote, PATH is what was given to it. The inputs are those of the report;
    submission and suite are today's. The page shows each call with its inputs, the student's answer and, up to the
    first difference, the expected one, also of a hidden check: no student should get it. No report and no score is
    changed.

    Ends with 0 when the check was run, whatever its verdict; with 1 when the submission cannot be graded; with 2 for
    wrong use; with 3 when student code cannot be shut in on this machine.
    """
    import os

    from grader.grading.appeal import appeal_check, list_checks
    from grader.grading.options import ONE_THREAD, GradeOptions

    os.environ.update(ONE_THREAD)
    options = GradeOptions([*paths], reports, common.course, layout=layout, jobs=1)
    if check is None or "." not in check:
        return list_checks(options, student, assignment, check)
    if not paths:
        raise click.UsageError("PATH is missing: name what was given to `grader grade`, where the submission is.")
    return appeal_check(options, student, assignment, check)


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", default="reports", metavar="[NEW]")
def diff(old: str, new: str) -> int:
    """Compare two reports folders, or one folder at two times.

    OLD and NEW are folders that `grader grade` wrote: `reports` as it is now, `reports@2026-11-21` as it was at the end
    of that day (or `...T15:30` of that minute, in UTC), `reports@-1` as it was before the last run that wrote a report.
    """
    from grader.records.change_lines import lines_of
    from grader.records.changes import compare, reports_at

    before, after = reports_at(old), reports_at(new)
    for line in lines_of(compare(before, after), before, after):
        click.echo(line)
    return 0
