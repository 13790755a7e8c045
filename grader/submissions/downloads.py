"""Takes apart the folder that Canvas packs when a teacher downloads all submissions of an assignment.

Everybody's files lie side by side there: `leeann_123_456_simple_attention-1.py` is from the user with the number 123,
handed in as file 456; `LATE_` stands behind the name where it came late, and `-1` where it was handed in once more. The
student is called `leeann_123` here. Of an anonymous grading it is `anon_4fKx9_456_simple_attention.py`, and where that
came late, `LATE_` stands in front; the student is called `anon_4fKx9`.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .folder import SUFFIXES, Candidates, closest, kind_of, programs
from .refused import beside_note, listed

UPLOADED, TYPED = r"\d+_(?P<file>.+)", r"(?P<file>(?:text|link)\.html)"
KNOWN, ANONYMOUS = r"(?P<who>.+?)_(?:LATE_)?(?P<user>\d+)_", r"(?:LATE_)?(?P<who>anon)_(?P<user>[A-Za-z0-9]+)_"
OF_CANVAS = [re.compile(who + what) for who in (ANONYMOUS, KNOWN) for what in (UPLOADED, TYPED)]
AGAIN = re.compile(r"-\d+$")


@dataclass(frozen=True)
class Handed:
    """One file of such a folder.

    Attributes:
        student: Whose it is.
        name: The file's name there.
        stem: The name that the student gave it, without suffix and number.
    """

    student: str
    name: str
    stem: str


@dataclass(frozen=True)
class Download:
    """A folder in which everybody's files lie side by side.

    Attributes:
        handed: The files whose names say whose they are.
        strange: The names of all others.
    """

    handed: list[Handed]
    strange: list[str]


def canvas_download(entries: Mapping[str, int]) -> Download | None:
    """Return what a folder holds that Canvas packed; None for any other folder."""
    plain = [name for name, mode in entries.items() if kind_of(mode) is None]
    parts = {name: next(filter(None, (shape.fullmatch(name) for shape in OF_CANVAS)), None) for name in plain}
    if len(plain) < len(entries) or not any(parts[name] for name in programs(entries)):
        return None
    handed = [
        Handed(f"{part['who']}_{part['user']}", name, AGAIN.sub("", Path(part["file"]).stem))
        for name, part in parts.items()
        if part
    ]
    return Download(handed, [name for name, part in parts.items() if not part])


def candidates_of(folder: Path, handed: Collection[Handed], stem: str) -> Candidates:
    """Return what one student's files offer for an assignment.

    Args:
        folder: Where they lie.
        handed: The files.
        stem: The name that the file should have had; one that has it goes before one of another name.
    """
    mine = [one for one in handed if one.name.lower().endswith(SUFFIXES)]
    if not mine:
        problem = f"No file {stem}.py or {stem}.ipynb was handed in, but {listed(one.name for one in handed)}."
        return Candidates(problem=problem)
    named = [one.name for one in mine if one.stem.lower() == stem.lower()]
    names = named or [one.name for one in mine]
    if len(names) > 2 or len({Path(name).suffix.lower() for name in names}) < len(names):
        return Candidates(problem=f"More than one file was handed in: {listed(names)}. Keep one, named {stem}.py.")
    near = [one.name for one in mine if one.name not in names and closest(one.stem, [stem])]
    rest = [one.name for one in handed if one.name not in (*names, *near)]
    files = tuple(folder / name for name in names)
    note = () if named else (f"There was no file {stem}.py or {stem}.ipynb; {listed(names)} was taken for it.",)
    notes = (*note, beside_note(rest)) if rest else note
    return Candidates(files, notes=notes, others=tuple(folder / name for name in near))


def by_student(handed: Iterable[Handed]) -> dict[str, list[Handed]]:
    """Return the files of each student."""
    found: dict[str, list[Handed]] = {}
    for one in handed:
        found.setdefault(one.student, []).append(one)
    return found
