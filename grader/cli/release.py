"""`grader build`, `release`: what students get, in files or a zip file."""

from pathlib import Path

import click

from .options import PATH, Common, pass_common


@click.command(name="build")
@click.option("--check", is_flag=True, help="Write nothing; end with 2 when a file is out of step.")
@pass_common
def build(common: Common, check: bool) -> None:
    """Make the students' files in assignments/ from solutions/ and tests/visible/."""
    from grader.course.layout import find_course
    from grader.release.build import build as build_course
    from grader.text import counted

    course = find_course(common.course)
    built = build_course(course, check=check)
    for path in built.changed:
        click.echo(f"{'out of step' if check else 'written'}: {path.relative_to(course.root).as_posix()}")
    if check:
        built.refuse_out_of_step()
    if not built.changed:
        files, assignments = counted(len(built.files), "file"), counted(len(course.assignments), "assignment")
        click.echo(f"assignments/ is in step: {files} of {assignments}.")


@click.command()
@click.option(
    "--output", type=PATH, default="dist", show_default=True, help="The folder that the zip file is written into."
)
@click.option("--for", "platform", type=click.Choice(["gradescope", "prairielearn"]), help="The file for a platform.")
@click.option("--assignment", metavar="ID", help="With --for: which one.")
@pass_common
def release(common: Common, output: Path, platform: str | None, assignment: str | None) -> None:
    """Make the zip file that students get: assignments, handouts, how to install, and the kit without any answer.

    With --for it is the zip file with which a platform grades one assignment by itself. That one is for staff only: it
    holds the solution and the hidden checks.

    Ends with 2 and writes nothing when assignments/ is out of step with its sources.
    """
    from grader.course.layout import find_course
    from grader.course.output_place import refuse_place
    from grader.release.bundle import make_release
    from grader.release.platform import make_for_platform
    from grader.system.whole_file import write_whole
    from grader.text import counted

    refuse_place(output, folder=False)
    course = find_course(common.course)
    if (platform is None) != (assignment is None):
        raise click.UsageError("--for and --assignment go together: a platform grades one, students get all.")
    if platform is None or assignment is None:
        (name, data), what = make_release(course), counted(len(course.assignments), "assignment")
    else:
        (name, data), what = make_for_platform(course, platform, assignment), "for staff only"
    path = output / name
    write_whole(path, data)
    click.echo(f"written: {path} ({what}, {len(data) / 1024:.0f} KiB)")
