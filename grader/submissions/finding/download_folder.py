"""Takes what a platform packed: everybody's files side by side, or a folder for each attempt."""

import os
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from grader.errors import UsageError
from grader.submissions.names import name_fault, name_refusal
from grader.submissions.path_errors import all_names, first_names, other_assignment, quoted_path, unknown_names
from grader.submissions.platforms.choose import Download, read_download
from grader.submissions.platforms.handed_in import HandedIn, Listing, newest_of
from grader.submissions.possible_work import programs
from grader.system.folder_listing import entries_of, is_program, kind_of
from grader.text import counted

from .assignment_names import OF_COURSES
from .candidates import Candidates
from .class_folder import ClassCollector
from .deep import Depths, depths_of
from .flat_files import candidates_of, is_packed


class DownloadCollector(ClassCollector):
    """Gathers the submissions of platforms' downloads."""

    def _download(self, path: Path, entries: Mapping[str, int]) -> Download | None:
        """Return what a platform's download holds; a student's own folder is none, unless `--layout` says so."""
        if self.student is not None:
            return None
        download, problem = None, None
        try:
            download = read_download(Listing(path, entries, self.stems), self.layout)
        except UsageError as found:
            problem = found
        if (download or problem) and self.layout is None and self._is_among_students(path):
            return None
        if problem:
            raise problem
        return download

    def _is_among_students(self, path: Path) -> bool:
        """Return whether most folders beside a folder are students', so that it is one as well."""
        place = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
        place = place.parent if place.name in self.stems else place
        try:
            beside = entries_of(place.parent)
        except OSError:
            return False
        others = [name for name in beside if name != place.name and name not in OF_COURSES]
        folders = {name: beside[name] for name in others if kind_of(beside[name]) == "a folder"}
        return 2 * len(self._students_in(place.parent, folders, any_name=False)) > len(folders)

    def _take_attempts(self, path: Path, entries: Mapping[str, int], download: Download) -> None:
        own = [name for name in download.rest if kind_of(entries[name]) == "a folder"]
        self._say(path, download, f" Taken as students' own folders: {first_names(own)}." if own else "")
        self.take_class(path, entries, download.handed)

    def _say(self, path: Path, download: Download, besides: str = "") -> None:
        """Say as what a download was read."""
        handed = download.handed
        students, names = len({one.student for one in handed}), len({one.name for one in handed})
        what = "file" if download.is_flat else "folder"
        self.read_as.append(
            f"Read {quoted_path(path)} as a download from {download.title}: "
            f"{counted(students, 'student')}, {counted(names, what)}.{besides}"
        )

    def take_download(self, path: Path, download: Download) -> None:
        """Take a folder in which everybody's files are side by side, and some whose names say no student."""
        self._say(path, download)
        if download.rest:
            rest = all_names(download.rest, len(download.rest))
            self.warnings.append(f"No name in the download says whose {rest} is, so nothing of it was graded.")
        meant_by: dict[str, list[str]] = {}
        faults: defaultdict[str, list[str]] = defaultdict(list)
        by_student: defaultdict[str, list[HandedIn]] = defaultdict(list)
        for one in download.handed:
            # A name that is only close to an assignment's gives way to the one that is asked for.
            near = self.names.close(one.stem)
            if own := self.names.begun(one.stem) or (near if self.assignment in (None, near) else None):
                meant_by[one.name] = [own]
            else:
                inside = self._inside(path, one)
                meant_by[one.name] = self.names.loose({each.name: 0 for each in inside.programs})
                faults[one.student] += inside.faults
            by_student[one.student].append(one)
        ids = {id for some in meant_by.values() for id in some}
        only = [self.assignment] if self.assignment else [*ids] if len(ids) == 1 else []
        for student, files in by_student.items():
            if fault := name_fault(student):
                self.warnings.append(name_refusal(student, fault))
                continue
            self.students.setdefault(student, path)
            self.of_platform.add(student)
            said = {name for id in self.wanted for name in self._take_files(path, id, files, meant_by, only)}
            self._name_unknown(student, [one.name for one in files if one.name not in said], faults[student])

    def _take_files(
        self, path: Path, id: str, files: list[HandedIn], meant_by: Mapping[str, list[str]], only: list[str]
    ) -> list[str]:
        """Take what a student's files offer for an assignment; return the names of all that may be for it.

        One of which no name says more may be an attempt too. If all is for one assignment, it is for that one, unless
        it was handed in with programs or zip files of which the names say more.
        """
        parts: defaultdict[str, list[HandedIn]] = defaultdict(list)
        for one in files:
            if id in (meant_by[one.name] or [id]):
                parts[one.part].append(one)
        told = {one.order for one in files if meant_by[one.name] and (is_program(one.file) or is_packed(one))}
        certain = {one.name for one in files if id in (meant_by[one.name] or (only if one.order not in told else []))}
        attempts = [newest_of(some) for some in parts.values() if any(one.name in certain for one in some)]
        newest = [one for each in attempts for one in each.newest]
        if not newest:
            return []
        key = newest[0].student, id
        if chosen := [one for one in newest if one.name in certain]:
            taken = candidates_of(path, newest, chosen, self.stems[id], self.names.meant_file, self.bound)
        else:
            names = all_names(one.name for one in newest)
            taken = Candidates(problem=f"No name in the newest attempt says that it is for this assignment: {names}.")
        self.add(*key, path / newest[0].name, taken)
        self.add_time(key, newest[0])
        for each in attempts:
            if each.older:
                self._name_older(each, [key], wanted=True)
        return [name for each in attempts for name in (*(one.name for one in each.newest), *each.older)]

    def _name_unknown(self, student: str, names: list[str], faults: list[str]) -> None:
        """Warn of a student's files that are of no wanted assignment by any name, and what could not be looked into."""
        if names and self.assignment:
            self.warnings.append(other_assignment(student, names, self.assignment))
        elif names:
            self.warnings.append(" ".join([unknown_names(student, names, self.stems), *faults]))

    def _taken_as_download(self, path: Path, entries: Mapping[str, int], download: Download) -> bool:
        handed, strange = download.handed, self._strange(path, entries, download)
        if not strange:
            self.take_download(path, download)
        elif len({one.student for one in handed}) > 1:
            found = (
                f"The folder {quoted_path(path)} looks like a download of all submissions, since it holds "
                f"{first_names(one.name for one in handed)}, but no name says whose {first_names(strange)} is."
            )
            hint = "Move the latter out of the folder, or say with --student whose folder it is."
            raise UsageError("A class or one student's folder was looked for.", found, hint)
        return not strange

    def _students_in(self, path: Path, entries: Mapping[str, int], any_name: bool = True) -> list[str]:
        """Return the folders inside that look like students'."""
        others = [name for name in entries if name not in self.stems and not self.names.close(name)]
        return [name for name in others if self.names.are_students(path, {name: entries[name]}, any_name)]

    def _strange(self, path: Path, entries: Mapping[str, int], download: Download) -> list[str]:
        """Return the entries that are not of a download and tell that it may be one student's, or a class of folders.

        Beside the files of several students a program of any other name is only named, since a student may have
        chosen that name.
        """
        rest = {name: entries[name] for name in download.rest}
        students, several = self._students_in(path, rest), len({one.student for one in download.handed}) > 1
        own = [name for name in programs(rest) if not several or self.names.loose({name: 0})]
        return [name for name in rest if name in own or name in students]

    def _inside(self, path: Path, one: HandedIn) -> Depths:
        """Return what lies in a folder or zip file; nothing for any other file."""
        return depths_of([path / one.name] if is_packed(one) else [], self.bound)
