"""`grader nbgrader`: make a course of nbgrader, and put scores into its gradebook."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.text import counted, listed, name_shown, one_line

from .options import PATH, course_option

if TYPE_CHECKING:
    from grader.nbgrader.push import Pushed


@click.group(name="nbgrader")
def nbgrader() -> None:
    """Work together with nbgrader."""


@nbgrader.command()
@click.argument("folder", type=PATH, metavar="COURSE")
@click.option("--assignment", "names", multiple=True, metavar="ID", help="Only this one; may be given several times.")
@course_option
@click.option("--replace", is_flag=True, help="Replace files that are there and differ.")
def init(folder: Path, names: tuple[str, ...], start: Path, replace: bool) -> None:
    """Make a course of nbgrader in the folder COURSE: source notebooks and nbgrader_config.py.

    `nbgrader generate_assignment`, `autograde`, `generate_feedback` and all other commands of nbgrader then work in
    that folder, and this grader grades in it.
    """
    from grader.course.layout import find_course
    from grader.course.output_place import refuse_in_course
    from grader.nbgrader.course import make_course
    from grader.nbgrader.needed import need_nbgrader

    need_nbgrader()
    course = find_course(start)
    refuse_in_course(folder, "COURSE")
    written, unchanged = make_course(course, names, folder, replace=replace)
    root = folder.resolve()
    for path in written:
        click.echo(f"written: {path.relative_to(root).as_posix()}")
    if not written:
        click.echo(f"{folder} is as it must be: {counted(len(unchanged), 'file')}.")
        return
    click.echo(f"Go into {folder} and make the first release: nbgrader generate_assignment ASSIGNMENT")


@nbgrader.command()
@click.argument("reports", type=PATH, metavar="REPORTS")
@click.option("--gradebook", required=True, metavar="URL", help="Such as sqlite:////folder/gradebook.db.")
@click.option("--course-id", metavar="ID", help="nbgrader's course; its assignments alone are filled.")
@click.option(
    "--nbgrader-course", "place", type=PATH, metavar="FOLDER",
    help="The folder with submitted/ and autograded/.  [default: the gradebook's folder]",
)  # fmt: skip
@click.option("--keep-gone", is_flag=True, help="Take reports too whose submission the class no longer has.")
def push(reports: Path, gradebook: str, course_id: str | None, place: Path | None, keep_gone: bool) -> int:
    """Put the scores of REPORTS, which `grader grade` wrote, into nbgrader's gradebook.

    Manual scores, manual comments and extra credit stay as they are. A second push changes nothing.

    Ends with 0 when everything was entered; with 1 when something was left out or has to be graded by a person; with 2
    when the gradebook cannot be worked with.
    """
    from grader.nbgrader.needed import need_nbgrader

    need_nbgrader()
    from grader.nbgrader.gradebook import open_gradebook, place_of
    from grader.nbgrader.place import Place, place_around
    from grader.nbgrader.push import push as push_all
    from grader.nbgrader.push import read_reports

    found, left_out = read_reports(reports, keep_gone=keep_gone)
    around = Place(place) if place is not None else place_around(place_of(gradebook))
    with open_gradebook(gradebook) as book:
        pushed = push_all(found, book, around, course_id)
    pushed.left_out[:0] = left_out
    _print_summary(pushed, around is not None)
    return pushed.code


def _print_summary(pushed: "Pushed", notebooks: bool) -> None:
    """Print what a push came to."""
    click.echo(
        f"{counted(pushed.changed, 'submission')} entered or changed, {pushed.unchanged} unchanged in the gradebook."
    )
    if notebooks:
        click.echo(f"{counted(pushed.notebooks, 'graded notebook')} written.")
    else:
        click.echo(
            "No course of nbgrader is around the gradebook, so no graded notebooks were written, which formgrader "
            "and feedback need. Name its folder with --nbgrader-course."
        )
    if pushed.new:
        click.echo(f"New to the gradebook ({len(pushed.new)}): {listed([name_shown(name) for name in pushed.new])}.")
    for title, lines in (
        ("LOWER than before", pushed.lowered),
        ("Not graded, so without points; grade them in formgrader", pushed.by_hand),
        ("Left out", pushed.left_out),
    ):
        if lines:
            click.echo(f"{title} ({len(lines)}):")
            for line in lines:
                click.echo(f"  {one_line(line, 400)}")
