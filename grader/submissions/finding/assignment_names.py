"""Knows the names of a course's assignments and their files, and those that are close to one."""

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path

from grader.errors import UsageError
from grader.submissions.platforms.choose import is_download
from grader.submissions.platforms.handed_in import Listing
from grader.submissions.possible_work import programs
from grader.system.folder_listing import SUFFIXES, entries_of, kind_of
from grader.text import name_shown, same_name_key

CLOSE = 0.8
OF_NBGRADER = ("source", "release", "submitted", "downloaded", "autograded", "feedback")
OF_COURSES = ("assignments", "solutions", "tests", *OF_NBGRADER)
"""Folders of a course, which hold assignments as a student's folder does and are not students'."""


class AssignmentNames:
    """The assignments of a course.

    Args:
        stems: The file name without suffix by assignment id.
        assignment: The one assignment that is wanted, by id or file name; None for all.
        given: The names of the files that the course gave out, by assignment id; those of other names than the
            assignments' are kept, in `given_out` all together.
    """

    def __init__(
        self, stems: Mapping[str, str], assignment: str | None, given: Mapping[str, Iterable[str]] | None = None
    ) -> None:
        self.stems = dict(stems)
        own = {stem + suffix for stem in self.stems.values() for suffix in SUFFIXES}
        self.given = {id: frozenset(names) - own for id, names in (given or {}).items()}
        self.given_out = frozenset[str]().union(*self.given.values())
        self.known = (*self.stems, *self.stems.values())
        self._near: dict[str, str | None] = {}
        self._meant_file: dict[str, str | None] = {}
        self.assignment = None if assignment is None else self._known(assignment)
        self.wanted = [self.assignment] if self.assignment else sorted(self.stems)

    def _known(self, name: str) -> str:
        if name in self.stems:
            return name
        by_stem = [id for id, stem in self.stems.items() if stem == name]
        if len(by_stem) == 1:
            return by_stem[0]
        near = self.near(name)
        hint = f"Did you mean {near}?" if near else f"The assignments are: {', '.join(sorted(self.stems))}."
        raise UsageError("An assignment of this course was looked for.", f"There is no {name_shown(name)}.", hint)

    def near(self, name: str) -> str | None:
        """Return the assignment whose id or file name is close to a name, or is that name."""
        if name not in self._near:
            names = {same_name_key(word): id for id, stem in self.stems.items() for word in (stem, id)}
            key, longest = same_name_key(name), max(map(len, names), default=0)
            # A much longer name is close to none, and would take long to compare.
            close = difflib.get_close_matches(key, names, 1, CLOSE) if len(key) * CLOSE <= 2 * longest else []
            self._near[name] = names[close[0]] if close else None
        return self._near[name]

    def close(self, name: str) -> str | None:
        """Return the assignment that a name is close to without being it."""
        return None if name in self.stems else self.near(name)

    def begun(self, stem: str) -> str | None:
        """Return the assignment that a file's name without suffix begins with: of several, with the longest name."""
        both = ((name, id) for id, known in self.stems.items() for name in (id, known))
        names = {name: id for name, id in both if stem.lower().startswith(name.lower())}
        return names[max(names, key=len)] if names else None

    def meant(self, stem: str) -> str | None:
        """Return the assignment that a file's name without suffix begins with or is close to."""
        return self.begun(stem) or self.close(stem)

    def meant_file(self, name: str) -> str | None:
        """Return the file name without suffix of the assignment that a file's name stands for."""
        if name not in self._meant_file:
            id = self.meant(Path(name).stem)
            self._meant_file[name] = None if id is None else self.stems[id]
        return self._meant_file[name]

    def loose(self, entries: Mapping[str, int]) -> list[str]:
        """Return the wanted assignments whose file is directly among some entries, in capitals or not."""
        names = {same_name_key(name) for name in entries}
        return [id for id in self.wanted if any(same_name_key(self.stems[id] + end) in names for end in SUFFIXES)]

    def misspelt(self, entries: Mapping[str, int]) -> bool:
        """Return whether some folder's name is close to an assignment's."""
        return any(kind_of(mode) and self.close(name) for name, mode in entries.items())

    def are_students(self, path: Path, entries: Mapping[str, int], any_name: bool = True) -> bool:
        """Return whether some folder inside looks like a student's.

        Args:
            any_name: Whether a program of any name makes a folder one, where the assignment is said.
        """
        for name, mode in entries.items():
            if kind_of(mode) != "a folder" or name in OF_COURSES:
                continue
            try:
                inside = entries_of(path / name)
            except OSError:
                continue
            if any(id in inside for id in self.stems) or self.loose(inside) or self.misspelt(inside):
                return True
            own = any_name and self.assignment and programs(inside) and not programs(entries)
            if own and not is_download(Listing(path / name, inside, self.stems), students=2):
                return True
        return False
