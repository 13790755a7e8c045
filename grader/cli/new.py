"""`grader new`: write a course, an assignment or an exercise that works, for its author to change."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import Common, pass_common

if TYPE_CHECKING:
    from grader.course.scaffold.draft import Draft


@click.group(name="new")
def new() -> None:
    """Write a course, an assignment or an exercise with an example that works.

    What exists is never overwritten. The example is built, and `grader verify` finds every rule met by it.
    """


@new.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def course(folder: Path) -> None:
    """Write a course in the folder DIR: one assignment, with a function and a module to write."""
    from grader.course.scaffold.parts import new_course

    _write(new_course(folder))


@new.command()
@click.argument("name", metavar="NAME")
@pass_common
def assignment(common: Common, name: str) -> None:
    """Write the next assignment, NAME without its number, with one example exercise."""
    from grader.course.scaffold.parts import new_assignment

    _write(new_assignment(common.course, name))


@new.command()
@click.argument("name", metavar="NAME")
@click.option("--assignment", "chosen", metavar="ID", help="Where it belongs, in a course of several.")
@click.option("--module", is_flag=True, help="Make the example a module instead of a function.")
@pass_common
def exercise(common: Common, name: str, chosen: str | None, module: bool) -> None:
    """Add the exercise NAME, a function or class of that name, to an assignment."""
    from grader.course.scaffold.parts import new_exercise

    _write(new_exercise(common.course, name, chosen, module))


def _write(draft: "Draft") -> None:
    from grader.course.layout import find_course
    from grader.release.build import build

    draft.write()
    for path in sorted(draft.added):
        click.echo(f"written: {path}")
    for path in sorted(draft.grown):
        click.echo(f"added to: {path}")
    build(find_course(draft.root))
    click.echo("Next: put your exercise in the place of the example, then run `grader build` and `grader verify`.")
