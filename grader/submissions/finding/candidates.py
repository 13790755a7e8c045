"""Looks into one assignment's folder for the file that is the submission.

Nothing is opened here. Whatever else is where the file should be gets a sentence of its own, since this sentence is
all that the student will see.
"""

from collections.abc import Callable, Collection, Iterable
from itertools import islice
from pathlib import Path

import msgspec

from grader.submissions.possible_work import is_program, may_be_work, programs
from grader.system.folder_listing import SUFFIXES, entries_of, kind_of
from grader.text import name_shown

MOST_NAMED = 5


class Candidates(msgspec.Struct, frozen=True):
    """What an assignment's folder offers.

    Attributes:
        files: The files that may be the submission: one, or a `.py` and an `.ipynb` of the same name.
        problem: Why there is none, in a sentence; None otherwise.
        notes: What a reader of the report should know about the choice.
        others: Programs of other names or places, such as `name-Copy1.ipynb`; the only one with answers may count.
        beside: The names of what else may be the work; none of it is opened.
        mentioned: The names of all entries that these fields mention.
    """

    files: tuple[Path, ...] = ()
    problem: str | None = None
    notes: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()
    beside: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()


def wanted_names(stem: str) -> str:
    """Return the file names that are looked for, as words."""
    return f"{stem}.py or {stem}.ipynb"


def candidates_in(
    folder: Path, stem: str, meant: Callable[[str], str | None] | None = None, given: Collection[str] = ()
) -> Candidates:
    """Find the file or files of a submission in its folder.

    Args:
        folder: The assignment's folder.
        stem: The name that the file should have, without `.py` or `.ipynb`.
        meant: Where the files of several assignments may be in one folder: which assignment's name a file's name
            stands for, if any. One that stands for another assignment is then not a candidate. What is in such a folder
            besides is looked at when all of its assignments are known.
        given: The names of what the course gave out in that folder.
    """
    try:
        entries = entries_of(folder)
    except PermissionError:
        return Candidates(problem="The folder of the submission may not be read. Give it read permission.")
    except OSError as problem:
        return Candidates(problem=f"The folder of the submission could not be read: {problem.strerror}.")
    named = {stem + suffix: entries.pop(stem + suffix) for suffix in SUFFIXES if stem + suffix in entries}
    own = {name: mode for name, mode in entries.items() if name not in given}
    chosen = _by_name(folder, named) if named else _by_elimination(folder, stem, entries, programs(own), meant)
    if meant is not None:
        return chosen
    more = [
        name for name, mode in own.items() if name not in chosen.mentioned and may_be_work(folder, name, mode, [stem])
    ]
    others = [name for name in more if named and is_program(name) and kind_of(entries[name]) is None]
    beside = tuple(name for name in more if name not in others)
    return msgspec.structs.replace(chosen, others=tuple(folder / name for name in others), beside=beside)


def _by_name(folder: Path, named: dict[str, int]) -> Candidates:
    good = tuple(folder / name for name, mode in named.items() if kind_of(mode) is None)
    bad = [f"{name_shown(name)} is {kind_of(mode)}" for name, mode in named.items() if kind_of(mode)]
    if not good:
        problem = f"A file was looked for, but {' and '.join(bad)}. Hand in the file itself."
        return Candidates(problem=problem, mentioned=tuple(named))
    return Candidates(files=good, notes=tuple(f"{fact}, so it was not read." for fact in bad), mentioned=tuple(named))


def closest(name: str, among: Collection[str]) -> str | None:
    """Return the longest name of an assignment that a file's name begins with."""
    return max((stem for stem in among if name.lower().startswith(stem.lower())), key=len, default=None)


def _by_elimination(
    folder: Path, stem: str, entries: dict[str, int], python: dict[str, int], meant: Callable[[str], str | None] | None
) -> Candidates:
    if meant is not None:
        meant_by = {name: meant(name) for name in python}
        whose = stem if stem in meant_by.values() else None
        python = {name: mode for name, mode in python.items() if meant_by[name] == whose}
    wanted = wanted_names(stem)
    if not python:
        problem = f"No file {wanted} was found in the folder. {_contents(entries)} Hand in {stem}.py."
        return Candidates(problem=problem, mentioned=_first(entries))
    if len({Path(name).stem for name in python}) > 1 or len({Path(name).suffix.lower() for name in python}) < len(
        python
    ):
        problem = f"No file {wanted} was found, and more than one other: {_listed(python)}. Keep one, named {stem}.py."
        return Candidates(problem=problem, mentioned=_first(python))
    chosen = _by_name(folder, python)
    if chosen.problem:
        return chosen
    note = f"There was no file {wanted}; {_listed([path.name for path in chosen.files])} was taken for it."
    return msgspec.structs.replace(chosen, notes=(note, *chosen.notes))


def _contents(entries: dict[str, int]) -> str:
    return f"It holds {_listed(entries)}." if entries else "It is empty."


def _first(names: Iterable[str]) -> tuple[str, ...]:
    """Return those that a sentence names; the others it counts."""
    return tuple(islice(names, MOST_NAMED))


def _listed(names: dict[str, int] | list[str]) -> str:
    shown = [name_shown(name, 60) for name in _first(names)]
    rest = len(names) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")
