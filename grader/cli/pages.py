"""`grader pages`: make pages of reports, and show one in the terminal."""

from pathlib import Path

import click

from grader.language import language_in

from .options import PATH, Common, pass_common, reports_argument


@click.command()
@reports_argument
@click.option("--output", type=PATH, metavar="DIR", help="Where the pages are written.  [default: by the reports]")
@click.option("--zip", "packed", type=PATH, metavar="FILE", help="Pack students' pages under the download's names.")
@pass_common
def pages(common: Common, reports: Path, output: Path | None, packed: Path | None) -> int:
    """Make a page for each student, and of a class for its teacher; show a single report in the terminal, too.

    REPORTS is a folder that `grader grade` wrote, or one report in it. What is made and shown for a student holds what
    the student's copy of the report holds and no more. A page's own words are in --language or GRADER_LANGUAGE, else in
    its report's language.

    Ends with 0 when every report has its page; with 1 when some do not, each with its reason; with 2 for wrong use.
    """
    from grader.course.output_place import refuse_in_course

    if output is not None:
        refuse_in_course(output)
    if packed is not None:
        refuse_in_course(packed, "--zip", folder=False)
    language = common.language or language_in("GRADER_LANGUAGE")
    if reports.is_dir():
        return make_pages(reports, output, language, packed)
    from grader.pages.student import student_page
    from grader.pages.write import copy_at
    from grader.student_check.render import report_overview
    from grader.student_check.terminal import show
    from grader.system.whole_file import write_whole

    copy = copy_at(reports)
    show(report_overview(copy, language), language or copy.language)
    place = (output or reports.parent) / f"{reports.stem}.html"
    write_whole(place, student_page(copy, language))
    click.echo(f"written: {place}")
    return 0


def make_pages(
    reports: Path, output: Path | None = None, language: str | None = None, packed: Path | None = None
) -> int:
    """Write the pages of a reports folder, say what was written, and return the exit code."""
    from grader.pages.write import write_pages
    from grader.release.archive import pack
    from grader.text import counted, one_line

    from .outputs import echo_list, write_named

    pages: list[tuple[str, bytes]] = []
    written = write_pages(reports, output, language, pages if packed is not None else None)
    if packed is not None:
        write_named(packed, pack(pages, compressed=True))
    click.echo(f"{counted(written.students, 'page')} for students.")
    for path in written.classes:
        click.echo(f"The class: {one_line(str(path), 1000)}")
    echo_list("Without a page", written.left_out)
    return 1 if written.left_out else 0
