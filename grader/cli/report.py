"""`grader report`: make pages of reports."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from grader.pages.write import Written

SHOWN = 20  # reports without a page that are named before the rest is counted


@click.command()
@click.argument("reports", metavar="REPORTS")
@click.option("--output", default=None, metavar="DIR", help="Where the pages are written.  [default: by the reports]")
@click.option("--markdown", is_flag=True, help="Write students' pages as Markdown too.")
@click.option("--due-passed", is_flag=True, help="The due date is over: show the checks that are shown after it.")
def report(reports: str, output: str | None, markdown: bool, due_passed: bool) -> int:
    """Make a page for each student, and of a class for its teacher.

    REPORTS is a folder that `grader grade` wrote, or one report in it. A student's page holds what the student's copy
    of the report holds and no more.

    Ends with 0 when every report has its page; with 1 when some do not, each with its reason; with 2 for wrong use.
    """
    from grader.course.output_place import refuse_in_course
    from grader.submissions.overlap import named_path

    place = named_path(reports, "REPORTS")
    folder = None if output is None else named_path(output, "--output")
    if folder is not None:
        refuse_in_course(folder)
    if place.is_dir():
        return make_pages(place, folder, markdown, due_passed)
    from grader.pages.write import write_page

    for path in write_page(place, folder, as_markdown=markdown, late=due_passed):
        click.echo(f"written: {path}")
    return 0


def make_pages(reports: Path, output: Path | None = None, markdown: bool = False, late: bool = False) -> int:
    """Write the pages of a reports folder and say what was written.

    Returns:
        0 when every report has its page, 1 when some do not.
    """
    from grader.pages.write import write_pages

    written = write_pages(reports, output, as_markdown=markdown, late=late)
    for line in _summary_lines(written):
        click.echo(line)
    return 1 if written.left_out else 0


def _summary_lines(written: "Written") -> list[str]:
    from grader.text import counted, one_line

    lines = [f"{counted(written.students, 'page')} for students."]
    lines += [f"The class: {one_line(str(path), 1000)}" for path in written.classes]
    lines += [f"Note: {one_line(sentence, 1000)}" for sentence in written.gone[:SHOWN]]
    if written.left_out:
        lines.append(f"Without a page ({len(written.left_out)}):")
        lines += [f"  {one_line(sentence, 1000)}" for sentence in written.left_out[:SHOWN]]
    if len(written.left_out) > SHOWN:
        lines.append(f"  and {len(written.left_out) - SHOWN} more")
    return lines
