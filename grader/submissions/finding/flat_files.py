"""Chooses among one student's files of a download in which everybody's files are side by side."""

from collections.abc import Callable, Collection
from pathlib import Path

import msgspec

from grader.submissions.path_errors import all_names
from grader.submissions.platforms.handed_in import HandedIn
from grader.submissions.possible_work import is_zip, may_be_work
from grader.system.folder_listing import is_program, kind_of

from .candidates import Candidates, candidates_in
from .deep import Bound, depths_of


def candidates_of(
    folder: Path, handed: Collection[HandedIn], certain: Collection[HandedIn], stem: str,
    meant: Callable[[str], str | None], bound: Bound,
) -> Candidates:  # fmt: skip
    """Return what one student's files offer for an assignment; one that has its name goes before one of another.

    Args:
        certain: Those of the files that are for it; of all others no name says what they are for.
        meant: Which assignment's name a file's name stands for, as its file name without suffix.
    """
    mine = [one for one in handed if is_program(one.file) and kind_of(one.mode) != "a folder"]
    own = [one for one in mine if one in certain]
    named = [one for one in own if one.stem.lower() == stem.lower()]
    chosen = named or [one for one in own if meant(one.file) == stem]
    rest = [one for one in handed if one not in chosen and _may_be_work(folder, one, stem)]
    if not chosen:
        found = _looked_into([folder / one.name for one in certain if is_packed(one)], stem, meant, bound, bool(own))
        if found.files:
            inside = {path.relative_to(folder).parts[0] for path in (*found.files, *found.others)}
            return _with([one for one in rest if one.name not in inside], found, folder, mine)
        if not own:
            problem = f"No file {stem}.py or {stem}.ipynb was handed in, but {all_names(one.name for one in handed)}."
            return Candidates(problem=f"{problem} {found.problem or ''}".rstrip())
        chosen, rest = own, [one for one in rest if one not in own]
    names = [one.name for one in chosen]
    if len({one.stem.lower() for one in chosen}) > 1 or len({Path(name).suffix.lower() for name in names}) < len(names):
        problem = f"More than one file was handed in: {all_names(names)}. Keep one, named {stem}.py."
        return _with(rest, Candidates(problem=problem), folder, mine)
    note = () if named else (f"There was no file {stem}.py or {stem}.ipynb; {all_names(names)} was taken for it.",)
    return _with(rest, Candidates(tuple(folder / name for name in names), notes=note), folder, mine)


def _with(rest: list[HandedIn], taken: Candidates, folder: Path, programs: Collection[HandedIn]) -> Candidates:
    """Return what was taken with the names of what else may be the work."""
    others = tuple(folder / one.name for one in rest if one in programs)
    beside = tuple(one.name for one in rest if one not in programs and one.name not in taken.beside)
    return msgspec.structs.replace(taken, others=(*taken.others, *others), beside=(*taken.beside, *beside))


def _looked_into(
    places: list[Path], stem: str, meant: Callable[[str], str | None], bound: Bound, strict: bool
) -> Candidates:
    """Return what folders and zip files offer.

    Args:
        strict: Only a file of the very name counts; else, where there is one place only, one of any name in it may.
    """
    found = depths_of(places, bound).candidates(stem, meant)
    if strict or len(places) != 1 or any(path.parent != places[0] for path in found.files):
        return found
    direct = candidates_in(places[0], stem, meant)
    if found.files:
        return msgspec.structs.replace(found, files=direct.files or found.files, notes=direct.notes)
    return direct if direct.files else found


def is_packed(one: HandedIn) -> bool:
    """Return whether it is a folder or a zip file, which may be looked into."""
    return kind_of(one.mode) == "a folder" or (kind_of(one.mode) is None and is_zip(one.file))


def _may_be_work(folder: Path, one: HandedIn, stem: str) -> bool:
    """Return whether a file may be the student's work; of a folder the names in it say so."""
    return may_be_work(folder, one.name if kind_of(one.mode) else one.file, one.mode, [stem])
