"""Names what is beside the submissions and is not graded, so that nothing that was handed in goes without a word."""

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from grader.submissions.path_errors import all_names
from grader.submissions.possible_work import is_program, is_wrapped, may_be_work, programs
from grader.submissions.submission import Submission
from grader.system.folder_listing import kind_of
from grader.text import name_shown

from .assignment_names import AssignmentNames
from .candidates import Candidates, wanted_names

ONLINE_TEXT = re.compile(r"(?P<who>.+_\d+_assignsubmission_)onlinetext(?P<end>_?)")


def wrapped_of(folder: Path, entries: Mapping[str, int], names: AssignmentNames) -> dict[str, Candidates]:
    """Return, by assignment, the sentence about an archive, a document or such that has its name."""
    found: dict[str, Candidates] = {}
    for name, mode in entries.items():
        id = names.begun(name.partition(".")[0])
        if id is None or id in found or kind_of(mode) == "a folder" or is_program(name):
            continue
        stem = names.stems[id]
        if may_be_work(folder, name, mode, [stem, id]):
            problem = f"No file {wanted_names(stem)} was found, but {name_shown(name, 80)}. Hand in {stem}.py itself."
            found[id] = Candidates(problem=problem, mentioned=(name,))
    return found


def left_over(
    folder: Path, entries: Mapping[str, int], mentioned: Collection[str], names: AssignmentNames
) -> dict[str, str | None]:
    """Return the entries of a student's folder that may be work and are not graded.

    Args:
        folder: The student's folder.
        entries: What it holds.
        mentioned: Those that are graded, or named in a report.
        names: The assignments; what has the name of one that is not wanted is passed over.

    Returns:
        The assignment that each of them may be of, by their names; None where the name says nothing.
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
    """Return the notes of a run about what is beside the files that were looked for, by student.

    Args:
        submissions: What was found.
        left: The names of what no submission speaks of, by student.
    """
    names: dict[str, dict[str, None]] = {}
    for each in submissions:
        mine = dict.fromkeys((*(path.name for path in each.others), *each.beside))
        if mine:
            names.setdefault(each.student, {}).update(mine)
    notes = []
    if names:
        who = ", ".join(f"{name_shown(student)} ({all_names(some)})" for student, some in names.items())
        notes.append(f"Handed in beside the file that was looked for, and each report says what was graded: {who}.")
    if left:
        who = ", ".join(f"{name_shown(student)} ({all_names(some)})" for student, some in left.items())
        notes.append(f"Handed in and not graded, because something else was or the name says nothing: {who}.")
    return notes


def beside_class(entries: Mapping[str, int]) -> list[str]:
    """Return the warning about programs and archives in a class beside the students' folders."""
    plain = {name: mode for name, mode in entries.items() if kind_of(mode) is None}
    loose = [name for name in plain if name in programs(plain) or is_wrapped(name)]
    if not loose:
        return []
    there, left, it = ("is", "it was", "it") if len(loose) == 1 else ("are", "they were", "them")
    what = f"Beside the students' folders there {there} {all_names(loose)}, so {left} not graded."
    return [f"{what} If a student handed {it} in, move {it} (unpacked) into that student's folder."]


def online_text(name: str, entries: Mapping[str, int]) -> tuple[str, str] | None:
    """Return whose files are beside the text that a student typed into Moodle, and the warning about the text."""
    found = ONLINE_TEXT.fullmatch(name)
    files = f"{found['who']}file{found['end']}" if found else ""
    if files not in entries:
        return None
    left = f"The text in {name_shown(name, 120)} was not graded; the student's files in {name_shown(files, 120)} count."
    return files, left
