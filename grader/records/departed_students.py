"""Which reports in a folder are of submissions that the class no longer has: nobody may export the grade of a ghost.

Only a run over a whole class can tell, and only of what it looked at: a run over one student, one assignment's download
or one part of a class says nothing of the others.
"""

from collections.abc import Iterable, Mapping, Sequence

from grader.results.summary import Summary
from grader.text import name_shown

from .journal_lines import Place

MOST_NAMED = 8
KEEP = "Give --keep-gone to take such reports all the same."


def places_of(students: Mapping[str, Iterable[str]] | None) -> set[Place]:
    """Return the submissions that a summary lists as the students of each assignment."""
    return {(student, assignment) for assignment, names in (students or {}).items() for student in names}


def departed_after(before: Summary | None, missed: Iterable[Place], there: Iterable[Place]) -> dict[str, list[str]]:
    """Return the students whose submission is gone when a run has ended, by assignment.

    Args:
        before: The summary of the run before; None where there is none.
        missed: What this run looked at by its own account of the class; what is there is taken off it.
        there: What was handed in.
    """
    earlier = places_of(before.gone) if before is not None else set()
    gone: dict[str, list[str]] = {}
    for student, assignment in sorted((earlier | set(missed)) - set(there), key=lambda place: (place[1], place[0])):
        gone.setdefault(assignment, []).append(student)
    return gone


def departed_note(gone: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what a run says of submissions that are gone, in a sentence or none."""
    names = [f"{name_shown(student)} ({assignment})" for assignment, students in gone.items() for student in students]
    if not names:
        return []
    more = f" and {len(names) - MOST_NAMED} more, all of them in summary.json" if len(names) > MOST_NAMED else ""
    return [
        f"Reports of earlier runs whose submission the class no longer has: {', '.join(names[:MOST_NAMED])}{more}. "
        "They stay in the folder, and no export holds them."
    ]


def departed_sentences(gone: Iterable[Place]) -> list[str]:
    """Return a sentence for each submission that is gone."""
    return [
        f"{name_shown(student)}, {assignment}: the report is of an earlier run; in the newest one the class had no "
        f"such submission (the folder was removed, renamed or emptied). {KEEP}"
        for student, assignment in sorted(gone)
    ]
