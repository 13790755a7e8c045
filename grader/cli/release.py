"""`grader release`: makes the one zip file that students get."""

import hashlib
from pathlib import Path

import click


@click.command()
@click.option("--output", default="dist", show_default=True, help="The folder that the zip file is written into.")
@click.option(
    "--course",
    "start",
    type=click.Path(path_type=Path),
    default=".",
    help="A folder in the course; by default the current one.",
)
def release(output: str, start: Path) -> None:
    """Make the zip file that students get: assignments, handouts, how to install, and the kit without any answer.

    Ends with 2 and writes nothing when assignments/ is out of step with its sources.
    """
    from grader.course.layout import find_course
    from grader.course.output_place import refuse_in_course
    from grader.release.bundle import make_release
    from grader.submissions.overlap import named_path
    from grader.system.whole_file import write_whole
    from grader.text import counted

    folder = named_path(output, "--output")
    refuse_in_course(folder, folder=False)
    course = find_course(start)
    made = make_release(course)
    path = folder / made.file_name
    write_whole(path, made.data)
    assignments = counted(len(course.assignments), "assignment")
    click.echo(f"written: {path} ({assignments}, {len(made.data) / 1024:.0f} KiB)")
    click.echo(f"sha256: {hashlib.sha256(made.data).hexdigest()}")
