"""Looks into one assignment's folder for the file that is the submission.

Nothing is opened here. Whatever else is where the file should be gets a sentence of its own, since this sentence is
all that the student will see.
"""

from collections.abc import Callable, Collection
from pathlib import Path

import msgspec

from grader.submissions.path_errors import MOST_NAMED, all_names
from grader.submissions.possible_work import is_zip, may_be_work, programs
from grader.system.folder_listing import SUFFIXES, entries_of, is_program, kind_of
from grader.text import name_shown


class Candidates(msgspec.Struct, frozen=True):
    """What an assignment's folder offers: the fields of a `Submission`, and all names in it that these mention."""

    files: tuple[Path, ...] = ()
    problem: str | None = None
    notes: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()
    beside: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()


def candidates_in(
    folder: Path, stem: str, meant: Callable[[str], str | None] | None = None, given: Collection[str] = ()
) -> Candidates:
    """Find the file or files of a submission in its folder.

    Args:
        stem: The name that the file should have, without `.py` or `.ipynb`.
        meant: Where the files of several assignments may be in one folder: which assignment's name a file's name
            stands for, if any. One that stands for another assignment is then not a candidate. What is in such a folder
            besides is looked at when all of its assignments are known.
    """
    try:
        entries = entries_of(folder)
    except PermissionError:
        return Candidates(problem="The folder of the submission may not be read. Give it read permission.")
    except OSError as problem:
        what = name_shown(folder.name) if is_zip(folder.name) else "The folder of the submission"
        return Candidates(problem=f"{what} could not be read: {problem.strerror}.")
    named = {stem + suffix: entries.pop(stem + suffix) for suffix in SUFFIXES if stem + suffix in entries}
    own = {name: mode for name, mode in entries.items() if name not in given}
    chosen = _by_name(folder, named) if named else _by_elimination(folder, stem, entries, programs(own), meant)
    if meant is not None:
        return chosen
    more = [name for name in own if name not in chosen.mentioned and may_be_work(folder, name, own[name], [stem])]
    others = {name for name in more if named and is_program(name) and kind_of(entries[name]) is None}
    beside = tuple(name for name in more if name not in others)
    return msgspec.structs.replace(
        chosen, others=tuple(folder / name for name in more if name in others), beside=beside
    )


def _by_name(folder: Path, named: dict[str, int]) -> Candidates:
    good = tuple(folder / name for name, mode in named.items() if kind_of(mode) is None)
    bad = [f"{name_shown(name)} is {kind_of(mode)}" for name, mode in named.items() if kind_of(mode)]
    if not good:
        problem = f"A file was looked for, but {' and '.join(bad)}. Hand in the file itself."
        return Candidates(problem=problem, mentioned=tuple(named))
    return Candidates(files=good, notes=tuple(f"{fact}, so it was not read." for fact in bad), mentioned=tuple(named))


def _by_elimination(
    folder: Path, stem: str, entries: dict[str, int], python: dict[str, int], meant: Callable[[str], str | None] | None
) -> Candidates:
    if meant is not None:
        meant_by = {name: meant(name) for name in python}
        whose = stem if stem in meant_by.values() else None
        python = {name: mode for name, mode in python.items() if meant_by[name] == whose}
    missing = f"No file {stem}.py or {stem}.ipynb was found"
    if not python:
        holds = f"It holds {all_names(entries, MOST_NAMED, 60)}." if entries else "It is empty."
        problem = f"{missing} in the folder. {holds} Hand in {stem}.py."
        return Candidates(problem=problem, mentioned=tuple(entries)[:MOST_NAMED])
    suffixes = {Path(name).suffix.lower() for name in python}
    if len({Path(name).stem for name in python}) > 1 or len(suffixes) < len(python):
        problem = f"{missing}, and more than one other: {all_names(python, MOST_NAMED, 60)}. Keep one, named {stem}.py."
        return Candidates(problem=problem, mentioned=tuple(python)[:MOST_NAMED])
    chosen = _by_name(folder, python)
    if chosen.problem:
        return chosen
    taken = all_names((path.name for path in chosen.files), MOST_NAMED, 60)
    note = f"There was no file {stem}.py or {stem}.ipynb; {taken} was taken for it."
    return msgspec.structs.replace(chosen, notes=(note, *chosen.notes))
