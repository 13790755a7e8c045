"""Takes apart the folder that Canvas packs when a teacher downloads all submissions of an assignment.

Everybody's files lie side by side there: `leeann_123_456_simple_attention-1.py` is from the user with the number 123,
handed in as file 456; `LATE_` stands behind the name where it came late, and `-1` where it was handed in once more. The
student is called `leeann_123` here.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .folder import SUFFIXES, Candidates, kind_of, programs
from .refused import listed

OF_CANVAS = re.compile(r"(?P<who>[^_]+)_(?:LATE_)?(?P<user>\d+)_\d+_(?P<file>.+)")
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


def canvas_download(entries: Mapping[str, int]) -> list[Handed]:
    """Return the files of a folder that Canvas packed; none for any other folder."""
    plain = [name for name, mode in entries.items() if kind_of(mode) is None]
    parts = {name: OF_CANVAS.fullmatch(name) for name in plain}
    if len(plain) < len(entries) or not any(parts[name] for name in programs(entries)):
        return []
    if not all(parts[name] for name in programs(entries)):
        return []
    return [
        Handed(f"{part['who']}_{part['user']}", name, AGAIN.sub("", Path(part["file"]).stem))
        for name, part in parts.items()
        if part
    ]


def candidates_of(folder: Path, names: Collection[str], stem: str) -> Candidates:
    """Return what one student's files offer for an assignment.

    Args:
        folder: Where they lie.
        names: Their names.
        stem: The name that the file should have had.
    """
    mine = [name for name in names if name.lower().endswith(SUFFIXES)]
    if not mine:
        return Candidates(problem=f"No file {stem}.py or {stem}.ipynb was handed in, but {listed(names)}.")
    if len(mine) > 2 or len({Path(name).suffix.lower() for name in mine}) < len(mine):
        return Candidates(problem=f"More than one file was handed in: {listed(mine)}. Keep one, named {stem}.py.")
    return Candidates(files=tuple(folder / name for name in mine))


def by_student(handed: Iterable[Handed]) -> dict[str, list[Handed]]:
    """Return the files of each student."""
    found: dict[str, list[Handed]] = {}
    for one in handed:
        found.setdefault(one.student, []).append(one)
    return found
