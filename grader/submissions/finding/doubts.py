"""Refuses a folder of which it is not certain whose the work in it is, in a sentence that says what to do.

One student's work under another's name is worse than none: a class is only what has students' folders directly in it,
or what a platform named. Folders of which none has its work in its place may each be a student's or a section, and the
teacher has to say which.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.submissions.path_errors import MOST_NAMED, SHAPES, both_shapes, called_apart, first_names, quoted_path
from grader.submissions.platforms.choose import OWN_FOLDERS, Download, is_download
from grader.submissions.platforms.handed_in import Listing
from grader.submissions.possible_work import is_zip, programs
from grader.system.folder_listing import entries_of, kind_of
from grader.text import same_name_key

from .assignment_names import OF_COURSES
from .deep import Depths, depths_of
from .download_folder import DownloadCollector

COPY = re.compile(r"-Copy\d+$")  # Jupyter's own name for a copy, made by whom the file belongs to
HANDED_IN = ("submitted", "downloaded")  # nbgrader's folders with students' work


class DoubtfulFolders(DownloadCollector):
    """Tells classes, sections and students' folders from each other."""

    def _holds_files(self, depths: Depths) -> bool:
        return bool(self.names.loose({found.name: 0 for found in depths.programs}))

    def _are_deep_students(self, path: Path, entries: Mapping[str, int]) -> bool:
        """Return whether in some folder there is a file of the course at any depth, or in a zip file."""
        return any(self._holds_files(self.depths(path / name)) for name in self._folders(entries))

    def _folders(self, entries: Mapping[str, int]) -> list[str]:
        return [name for name, mode in entries.items() if kind_of(mode) == "a folder" and name not in OF_COURSES]

    def _refuse_deep_students(self, path: Path, entries: Mapping[str, int]) -> None:
        """Refuse folders of which none has its work in its place: they may be sections, or students' as well."""
        if self.layout != OWN_FOLDERS:
            held = {name: self._of_several(path / name) or self._held(path / name) for name in self._folders(entries)}
            held = {name: some for name, some in held.items() if some}
            raise self._of_whom(path, held, "If each is one student's, say --layout folders.")

    def _held(self, place: Path) -> list[str]:
        """Return where in a folder files of the course are."""
        found = [path for path in self.depths(place).programs if self.names.loose({path.name: 0})]
        return [path.relative_to(place).as_posix() for path in found]

    def _refuse_assignment_first(self, path: Path, entries: Mapping[str, int]) -> None:
        """Refuse a folder with assignments' folders in which there may be students' folders, or a platform's download.

        Where one of them has a program directly in it, a further folder in another is not taken for a student's.
        """
        ids = [id for id in self._folders(entries) if id in self.stems]
        if self.student is not None:
            return
        held = {id: self._of_several(path / id) for id in ids}
        inner = {id: self._in_a_folder(path / id, id) for id in ids}
        owners = {Path(name).parts[0] for names in inner.values() for name in names}
        owners = {name for name in owners if not self.names.near(name)}
        in_its_place = any(programs(_listed(path / id)) for id in ids) or self._is_among_students(path)
        if any(held.values()) or len(owners) > (1 if in_its_place else 0):
            held = {id: held[id] or inner[id] for id in ids}
            raise self._of_whom(path, held, "If all is one student's, say with --student who it is.")

    def _in_a_folder(self, place: Path, id: str) -> list[str]:
        """Return where in an assignment's folder its file is, if it is in a further folder only."""
        if programs(_listed(place)):
            return []
        depths = self.depths(place, shared=False)
        return [path.relative_to(place).as_posix() for path in depths.meaning(self.stems[id], self.names.meant_file)]

    def _of_whom(self, path: Path, held: Mapping[str, list[str]], otherwise: str) -> UsageError:
        found = "; ".join(f"in {name} {first_names(some)}" for name, some in [*held.items()][:MOST_NAMED] if some)
        said = f"In folders of {quoted_path(path)} there may be the work of several students: {found}."
        hint = f"If so, {self._name_each(path, [*held])} {otherwise}"
        return UsageError("A class or one student's folder was looked for.", said, hint)

    def _name_each(self, path: Path, names: Sequence[str]) -> str:
        unpack, place = ("", path) if path.is_dir() else ("unpack it and ", Path())
        shown = " ".join(quoted_path(place / name) for name in names[:MOST_NAMED])
        return f"{unpack}give each of these by itself: {shown}{' ...' * (len(names) > MOST_NAMED)}."

    def _of_several(self, place: Path) -> list[str]:
        """Return what in a folder may be several people's: files of one assignment, or a platform's download."""
        entries = _listed(place)
        depths, meant = self.depths(place, entries=entries, shared=False), self.names.meant_file
        if not self.names.loose(entries):
            for stem in self.stems.values():
                if depths.in_several_places(stem, meant):
                    return called_apart(depths.meaning(stem, meant))
        return list(entries) if is_download(Listing(place, entries, self.stems), students=2) else []

    def _nothing_known(self, path: Path, entries: Mapping[str, int]) -> UsageError:
        near = next(filter(None, map(self.names.near, [absolute(path).name, *entries])), None)
        hint = f"Did you mean {near}? {SHAPES}" if near else SHAPES
        if self.assignment is None:
            hint += " Where the files have other names, say with --assignment which one it is."
        folders = [name for name, mode in entries.items() if kind_of(mode) == "a folder"]
        packed = [name for name, mode in entries.items() if kind_of(mode) is None and is_zip(name)]
        if each := [*(name for name in folders if name in HANDED_IN or self._of_several(path / name)), *packed]:
            said = self._name_each(path, each)
            hint = said[:1].upper() + said[1:]
        if self.layout is None and is_download(Listing(path, entries, self.stems)) and self._is_among_students(path):
            beside = "Beside it are students' folders, so it was read as one student's."
            hint = f"{beside} If so, say with --student who it is; for a platform's download, say --layout NAME. {hint}"
        found = f"The folder {quoted_path(path)} holds none of this course's: {first_names(entries)}."
        return UsageError("Submissions were looked for.", found, hint)

    def _refuse_two_shapes(self, path: Path, entries: Mapping[str, int], download: Download | None) -> None:
        """Refuse a folder that may be one student's and a class too, where all but one would go unseen."""
        loose = [f"{self.stems[id]}.py" for id in self.names.loose(entries)]
        mine = [id for id in self.stems if id in entries] or loose
        if self.student is not None or not mine or absolute(path).name in self.stems:
            return
        students = self._students_in(path, entries)
        named = {*students, *(one.name for one in (download.handed if download else ()))}
        folders = [name for name in self._folders(entries) if not self.names.near(name)]
        deep = [name for name in folders if name in named or self._holds_files(self.depths(path / name))]
        students = deep if len(deep) > 1 else students
        if students and not self._is_in_a_class(absolute(path), len(students)):
            raise both_shapes(path, mine, students)

    def _refuse_class_of_student(self, path: Path, entries: Mapping[str, int]) -> None:
        """Refuse a class in which the named student has a folder; any other folder is the student's, as it is said."""
        folders = self._folders(entries) if self.student in entries else []
        if len([None for name in folders if self._holds_files(depths_of([path / name], self.bound))]) > 1:
            found = f"{quoted_path(path)} is a class, and --student names the owner of one student's folder or file."
            hint = f"Give the student's own folder: {quoted_path(path / str(self.student))}."
            raise UsageError("One student's submission was looked for.", found, hint)

    def _is_in_a_class(self, place: Path, inside: int) -> bool:
        """Return whether a folder is a student's by what is beside it, so that a folder inside is a backup.

        All else there are students' folders; or nothing else is, and a class inside would have one student only.
        """
        try:
            beside = {name: mode for name, mode in entries_of(place.parent).items() if name != place.name}
        except OSError:
            return False
        return len(self._students_in(place.parent, beside)) == len(beside) and (bool(beside) or inside == 1)

    def _refuse_several(self, path: Path, ids: Iterable[str], entries: Mapping[str, int]) -> None:
        """Refuse several files of one assignment that may be one student's attempts or several students' work."""
        for id in ids:
            mine = [name for name in programs(entries) if self.names.begun(Path(name).stem) == id]
            self._refuse_names(path, mine, self.stems[id])

    def _refuse_other_names(self, path: Path, stem: str, entries: Mapping[str, int]) -> None:
        """Refuse several files of which none has the assignment's name and each may be somebody's file for it."""
        meant = {name: self.names.meant_file(name) for name in programs(entries)}
        wanted = stem if stem in meant.values() else None
        self._refuse_names(path, [name for name in meant if meant[name] == wanted], stem)

    def _refuse_names(self, path: Path, mine: Sequence[str], stem: str) -> None:
        """Refuse programs of several names that may be one student's attempts or several students' work."""
        names = {same_name_key(COPY.sub("", Path(name).stem)) for name in mine}
        if len(names) > 1 and self.student is None:
            found = (
                f"The folder {quoted_path(path)} holds {first_names(mine)}, and nothing tells whether these are "
                "one student's attempts or several students' files."
            )
            hint = (
                "For one student, say with --student who it is. For several, give each one a folder, "
                f"STUDENT/{stem}.py, and name the folder that holds these folders."
            )
            raise UsageError("One student's folder was looked for.", found, hint)

    def _refuse_a_class_beside(self, path: Path, entries: Mapping[str, int]) -> None:
        """Refuse a folder with programs of any name, beside which there are folders with programs."""
        students = [name for name, mode in entries.items() if self.names.are_students(path, {name: mode})]
        if self.student is None and students:
            raise both_shapes(path, list(programs(entries)), students)


def _listed(folder: Path) -> dict[str, int]:
    """Return what is in a folder; nothing where it can't be listed."""
    try:
        return entries_of(folder)
    except OSError:
        return {}


def absolute(path: Path) -> Path:
    """Return where a path is by its names alone; links on the way stay what the teacher wrote."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow them
