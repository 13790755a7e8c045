"""`grader status`: how far each exercise is."""

from pathlib import Path

import click

from .options import console, language_option


@click.command()
@click.argument("path", default=".", metavar="[PATH]")
@language_option
def status(path: str, language: str) -> int:
    """Show which exercises are done, as `grader check` and `grader watch` saw them last.

    PATH is an assignment's folder or one that holds several.
    """
    from grader.course.content.student_course import find_assignments
    from grader.student_check.practice_words import tell
    from grader.student_check.progress import done, read_progress, sources_now
    from grader.student_check.progress_table import progress_table

    parts, notes = [], []
    for files in find_assignments(Path(path)):
        progress, said = read_progress(files, language)
        notes += said
        parts.append((files, progress, sources_now(files, language)))
    console().print(progress_table(parts, language))
    if len(parts) > 1:
        finished = sum(done((each.id for each in files.exercises), progress) for files, progress, _ in parts)
        total = sum(len(files.exercises) for files, _, _ in parts)
        click.echo("\n" + tell("done_of", language, done=finished, total=total))
    for note in notes:
        click.echo(note)
    return 0
