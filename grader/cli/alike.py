"""`grader alike`: list the submissions of a class that share code."""

from pathlib import Path

import click

from .options import PATH, course_option


@click.command()
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="PATH...")
@click.option("--output", type=PATH, default="reports", show_default=True, help="Where the pages are written.")
@click.option("--assignment", metavar="ID", help="Which assignment it is, where the path does not say.")
@course_option
@click.option("--language", type=click.Choice(["en", "ko"]), help="Of the pages.")
def alike(paths: tuple[Path, ...], output: Path, assignment: str | None, start: Path, language: str | None) -> int:
    """List pairs of submissions that share code which few others have, and show it side by side on a page.

    PATH is what `grader grade` takes. Nothing that was handed in is run. A pair on the list is to be looked at: that
    code is shared does not say why.

    Ends with 0 when everything was compared, whatever was found; with 1 when some submission could not be, with its
    reason; with 2 for wrong use or a broken course.
    """
    from grader.grading.alike_class import compare_class
    from grader.grading.options import GradeOptions
    from grader.text import counted, name_shown, one_line

    from .outputs import echo_list

    options = GradeOptions(paths, output, start, assignment=assignment, language=language)
    compared, warnings = compare_class(options)
    left_out = [*warnings]
    for each in compared:
        end = "." if each.pairs else "; no two share unusual code."
        click.echo(f"{each.assignment}: {counted(each.count, 'submission')} compared{end}")
        pairs = [
            f"{name_shown(pair.left)} and {name_shown(pair.right)}: {counted(pair.lines, 'line')}"
            for pair in each.pairs
        ]
        echo_list("These pairs share code; look at them", pairs)
        click.echo(f"The page: {one_line(str(each.page), 1000)}")
        left_out += [f"{name_shown(name)}, {each.assignment}: {why}" for name, why in each.left_out.items()]
    echo_list("Not compared", left_out)
    return 1 if left_out else 0
