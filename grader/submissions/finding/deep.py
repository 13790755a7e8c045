"""Looks through the folders and zip files that a student handed in for a file that is not where it should be.

Nothing is opened but the lists of zip files; a zip file in a zip file is named and not looked into.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from grader.submissions.path_errors import all_names, called
from grader.submissions.possible_work import is_program, is_zip, may_be_work
from grader.system.folder_listing import entries_of, kind_of
from grader.text import name_shown, same_name_key

from .candidates import Candidates

DEEPEST = 12
MOST_ENTRIES = 10_000


class Depths(msgspec.Struct):
    """What lies in folders and zip files, at any depth.

    Attributes:
        beside: What else may be work.
        faults: What could not be looked into, a sentence each.
    """

    programs: list[Path] = []
    beside: list[Path] = []
    faults: list[str] = []
    left: int = MOST_ENTRIES

    def look(self, place: Path, depth: int = DEEPEST, zips: int = 1) -> None:
        """Look through a folder or a zip file."""
        try:
            entries = entries_of(place)
        except OSError as problem:
            return self._leave(place, f"could not be read: {problem.strerror}")
        self.left -= len(entries)
        if depth == 0 or self.left < 0:
            return self._leave(place, "holds more than is looked through")
        for name, mode in entries.items():
            path, kind = place / name, kind_of(mode)
            if kind == "a folder":
                self.look(path, depth - 1, zips)
            elif kind is None and is_program(name):
                self.programs.append(path)
            elif kind is None and is_zip(name) and zips:
                self.look(path, depth - 1, zips - 1)
            elif kind is not None:
                self._leave(path, f"is {kind}")
            elif may_be_work(place, name, mode):
                self.beside.append(path)
        return None

    def _leave(self, place: Path, why: str) -> None:
        self.beside.append(place)
        self.faults.append(f"{name_shown(place.name)} {why}.")

    def candidates(self, stem: str, meant: Callable[[str], str | None], given: Iterable[str] = ()) -> Candidates:
        """Return what was found for an assignment; see `candidates_in`.

        Files of one name in several places are all returned: which of them counts, their texts say.
        """
        exact = [path for path in self.programs if same_name_key(path.stem) == same_name_key(stem)]
        chosen = exact or [path for path in self.programs if meant(path.name) == stem]
        if not chosen:
            return Candidates(problem=" ".join(self.faults) or None)
        given = set(given)
        others = [
            path for path in self.programs
            if path not in chosen and path.name not in given and meant(path.name) in (None, stem)
        ]  # fmt: skip
        found = all_names(called(path) for path in chosen)
        return Candidates(
            tuple(chosen), notes=(f"Found in a folder or zip file: {found}.",), others=tuple(others),
            beside=tuple(path.name for path in self.beside),
        )  # fmt: skip


def depths_of(places: Iterable[Path]) -> Depths:
    """Return what lies in some folders and zip files."""
    depths = Depths()
    for place in places:
        depths.look(place, zips=0 if is_zip(place.name) else 1)
    return depths
