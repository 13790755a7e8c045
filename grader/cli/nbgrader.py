"""`grader nbgrader`: make a course of nbgrader, and put scores into its gradebook."""

from pathlib import Path

import click


@click.group(name="nbgrader")
def nbgrader() -> None:
    """Work together with nbgrader."""


@nbgrader.command()
@click.argument("folder", metavar="COURSE")
@click.option("--assignment", "names", multiple=True, metavar="ID", help="Only this one; may be given several times.")
@click.option("--course", "course_path", default=None, help="The kit's course.  [default: found upwards from here]")
@click.option("--replace", is_flag=True, help="Replace files that are there and differ.")
def init(folder: str, names: tuple[str, ...], course_path: str | None, replace: bool) -> None:
    """Make a course of nbgrader in the folder COURSE: source notebooks and nbgrader_config.py.

    `nbgrader generate_assignment`, `autograde`, `generate_feedback` and all other commands of nbgrader then work in
    that folder, and this grader grades in it.
    """
    from grader.course.layout import find_course
    from grader.nbgrader.course import make_course
    from grader.nbgrader.needed import need_nbgrader
    from grader.submissions.overlap import named_path

    need_nbgrader()
    course = find_course(Path(course_path) if course_path else Path.cwd())
    place = named_path(folder, "COURSE")
    made = make_course(course, names, place, replace=replace)
    root = place.resolve()
    for path in made.written:
        click.echo(f"written: {path.relative_to(root).as_posix()}")
    if not made.written:
        click.echo(f"{folder} is as it must be: {len(made.unchanged)} files.")
        return
    click.echo(f"Go into {folder} and make the first release: nbgrader generate_assignment ASSIGNMENT")
