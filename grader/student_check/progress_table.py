"""The table of the key `l` in `grader watch`: how far each exercise is."""

from collections.abc import Mapping

from rich.table import Table
from rich.text import Text

from grader.course.content.student_course import StudentFiles
from grader.language import N_, translation

from .exercise_sources import ExerciseSource
from .progress import Progress, State, done_of, state_of

STYLES: Mapping[State, str] = {"done": "green", "begun": "yellow", "open": "dim"}
WORDS: Mapping[State, str] = {"done": N_("done"), "begun": N_("in progress"), "open": N_("not started")}
SIGNS: Mapping[State, str] = {"done": "+", "begun": "x", "open": "-"}


def progress_table(
    files: StudentFiles, progress: Progress, sources: Mapping[str, ExerciseSource], language: str
) -> Table:
    """Return a table of an assignment's exercises: what is known of each, and what its text says now."""
    _ = translation(language).gettext
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    names = [exercise.id for exercise in files.exercises]
    table.add_row(Text(files.assignment, style="bold"), done_of(names, progress, language))
    for name in names:
        state, is_old = state_of(name, progress, sources)
        mark = Text(f"{SIGNS[state]} {_(WORDS[state])}", style=STYLES[state])
        table.add_row(f"  {name}", mark, _("changed since, not checked again") if is_old else "")
    return table
