"""Takes apart the folder that Canvas packs when a teacher downloads all submissions of an assignment.

Everybody's files are side by side there: `leeann_123_456_simple_attention-1.py` is from the user with the number 123,
handed in as file 456; `LATE_` follows the name where it came late, and `-1` where it was handed in once more. The
student is called `leeann_123` here. Of an anonymous grading it is `anon_4fKx9_456_simple_attention.py`, and where that
came late, `LATE_` is in front; the student is called `anon_4fKx9`. A folder of such a name is an unpacked archive.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.submissions.path_errors import all_names
from grader.submissions.possible_work import is_program, may_be_work, programs
from grader.system.folder_listing import kind_of

from .candidates import Candidates, candidates_in

UPLOADED, TYPED = r"\d+_(?P<file>.+)", r"(?P<file>(?:text|link)\.html)"
KNOWN, ANONYMOUS = r"(?P<who>.+?)_(?:LATE_)?(?P<user>\d+)_", r"(?:LATE_)?(?P<who>anon)_(?P<user>[A-Za-z0-9]+)_"
OF_CANVAS = [re.compile(who + what) for who in (ANONYMOUS, KNOWN) for what in (UPLOADED, TYPED)]
AGAIN = re.compile(r"-\d+$")


def canvas_name(name: str) -> re.Match[str] | None:
    """Return what Canvas wrote into a name; None for any other name."""
    return next(filter(None, (shape.fullmatch(name) for shape in OF_CANVAS)), None)


@dataclass(frozen=True)
class DownloadedFile:
    """One file of such a folder: whose it is, its name there, the name that the student gave it, and its mode."""

    student: str
    name: str
    file: str
    mode: int

    @property
    def stem(self) -> str:
        """The name that the student gave it, without suffix and number."""
        return AGAIN.sub("", Path(self.file).stem)

    @property
    def is_folder(self) -> bool:
        """Whether it is what somebody unpacked in a file's place."""
        return kind_of(self.mode) == "a folder"


def canvas_download(entries: Mapping[str, int]) -> tuple[list[DownloadedFile], list[str]] | None:
    """Return what a folder holds that Canvas packed: the files whose names say whose they are, and all other names.

    None for any other folder.
    """
    parts = {name: canvas_name(name) for name in entries}
    if not any(parts[name] for name, mode in programs(entries).items() if kind_of(mode) != "a folder"):
        return None
    handed = [
        DownloadedFile(f"{part['who']}_{part['user']}", name, part["file"], entries[name])
        for name, part in parts.items()
        if part
    ]
    return handed, [name for name, part in parts.items() if not part]


def candidates_of(folder: Path, handed: Collection[DownloadedFile], stem: str) -> Candidates:
    """Return what one student's files offer for an assignment; one that has its name goes before one of another."""
    mine = [one for one in handed if is_program(one.file) and not one.is_folder]
    folders = [one for one in handed if one.is_folder]
    named = [one for one in mine if one.stem.lower() == stem.lower()]
    chosen = named or mine or (folders if len(folders) == 1 else [])
    if not chosen:
        problem = f"No file {stem}.py or {stem}.ipynb was handed in, but {all_names(one.name for one in handed)}."
        return Candidates(problem=problem)
    rest = [one for one in handed if one not in chosen and _may_be_work(folder, one, stem)]
    others = tuple(folder / one.name for one in rest if one in mine)
    beside = tuple(one.name for one in rest if one not in mine)
    if not mine:
        found = candidates_in(folder / chosen[0].name, stem)
        return msgspec.structs.replace(found, beside=(*found.beside, *beside))
    names = [one.name for one in chosen]
    if len(names) > 2 or len({Path(name).suffix.lower() for name in names}) < len(names):
        problem = f"More than one file was handed in: {all_names(names)}. Keep one, named {stem}.py."
        return Candidates(problem=problem, others=others, beside=beside)
    note = () if named else (f"There was no file {stem}.py or {stem}.ipynb; {all_names(names)} was taken for it.",)
    return Candidates(tuple(folder / name for name in names), notes=note, others=others, beside=beside)


def _may_be_work(folder: Path, one: DownloadedFile, stem: str) -> bool:
    """Return whether a file may be the student's work; of a folder the names in it say so."""
    return may_be_work(folder, one.name if kind_of(one.mode) else one.file, one.mode, [stem])
