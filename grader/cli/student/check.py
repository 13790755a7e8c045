"""`grader check`: a student's own run of the visible checks, in words that a beginner understands."""

from pathlib import Path

import click

from grader.words import Language

from .options import language_option


@click.command()
@click.argument("path", default=".", metavar="[PATH]")
@click.option("--exercise", default=None, metavar="NAME", help="Check only this exercise.")
@click.option(
    "--device",
    type=click.Choice(["cpu", "pretended"]),
    default="cpu",
    show_default=True,
    help="`pretended` refuses what a GPU refuses, such as a tensor made on the CPU.",
)
@language_option
def check(path: str, exercise: str | None, device: str, language: Language) -> int:
    """Check your own work against the visible checks.

    PATH is your .py or .ipynb file or the folder it is in. Ends with 0 when every check passes and with 1 when not.
    """
    from grader.workers.process.local_process import LocalWorkers

    with LocalWorkers(device=device) as workers:
        from grader.student_check.visible_checks import check_path  # imports torch, as the worker does meanwhile

        checked = check_path(Path(path), exercise, workers=workers, language=language, device=device)
    from grader.student_check.render import run_overview
    from grader.student_check.terminal import show

    show(run_overview(checked, language), language)
    return 0 if checked.all_passed else 1
