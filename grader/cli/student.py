"""The commands for students, on their own work: check, watch, hint."""

from contextlib import closing
from pathlib import Path

import click

from .options import Common, pass_common


@click.command()
@click.argument("path", default=".", metavar="[PATH]")
@click.option("--exercise", metavar="NAME", help="Check only this exercise.")
@click.option(
    "--device",
    type=click.Choice(["cpu", "pretended"]),
    default="cpu",
    show_default=True,
    help="`pretended` refuses what a GPU refuses, such as a tensor made on the CPU.",
)
@pass_common
def check(common: Common, path: str, exercise: str | None, device: str) -> int:
    """Check your own work against the visible checks.

    PATH is your .py or .ipynb file or the folder it is in. Ends with 0 when every check passes and with 1 when not.
    """
    from grader.student_check.children import Interpreters

    language = common.language_for_student()
    with closing(Interpreters()) as interpreters:
        from grader.student_check.visible_checks import check_path

        checked = check_path(Path(path), exercise, interpreters=interpreters, language=language, device=device)
    from grader.student_check.render import run_overview
    from grader.student_check.terminal import show

    show(run_overview(checked), language)
    return 0 if checked.all_passed else 1


@click.command()
@click.argument("path", default=".", metavar="[PATH]")
@pass_common
def watch(common: Common, path: str) -> int:
    """Check your work again whenever you save it.

    PATH is your .py or .ipynb file or the folder it is in. Keys: h gives a hint, l lists the exercises, n goes to the
    next one, r runs this one again, q quits. The next time it begins where you stopped.
    """
    language = common.language_for_student()
    import watchfiles  # noqa: F401  # before processes are started
    from rich.console import Console

    from grader.student_check.children import Interpreters

    with closing(Interpreters()) as interpreters:
        from grader.student_check.watching.loop import watch_path

        watch_path(Path(path), interpreters, language, Console(highlight=False))
    return 0


@click.command()
@click.argument("exercise")
@pass_common
def hint(common: Common, exercise: str) -> int:
    """Give the next hint for EXERCISE: each time it is asked for, one that says more."""
    from rich.console import Console

    from grader.course.content.student_course import files_of_exercise
    from grader.student_check.next_hint import next_hint

    language, console = common.language_for_student(), Console(highlight=False)
    for line in next_hint(files_of_exercise(Path.cwd(), exercise, language), exercise, language):
        console.print(line, markup=False, soft_wrap=not console.is_terminal)
    return 0
