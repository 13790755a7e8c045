"""`--course`, as the commands have it."""

from pathlib import Path

import click

PATH = click.Path(path_type=Path)
course_option = click.option(
    "--course", "start", type=PATH, default=".", help="The course's folder.  [default: found upwards from here]"
)
course_around = click.option(
    "--course", "start", type=PATH, default=".", help="A folder in the course; by default the current one."
)
