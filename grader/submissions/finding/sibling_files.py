"""Names what is beside the submissions and is not graded, so that nothing that was handed in goes without a word."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from grader.submissions.path_errors import all_names
from grader.submissions.possible_work import may_be_work
from grader.submissions.submission import Submission
from grader.system.folder_listing import is_program, kind_of
from grader.text import name_shown

from .assignment_names import AssignmentNames
from .candidates import Candidates


def wrapped_of(folder: Path, entries: Mapping[str, int], names: AssignmentNames) -> dict[str, Candidates]:
    """Return, by assignment, the sentence about an archive, a document or such that has its name."""
    found: dict[str, Candidates] = {}
    for name, mode in entries.items():
        id = names.begun(name.partition(".")[0])
        if id is None or id in found or kind_of(mode) == "a folder" or is_program(name):
            continue
        stem = names.stems[id]
        if may_be_work(folder, name, mode, [stem, id]):
            missing = f"No file {stem}.py or {stem}.ipynb was found, but {name_shown(name, 80)}."
            found[id] = Candidates(problem=f"{missing} Hand in {stem}.py itself.", mentioned=(name,))
    return found


def left_over(
    folder: Path, entries: Mapping[str, int], mentioned: Collection[str], names: AssignmentNames
) -> dict[str, str | None]:
    """Return the entries of a student's folder that may be work and that nothing mentions yet.

    Returns:
        The assignment that each of them may be of, by their names; None where the name says nothing. What has the name
        of an assignment that is not wanted is passed over.
    """
    found = {}
    for name, mode in entries.items():
        meant = names.near(name) if kind_of(mode) == "a folder" else names.begun(name.partition(".")[0])
        if name in mentioned or name in names.stems or name in names.given_out or meant not in (None, *names.wanted):
            continue
        if may_be_work(folder, name, mode, names.known):
            found[name] = meant
    return found


def beside_students(submissions: Iterable[Submission], left: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the notes of a run about what is beside the files that were looked for, by student."""
    names: dict[str, dict[str, None]] = {}
    for each in submissions:
        mine = dict.fromkeys((*(path.name for path in each.others), *each.beside))
        if mine:
            names.setdefault(each.student, {}).update(mine)
    said = {
        "Handed in beside the file that was looked for, and each report says what was graded": names,
        "Handed in and not graded, because something else was or the name says nothing": left,
    }
    return [
        f"{what}: {', '.join(f'{name_shown(student)} ({all_names(some)})' for student, some in whose.items())}."
        for what, whose in said.items()
        if whose
    ]
