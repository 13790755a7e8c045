"""Says how a notebook's cells differ from those that were handed out, by their grade ids.

None of it decides a point: points and checks are the course's, and code counts wherever it is. But a student whose
cell became text, or whose editor dropped the metadata, should learn why the report reads as it does.
"""

from collections.abc import Sequence

from grader.course.content.exercises import CHECK_SUFFIX
from grader.source_cells import Mark
from grader.submissions.path_errors import all_names

MOST_NAMED = 5


def notes_on(marks: Sequence[Mark], released: Sequence[Mark]) -> tuple[str, ...]:
    """Return sentences about what a submission did to the marked cells of the notebook that was handed out."""
    if not released:
        return ()
    if not marks:
        found = "No cell of the notebook carries nbgrader's metadata any more (Colab and some editors drop it)"
        return (f"{found}, so functions and classes were found by their names.",)
    notes = []
    there = {mark.grade_id for mark in marks}
    gone = [mark.grade_id for mark in released if mark.grade_id not in there]
    if gone:
        notes.append(f"Not in the notebook any more: the {_cells(gone)}.")
    original = {mark.grade_id: mark for mark in released}
    text = [mark.grade_id for mark in marks if mark.kind != "code" and mark.grade_id in original]
    if text:
        said = "is not a code cell any more" if len(set(text)) == 1 else "are not code cells any more"
        notes.append(f"The {_cells(text)} {said}, so what is there was not read as code.")
    locked = [mark for mark in marks if mark.grade_id.endswith(CHECK_SUFFIX) and mark.grade_id in original]
    edited = [mark.grade_id for mark in locked if _plain(mark) != _plain(original[mark.grade_id])]
    if edited:
        notes.append(f"Changed, though locked: the {_cells(edited)}. That changes no check and no points.")
    paid = [mark.grade_id for mark in locked if mark.points != original[mark.grade_id].points]
    if paid:
        notes.append(f"Points in the metadata differ from the course's in the {_cells(paid)}. The course's count.")
    return tuple(notes)


def _plain(mark: Mark) -> str:
    return "".join(mark.source.split())


def _cells(ids: Sequence[str]) -> str:
    """Return cells by their grade ids, as words."""
    names = list(dict.fromkeys(ids))
    return f"{'cell' if len(names) == 1 else 'cells'} {all_names(names, MOST_NAMED, 100)}"
