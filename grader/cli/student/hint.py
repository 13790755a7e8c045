"""`grader hint`: the next hint of an exercise."""

from pathlib import Path

import click

from .options import console, language_option


@click.command()
@click.argument("exercise")
@click.option("--level", type=click.IntRange(1, 3), default=None, help="1 where to look, 2 which idea, 3 nearly all.")
@language_option
def hint(exercise: str, level: int | None, language: str) -> int:
    """Give the next hint for EXERCISE: each time it is asked for, one that says more."""
    from grader.course.content.student_course import files_of_exercise
    from grader.student_check.next_hint import next_hint

    for line in next_hint(files_of_exercise(Path.cwd(), exercise), exercise, language, level):
        console().print(line, markup=False)
    return 0
