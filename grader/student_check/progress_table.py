"""The table of the key `l` in `grader watch`: how far each exercise is."""

from collections.abc import Iterable, Mapping

from rich.table import Table
from rich.text import Text

from grader.course.content.student_course import StudentFiles
from grader.words import say

from .exercise_sources import ExerciseSource
from .progress import Progress, State, done, state_of

STYLES: Mapping[State, str] = {"done": "green", "begun": "yellow", "open": "dim"}
SIGNS: Mapping[State, str] = {"done": "+", "begun": "x", "open": "-"}

Part = tuple[StudentFiles, Progress, Mapping[str, ExerciseSource]]


def progress_table(parts: Iterable[Part], language: str) -> Table:
    """Return a table of some assignments, each with what is known of it and what its text says now."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for files, progress, sources in parts:
        names = [each.id for each in files.exercises]
        count = say("done_of", language, done=done(names, progress), total=len(names))
        table.add_row(Text(files.assignment, style="bold"), count)
        for name in names:
            state, is_old = state_of(name, progress, sources)
            mark = Text(f"{SIGNS[state]} {say(f'state_{state}', language)}", style=STYLES[state])
            table.add_row(f"  {name}", mark, say("state_changed", language) if is_old else "")
    return table
