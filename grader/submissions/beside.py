"""Names what lies beside the submissions and is not graded, so that nothing that was handed in goes without a word."""

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from grader.results.text import name_shown

from .assignment_names import Names
from .folder import Candidates, entries_of, kind_of, programs, wanted_names
from .refused import PACKED, listed

WRAPPED = re.compile(r".+\.(?:py|ipynb)\.\w+", re.IGNORECASE)  # as a browser or an editor saves `name.py.txt`
ONLINE_TEXT = re.compile(r"(?P<who>.+_\d+_assignsubmission_)onlinetext(?P<end>_?)")
MOST_STUDENTS = 10


def is_wrapped(name: str) -> bool:
    """Tell whether a file's name is that of an archive, or of a program with another suffix behind its own."""
    return name.lower().endswith(PACKED) or WRAPPED.fullmatch(name) is not None


def wrapped_of(entries: Mapping[str, int], names: Names) -> dict[str, Candidates]:
    """Return, by assignment, the sentence about an archive (or such) that has its name."""
    found: dict[str, Candidates] = {}
    for name, mode in entries.items():
        id = names.begun(name.partition(".")[0]) if is_wrapped(name) and kind_of(mode) is None else None
        if id is not None and id not in found:
            stem = names.stems[id]
            problem = f"No file {wanted_names(stem)} was found, but {name_shown(name, 80)}. Hand in {stem}.py itself."
            found[id] = Candidates(problem=problem, told=(name,))
    return found


def left_over(folder: Path, entries: Mapping[str, int], told: Collection[str], names: Names) -> list[str]:
    """Return the entries of a student's folder that may be work and are not graded.

    Args:
        folder: The student's folder.
        entries: What it holds.
        told: Those that are graded, or named in a report.
        names: The assignments; what has the name of one that is not wanted is passed over.
    """
    may_be_work = programs(entries)
    found = []
    for name, mode in entries.items():
        meant = names.near(name) if kind_of(mode) else names.begun(name.partition(".")[0])
        if name in told or name in names.stems or (meant is not None and meant not in names.wanted):
            continue
        if kind_of(mode) == "a folder":
            if _holds_work(folder / name, names):
                found.append(name)
        elif name in may_be_work or is_wrapped(name):
            found.append(name)
    return found


def _holds_work(folder: Path, names: Names) -> bool:
    try:
        inside = entries_of(folder)
    except OSError:
        return True
    return bool(programs(inside)) or any(id in inside for id in names.stems)


def beside_students(left: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the note of a run about the students beside whose graded files there is more."""
    if not left:
        return []
    shown = [f"{name_shown(student)} ({listed(names)})" for student, names in list(left.items())[:MOST_STUDENTS]]
    more = f" and {len(left) - MOST_STUDENTS} more students" if len(left) > MOST_STUDENTS else ""
    return [f"Handed in and not graded, because something else was or the name says nothing: {', '.join(shown)}{more}."]


def beside_class(entries: Mapping[str, int]) -> list[str]:
    """Return the warning about programs and archives that lie in a class beside the students' folders."""
    plain = {name: mode for name, mode in entries.items() if kind_of(mode) is None}
    loose = [name for name in plain if name in programs(plain) or is_wrapped(name)]
    if not loose:
        return []
    there, left, it = ("is", "it was", "it") if len(loose) == 1 else ("are", "they were", "them")
    what = f"Beside the students' folders there {there} {listed(loose)}, so {left} not graded."
    return [f"{what} If a student handed {it} in, move {it} (unpacked) into that student's folder."]


def online_text(name: str, entries: Mapping[str, int]) -> str | None:
    """Return the warning about a folder with the text that a student typed into Moodle beside handing in files."""
    found = ONLINE_TEXT.fullmatch(name)
    files = f"{found['who']}file{found['end']}" if found else ""
    if files not in entries:
        return None
    return f"The text in {name_shown(name, 120)} was not graded; the student's files in {name_shown(files, 120)} were."
