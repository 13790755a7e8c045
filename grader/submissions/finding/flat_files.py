"""Chooses among one student's files of a download in which everybody's files are side by side."""

from collections.abc import Callable, Collection
from pathlib import Path

import msgspec

from grader.submissions.path_errors import all_names
from grader.submissions.platforms.handed_in import HandedIn
from grader.submissions.possible_work import is_program, is_zip, may_be_work
from grader.system.folder_listing import kind_of

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
    chosen = named or [one for one in own if meant(one.file) == stem] or own
    packed = [one for one in certain if is_packed(one)]
    if not chosen:
        found = _looked_into([folder / one.name for one in packed], stem, meant, bound)
        rest = [one for one in handed if one not in packed and _may_be_work(folder, one, stem)]
        if found.files:
            others = (*found.others, *(folder / one.name for one in rest if one in mine))
            beside = (*found.beside, *(one.name for one in rest if one not in mine))
            return msgspec.structs.replace(found, others=others, beside=beside)
        problem = f"No file {stem}.py or {stem}.ipynb was handed in, but {all_names(one.name for one in handed)}."
        return Candidates(problem=f"{problem} {found.problem or ''}".rstrip())
    more = [one for one in handed if one not in chosen and _may_be_work(folder, one, stem)]
    others = tuple(folder / one.name for one in more if one in mine)
    beside = tuple(one.name for one in more if one not in mine)
    names = [one.name for one in chosen]
    if len(names) > 2 or len({Path(name).suffix.lower() for name in names}) < len(names):
        problem = f"More than one file was handed in: {all_names(names)}. Keep one, named {stem}.py."
        return Candidates(problem=problem, others=others, beside=beside)
    note = () if named else (f"There was no file {stem}.py or {stem}.ipynb; {all_names(names)} was taken for it.",)
    return Candidates(tuple(folder / name for name in names), notes=note, others=others, beside=beside)


def _looked_into(places: list[Path], stem: str, meant: Callable[[str], str | None], bound: Bound) -> Candidates:
    """Return what folders and zip files offer; where there is one only, a file of any name in it may be meant."""
    found = depths_of(places, bound).candidates(stem, meant)
    if len(places) != 1 or any(path.parent != places[0] for path in found.files):
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
