"""`grader diff`: reports folders compared as a whole."""

import click


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
