"""`grader nbgrader`: make a course of nbgrader."""

from pathlib import Path

import click

from .options import PATH, Common, pass_common


@click.group(name="nbgrader")
def nbgrader() -> None:
    """Work together with nbgrader."""


@nbgrader.command()
@click.argument("folder", type=PATH, metavar="COURSE")
@click.option("--assignment", "names", multiple=True, metavar="ID", help="Only this one; may be given several times.")
@click.option("--replace", is_flag=True, help="Replace files that are there and differ.")
@pass_common
def init(common: Common, folder: Path, names: tuple[str, ...], replace: bool) -> None:
    """Make a course of nbgrader in the folder COURSE: source notebooks and nbgrader_config.py.

    `nbgrader generate_assignment`, `autograde`, `generate_feedback` and all other commands of nbgrader then work in
    that folder, and this grader grades in it.
    """
    from importlib.metadata import version

    from grader.course.layout import find_course
    from grader.course.output_place import refuse_place
    from grader.nbgrader.course import make_course

    version("nbgrader")  # a ModuleNotFoundError where it is not installed; to import it takes seconds
    course = find_course(common.course)
    refuse_place(folder, "COURSE")
    written = make_course(course, names, folder, replace=replace)
    root = folder.resolve()
    for path in written:
        click.echo(f"written: {path.relative_to(root).as_posix()}")
    if not written:
        click.echo(f"{folder} is as it should be; nothing was written.")
        return
    click.echo(
        f"Go into {folder} and make a release: nbgrader generate_assignment ASSIGNMENT (--force for a newer one)"
    )
