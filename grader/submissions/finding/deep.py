"""Looks through the folders and zip files that a student handed in for a file that is not where it should be.

Nothing is opened but the lists of zip files; a zip file in a zip file is named and not looked into. Only a file of the
very name that was asked for counts here. Where it is not certain that all of it is one person's, files of one
assignment in several places are never chosen between, and what looks like a download of several people's is not
searched.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from grader.submissions.path_errors import all_names, called, called_apart
from grader.submissions.platforms.choose import is_download
from grader.submissions.platforms.handed_in import Listing
from grader.submissions.possible_work import is_zip, may_be_work
from grader.system.folder_listing import entries_of, is_program, kind_of
from grader.text import name_shown, same_name_key

from .candidates import Candidates

DEEPEST = 12
MOST_ENTRIES = 10_000  # of one student
MOST_IN_ALL = 1_000_000  # of all students of a run together


class Bound(msgspec.Struct):
    """How many entries may still be looked at in a run, and by which file names, of each assignment's id."""

    course: Mapping[str, str]
    left: int = msgspec.field(default_factory=lambda: MOST_IN_ALL)


class Depths(msgspec.Struct):
    """What lies in folders and zip files, at any depth.

    Attributes:
        bound: Of all that is looked through in a run.
        stems: Of each program, by what its name without suffix is compared.
        meanings: Of each program, which assignment's file it may be, once that was asked.
        beside: What else may be work.
        faults: What could not be looked into, a sentence each.
    """

    bound: Bound
    programs: list[Path] = []
    stems: list[str] = []
    meanings: list[str | None] = []
    beside: list[Path] = []
    faults: list[str] = []
    left: int = MOST_ENTRIES

    def look(self, place: Path, depth: int = DEEPEST, zips: int = 1) -> None:
        """Look through a folder or a zip file."""
        if self.left < 0:
            return None
        try:
            entries = entries_of(place) if self.bound.left >= 0 else {}
        except OSError as problem:
            return self._leave(place, f"could not be read: {problem.strerror}")
        self.left -= 1 + len(entries)
        self.bound.left -= 1 + len(entries)
        if depth == 0 or self.left < 0 or self.bound.left < 0:
            return self._leave(place, "holds more than is looked through")
        if not entries and is_zip(place.name):
            return self._leave(place, "is empty")
        if is_download(Listing(place, entries, self.bound.course), students=2):
            return self._leave(place, "looks like a download of several people's work, so it was not searched")
        for name, mode in entries.items():
            path, kind = place / name, kind_of(mode)
            if kind == "a folder":
                self.look(path, depth - 1, zips)
            elif kind is None and is_program(name):
                self.programs.append(path)
                self.stems.append(same_name_key(path.stem))
            elif kind is None and is_zip(name):
                if zips:
                    self.look(path, depth - 1, zips - 1)
                else:
                    self._leave(path, "is a zip file in a zip file, which is not looked into")
            elif kind is not None:
                self._leave(path, f"is {kind}")
            elif may_be_work(place, name, mode):
                self.beside.append(path)
        return None

    def _leave(self, place: Path, why: str) -> None:
        self.beside.append(place)
        self.faults.append(f"{name_shown(place.name)} {why}.")

    def candidates(
        self, stem: str, meant: Callable[[str], str | None], given: Iterable[str] = (), one_person: bool = True
    ) -> Candidates:
        """Return what was found for an assignment; see `candidates_in`.

        Files of one name in several places are all returned: which of them counts, their texts say.

        Args:
            one_person: Whether all of it is certainly one person's.
        """
        key, may_be = same_name_key(stem), self.meaning(stem, meant)
        chosen = [path for path, own in zip(self.programs, self.stems, strict=True) if own == key]
        if not chosen and may_be:
            found = all_names(called(path) for path in may_be)
            only = f"In a folder or zip file only a file named {stem}.py or {stem}.ipynb counts, and there is {found}."
            return Candidates(problem=" ".join([only, *self.faults]))
        if not chosen:
            return Candidates(problem=" ".join(self.faults) or None)
        if not one_person and len({path.parent for path in (*chosen, *may_be)}) > 1:
            found = all_names(called_apart(list(dict.fromkeys((*chosen, *may_be)))))
            problem = f"Files for it are in several folders, so which one counts is not certain: {found}."
            left = tuple(path.name for path in self.beside)
            return Candidates(problem=f"{problem} None was graded. Hand in one {stem}.py.", beside=left)
        given = set(given)
        taken = {*chosen, *(path for path in self.programs if path.name in given)}
        more = [path for path in (*self.meaning(stem, meant), *self.meaning(None, meant)) if path not in taken]
        certain = [one_person or path.is_relative_to(chosen[0].parent) for path in more]
        others = [path for path, mine in zip(more, certain, strict=True) if mine]
        beside = [*(path for path, mine in zip(more, certain, strict=True) if not mine), *self.beside]
        found = all_names(called(path) for path in chosen)
        return Candidates(
            tuple(chosen), notes=(f"Found in a folder or zip file: {found}.",), others=tuple(others),
            beside=tuple(path.name for path in beside),
        )  # fmt: skip

    def meaning(self, stem: str | None, meant: Callable[[str], str | None]) -> list[Path]:
        """Return the programs that may be an assignment's file by their names; for None, those that may be any."""
        if len(self.meanings) < len(self.programs):
            self.meanings = [meant(path.name) for path in self.programs]
        return [path for path, own in zip(self.programs, self.meanings, strict=True) if own == stem]

    def in_several_places(self, stem: str, meant: Callable[[str], str | None]) -> bool:
        """Return whether files that may be an assignment's are in more than one folder."""
        return len({path.parent for path in self.meaning(stem, meant)}) > 1


def depths_of(places: Iterable[Path], bound: Bound) -> Depths:
    """Return what lies in some folders and zip files."""
    depths = Depths(bound)
    for place in places:
        depths.look(place, zips=0 if is_zip(place.name) else 1)
    return depths
