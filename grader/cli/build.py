"""`grader build`: makes what students get from the sources, or says what is out of step."""

from pathlib import Path

import click

from .options import course_option


@click.command(name="build")
@click.option("--check", is_flag=True, help="Write nothing; end with 2 when a file is out of step.")
@course_option
def build(check: bool, start: Path) -> None:
    """Make the students' files in assignments/ from solutions/ and tests/visible/."""
    from grader.course.handed_out.build import build as build_course
    from grader.course.layout import find_course
    from grader.text import counted

    course = find_course(start)
    built = build_course(course, check=check)
    for path in built.changed:
        click.echo(f"{'out of step' if check else 'written'}: {path.relative_to(course.root).as_posix()}")
    for path in built.strays:
        click.echo(f"made by no source: {path.relative_to(course.root).as_posix()}")
    if check:
        built.refuse_out_of_step()
    if not built.changed:
        files, assignments = counted(len(built.unchanged), "file"), counted(len(course.assignments), "assignment")
        click.echo(f"assignments/ is in step: {files} of {assignments}.")
