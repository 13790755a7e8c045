"""`grader build`: makes what students get from the sources, or says what is out of step."""

from pathlib import Path

import click

from grader.course.handed_out.build import Built
from grader.course.handed_out.build import build as build_course
from grader.course.layout import find_course
from grader.errors import CourseError
from grader.text import counted

from .options import course_option


@click.command(name="build")
@click.option("--check", is_flag=True, help="Write nothing; end with 2 when a file is out of step.")
@course_option
def build(check: bool, start: Path) -> None:
    """Make the students' files in assignments/ from solutions/ and tests/visible/."""
    course = find_course(start)
    built = build_course(course, check=check)
    for path in built.changed:
        click.echo(f"{'out of step' if check else 'written'}: {path.relative_to(course.root).as_posix()}")
    for path in built.strays:
        click.echo(f"made by no source: {path.relative_to(course.root).as_posix()}")
    if check and not built.in_step:
        raise _out_of_step(built)
    if not built.changed:
        files, assignments = counted(len(built.unchanged), "file"), counted(len(course.assignments), "assignment")
        click.echo(f"assignments/ is in step: {files} of {assignments}.")


def _out_of_step(built: Built) -> CourseError:
    found, hints = [], []
    if built.changed:
        found.append(f"{counted(len(built.changed), 'file')} {'differs' if len(built.changed) == 1 else 'differ'}")
        hints.append("Run `grader build` and commit what it writes.")
    if built.strays:
        are = "is" if len(built.strays) == 1 else "are"
        found.append(f"{counted(len(built.strays), 'file')} {are} made by no source")
        hints.append("Remove what no source makes, or name it with a leading dot.")
    rule = "The files in assignments/ must be what solutions/ and tests/visible/ make of them."
    return CourseError(rule, f"{' and '.join(found)}.", " ".join(hints))
