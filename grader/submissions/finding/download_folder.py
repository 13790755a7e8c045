"""Takes what a platform packed: everybody's files side by side, or a folder for each attempt."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.submissions.names import name_fault, name_refusal
from grader.submissions.path_errors import first_names, quoted_path, unknown_names
from grader.submissions.platforms.choose import Download, read_download
from grader.submissions.platforms.handed_in import HandedIn, Listing, StudentAttempts, attempts_of
from grader.submissions.possible_work import is_zip, programs
from grader.system.folder_listing import kind_of
from grader.text import counted, name_shown

from .class_folder import ClassCollector
from .deep import depths_of
from .flat_files import candidates_of


class DownloadCollector(ClassCollector):
    """Gathers the submissions of platforms' downloads."""

    layout: str | None

    def _download(self, path: Path, entries: Mapping[str, int]) -> Download | None:
        return read_download(Listing(path, entries, self.stems), self.layout) if self.student is None else None

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
        attempts = attempts_of(download.handed)
        older: defaultdict[str, list[StudentAttempts]] = defaultdict(list)
        for each in attempts:
            if each.older:
                older[each.student].append(each)
        handed, strange = [one for each in attempts for one in each.newest], download.rest
        # A name that is only close to an assignment's gives way to the one that is asked for.
        meant = self.names.begun if self.assignment else self.names.meant
        by_name: dict[str, Sequence[str | None]] = {}
        for one in handed:
            own = meant(one.stem)
            by_name[one.name] = [own] if own else self._in_it(path, one)
        ids = {id for some in by_name.values() for id in some}
        only = self.assignment or (next(iter(ids)) if len(ids) == 1 else None)
        if strange:
            said = f"Whose {first_names(strange)} in the download is, no name says, so nothing of it was graded."
            self.warnings.append(said)
        by_student: dict[str, dict[str | None, list[HandedIn]]] = {}
        for one in handed:
            for id in by_name[one.name] or [only]:
                by_student.setdefault(one.student, {}).setdefault(id, []).append(one)
        for student, mine in by_student.items():
            if fault := name_fault(student):
                self.warnings.append(name_refusal(student, fault))
                continue
            self.students.setdefault(student, path)
            for id in sorted(set(filter(None, mine)) & set(self.wanted)):
                taken = candidates_of(path, mine[id], self.stems[id], self.names.meant_file)
                self.add(student, id, path / mine[id][0].name, taken, mine[id][0].when)
            for each in older[student]:
                of_it = {own for one in each.newest for own in by_name[one.name] or [only]}
                new = [(student, id) for id in self.wanted if id in of_it and (student, id) in self.found]
                self._name_older(each, new, wanted=True)
            names = [one.name for id, some in mine.items() if id not in self.wanted for one in some]
            if names and self.assignment:
                self.warnings.append(
                    f"{name_shown(student)} handed in {first_names(names)}, which has the name of another assignment "
                    f"than {self.assignment}, so it was not graded. Look what it is; grade it by itself if it is right."
                )
            elif names:
                self.warnings.append(unknown_names(student, names, self.stems))

    def _taken_as_download(self, path: Path, entries: Mapping[str, int], download: Download) -> bool:
        handed, strange = download.handed, self._strange(path, entries, download.rest)
        if not strange:
            self.take_download(path, download)
        elif len({one.student for one in handed}) > 1:
            found = (
                f"The folder {quoted_path(path)} looks like a download of all submissions, since it holds "
                f"{first_names(one.name for one in handed)}, but whose {first_names(strange)} is, no name says."
            )
            hint = "Move the latter out of the folder, or say with --student whose folder it is."
            raise UsageError("A class or one student's folder was looked for.", found, hint)
        return not strange

    def _students_in(self, path: Path, entries: Mapping[str, int]) -> list[str]:
        """Return the folders inside that look like students'."""
        others = [name for name in entries if name not in self.stems and not self.names.close(name)]
        return [name for name in others if self.names.are_students(path, {name: entries[name]})]

    def _strange(self, path: Path, entries: Mapping[str, int], strange: Iterable[str]) -> list[str]:
        """Return the entries of a download that are somebody's work but whose names do not say whose."""
        students = self._students_in(path, {name: entries[name] for name in strange})
        return [name for name in strange if name in programs(entries) or name in students]

    def _in_it(self, path: Path, one: HandedIn) -> list[str]:
        """Return the wanted assignments whose files are in a folder or zip file."""
        if kind_of(one.mode) != "a folder" and not (kind_of(one.mode) is None and is_zip(one.file)):
            return []
        return self.names.loose({found.name: 0 for found in depths_of([path / one.name]).programs})
