"""Takes apart the folder that Canvas packs when a teacher downloads all submissions of an assignment.

Everybody's files are side by side there: `leeann_123_456_simple_attention-1.py` is from the user with the number 123,
handed in as file 456; `LATE_` follows the name where it came late, and `-1` where it was handed in once more. The
student is called `leeann_123` here. Of an anonymous grading it is `anon_4fKx9_456_simple_attention.py`, and where that
came late, `LATE_` is in front; the student is called `anon_4fKx9`. A folder of such a name is an unpacked archive.
"""

import re
from collections.abc import Collection, Iterable, Mapping
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
    """One file of such a folder.

    Attributes:
        student: Whose it is.
        name: The file's name there.
        file: The name that the student gave it.
        mode: Its file mode; a folder is what somebody unpacked in its place.
    """

    student: str
    name: str
    file: str
    mode: int

    @property
    def stem(self) -> str:
        """The name that the student gave it, without suffix and number."""
        return AGAIN.sub("", Path(self.file).stem)


@dataclass(frozen=True)
class Download:
    """A folder in which everybody's files are side by side.

    Attributes:
        handed: The files whose names say whose they are.
        strange: The names of all others.
    """

    handed: list[DownloadedFile]
    strange: list[str]


def canvas_download(entries: Mapping[str, int]) -> Download | None:
    """Return what a folder holds that Canvas packed; None for any other folder."""
    parts = {name: canvas_name(name) for name in entries}
    if not any(parts[name] for name, mode in programs(entries).items() if kind_of(mode) != "a folder"):
        return None
    handed = [
        DownloadedFile(f"{part['who']}_{part['user']}", name, part["file"], entries[name])
        for name, part in parts.items()
        if part
    ]
    return Download(handed, [name for name, part in parts.items() if not part])


def candidates_of(folder: Path, handed: Collection[DownloadedFile], stem: str) -> Candidates:
    """Return what one student's files offer for an assignment.

    Args:
        folder: Where they are.
        handed: The files.
        stem: The name that the file should have had; one that has it goes before one of another name.
    """
    mine = [one for one in handed if is_program(one.file) and kind_of(one.mode) != "a folder"]
    folders = [one for one in handed if kind_of(one.mode) == "a folder"]
    if not mine and len(folders) == 1:
        found = candidates_in(folder / folders[0].name, stem)
        rest = _work(folder, [one for one in handed if one is not folders[0]], stem)
        return msgspec.structs.replace(found, beside=(*found.beside, *(one.name for one in rest)))
    if not mine:
        problem = f"No file {stem}.py or {stem}.ipynb was handed in, but {all_names(one.name for one in handed)}."
        return Candidates(problem=problem)
    named = [one for one in mine if one.stem.lower() == stem.lower()]
    chosen = named or mine
    rest = _work(folder, [one for one in handed if one not in chosen], stem)
    others = tuple(folder / one.name for one in rest if one in mine)
    beside = tuple(one.name for one in rest if one not in mine)
    names = [one.name for one in chosen]
    if len(names) > 2 or len({Path(name).suffix.lower() for name in names}) < len(names):
        problem = f"More than one file was handed in: {all_names(names)}. Keep one, named {stem}.py."
        return Candidates(problem=problem, others=others, beside=beside)
    note = () if named else (f"There was no file {stem}.py or {stem}.ipynb; {all_names(names)} was taken for it.",)
    return Candidates(tuple(folder / name for name in names), notes=note, others=others, beside=beside)


def _work(folder: Path, handed: Iterable[DownloadedFile], stem: str) -> list[DownloadedFile]:
    """Return those that may be the student's work; of a folder the names in it say so."""
    return [
        one for one in handed
        if may_be_work(folder, one.name if kind_of(one.mode) else one.file, one.mode, [stem])
    ]  # fmt: skip


def by_student(handed: Iterable[DownloadedFile]) -> dict[str, list[DownloadedFile]]:
    """Return the files of each student."""
    found: dict[str, list[DownloadedFile]] = {}
    for one in handed:
        found.setdefault(one.student, []).append(one)
    return found
