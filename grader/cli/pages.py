"""`grader pages`: make pages of reports."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.language import language_in

from .options import PATH, Common, pass_common, reports_argument

if TYPE_CHECKING:
    from grader.pages.write import Written


@click.command()
@reports_argument
@click.option("--zip", "packed", type=PATH, metavar="FILE", help="Pack students' pages under the download's names.")
@pass_common
def pages(common: Common, reports: Path, packed: Path | None) -> int:
    """Make a page for each student, and of a class for its teacher.

    REPORTS is a folder that `grader grade` wrote, and the pages are written into it. What is made for a student holds
    what the student's copy of the report holds and no more. A page's own words are in --language or GRADER_LANGUAGE,
    else in its report's language.

    Ends with 0 when every report has its page; with 1 when some do not, each with its reason; with 2 for wrong use.
    """
    from grader.course.output_place import refuse_place

    if packed is not None:
        refuse_place(packed, "--zip", folder=False)
    written = make_pages(reports, common.language or language_in("GRADER_LANGUAGE"), packed)
    for note in written.notes:
        click.echo(f"Note: {note}", err=True)
    return written.code


def make_pages(reports: Path, language: str | None = None, packed: Path | None = None) -> "Written":
    """Write the pages of a reports folder and say what was written."""
    from grader.pages.write import write_pages
    from grader.release.archive import pack
    from grader.text import counted, one_line

    from .outputs import echo_list, write_named

    pages: list[tuple[str, bytes]] = []
    written = write_pages(reports, language, pages if packed is not None else None)
    if packed is not None:
        write_named(packed, pack(pages))
    click.echo(f"{counted(written.students, 'page')} for students.")
    for path in written.classes:
        click.echo(f"The class: {one_line(str(path), 1000)}")
    echo_list("Without a page", written.left_out)
    return written
