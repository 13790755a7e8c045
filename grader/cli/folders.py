"""`grader merge`, `grader diff` and `grader apply`: reports folders as a whole, joined, compared, put under rules."""

from pathlib import Path

import click

from .options import PATH, course_option, rules_options


@click.command()
@click.argument("folders", nargs=-1, required=True, type=PATH, metavar="FOLDER...")
@click.option("--output", type=PATH, default="reports", show_default=True, help="Where the joined reports are written.")
@course_option
def merge(folders: tuple[Path, ...], output: Path, start: Path) -> int:
    """Join reports folders that `grader grade --shard I/N` wrote, on this machine or on others, into one.

    Ends with 0 when every submission was graded, and with 1 when some could not be, or a report did not fit its
    journal. Ends with 2, and writes nothing, when a part is missing, not whole, or was graded by another suite.
    """
    from grader.course.layout import find_course
    from grader.course.output_place import refuse_in_course
    from grader.gradebook.given import join_given
    from grader.gradebook.policy import NAME as POLICY
    from grader.records.merge import merge as join
    from grader.results.table import show_results

    course = find_course(start)
    refuse_in_course(output)
    rows, students, summary = join(folders, output, course.secret())
    join_given(folders, output)
    show_results(rows, students, [each.id for each in summary.assignments], summary, output)
    if (course.root / POLICY).exists():
        click.echo(f"The course's rules are not applied to it yet: give `grader apply {output}`.")
    return 1 if summary.not_graded or summary.warnings else 0


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
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


@click.command()
@click.argument("reports", type=PATH, metavar="REPORTS")
@rules_options
@course_option
def apply(reports: Path, policy: Path | None, times: Path | None, roster: Path | None, start: Path) -> int:
    """Work out which points count in REPORTS by the course's rules, without grading.

    Due dates, extensions, lateness, attempts and what is dropped are in policy.toml. What --times and --roster say is
    kept in REPORTS, and need not be given again. No report is changed.

    Ends with 0; with 2, and leaves what was there, where the rules, a student or a time are not clear.
    """
    from grader.course.layout import find_course
    from grader.errors import UsageError
    from grader.lms.rules import read_rules, show_applied

    course = find_course(start)
    rules = read_rules(course, policy, times, roster)
    if rules is None:
        found = f"There is no policy.toml in {course.root}."
        raise UsageError(
            "The rules of the course were looked for.", found, "Write one, or name one with --policy FILE."
        )
    show_applied(rules.apply(reports), reports)
    return 0
