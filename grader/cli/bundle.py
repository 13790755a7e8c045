"""`grader bundle`: makes what a platform needs to grade one assignment by itself."""

import hashlib
from pathlib import Path

import click

PLATFORMS = ("gradescope", "prairielearn", "autolab", "github", "gitlab")


@click.command()
@click.argument("platform", type=click.Choice(PLATFORMS))
@click.option("--assignment", default=None, metavar="ID", help="Which assignment; not needed where there is only one.")
@click.option("--output", default=None, metavar="FILE", help="The zip file.  [default: dist/PLATFORM-ID.zip]")
@click.option(
    "--torch-index",
    default="",
    metavar="ADDRESS",
    help="Where containers get torch from, such as PyTorch's index for the CPU.  [default: pip's own]",
)
@click.option("--course", "course_path", default=None, help="The course's folder.  [default: found upwards from here]")
def bundle(
    platform: str, assignment: str | None, output: str | None, torch_index: str, course_path: str | None
) -> None:
    """Make the zip file with which PLATFORM grades one assignment by itself.

    It holds that assignment's solution and hidden checks, so it is for staff only. The README.md in it says how to
    set it up, and which isolation works there.
    """
    from grader.bundles.make import make_bundle
    from grader.course.layout import find_course
    from grader.course.output_place import refuse_in_course
    from grader.errors import UsageError
    from grader.submissions.overlap import named_path

    from .outputs import write_named

    if any(not letter.isprintable() or letter in " \"'\\`$;&|<>" for letter in torch_index):
        raise UsageError("The address of an index was looked for.", f"--torch-index is {torch_index!r}.")
    path = None if output is None else named_path(output, "--output")
    if path is not None:
        refuse_in_course(path, folder=False)
    if path is not None and path.is_dir():
        raise UsageError("--output names the zip file to write.", f"{path} is a folder.", f"Give {path}/NAME.zip.")
    course = find_course(Path(course_path) if course_path else Path.cwd())
    made = make_bundle(course, platform, assignment, torch_index)
    path = path or Path("dist", made.file_name)
    write_named(path, made.data)
    click.echo(f"written: {path} ({made.assignment}, {len(made.names)} files, {len(made.data) / 1024:.0f} KiB)")
    click.echo(f"sha256: {hashlib.sha256(made.data).hexdigest()}")
    click.echo("For staff only: it holds the solution and the hidden checks. README.md in it says how to set it up.")
