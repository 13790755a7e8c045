"""`grader merge` and `grader diff`: reports folders as a whole, joined and compared."""

from pathlib import Path

import click

from .options import PATH, course_option


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
    from grader.records.merge import merge as join
    from grader.results.table import show_results

    course = find_course(start)
    refuse_in_course(output)
    rows, students, summary = join(folders, output, course.secret())
    show_results(rows, students, [each.id for each in summary.assignments], summary, output)
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
