"""`grader reset`: the stub of one exercise, back in a student's file."""

from pathlib import Path

import click

from .options import language_option


@click.command()
@click.argument("exercise")
@click.argument("path", default=None, required=False, metavar="[PATH]")
@click.option("--yes", is_flag=True, help="Do not ask.")
@language_option
def reset(exercise: str, path: str | None, yes: bool, language: str) -> int:
    """Put the stub of EXERCISE back into your file, as it was handed out; other exercises stay as they are.

    PATH is your .py or .ipynb file, or the folder it is in. A copy of the file as it was is kept. Ends with 1 when you
    do not say yes.
    """
    from grader.course.content.student_course import files_of_exercise, find_student_files
    from grader.student_check.practice_words import tell
    from grader.student_check.reset import carry_out, planned

    here = Path(path) if path else files_of_exercise(Path.cwd(), exercise).visible.parent
    files = find_student_files(here)
    found = planned(files, exercise)
    if not yes and not _agreed(tell("reset_ask", language, name=exercise, file=found.path.name)):
        click.echo(tell("reset_kept", language))
        return 1
    copy, notes = carry_out(files, exercise, planned(files, exercise), language)
    click.echo(tell("reset_done", language, name=exercise, file=found.path.name, copy=copy))
    for note in notes:
        click.echo(note)
    return 0


def _agreed(question: str) -> bool:
    """Ask; no answer, as at the end of the input, is a no."""
    try:
        return click.confirm(question)
    except click.Abort:
        click.echo()
        return False
