"""Takes what one student's folder holds: assignments' folders, files beside each other, or both."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from grader.submissions.possible_work import programs
from grader.system.folder_listing import kind_of
from grader.text import name_shown

from .candidates import Candidates, candidates_in
from .collector import SubmissionCollector
from .sibling_files import wrapped_of


class StudentFolderCollector(SubmissionCollector):
    """Gathers the submissions of students' folders."""

    def take_student(self, student: str, folder: Path, entries: Mapping[str, int]) -> None:
        """Take all that a student's folder holds."""
        for id in self.wanted:
            if id in entries:
                self.take_assignment(student, id, folder / id, entries[id])
        for id in self.names.loose(entries):
            if id not in entries:
                self._take_file(student, id, folder)
            elif not (empty := self.found[student, id]).files:
                del self.found[student, id]
                self._take_file(student, id, folder, (f"In the folder {id}: {empty.problem}",), empty.beside)
        for name, mode in entries.items():
            near = self.names.close(name) if kind_of(mode) == "a folder" else None
            if near is not None and near in self.wanted and (student, near) not in self.found:
                problem = f"The folder is named {name_shown(name)}, which is not an assignment. Name it {near}."
                self.add(student, near, folder, Candidates(problem=problem, mentioned=(name,)))
        self._take_other_names(student, folder, entries)
        if entries and not self.of(student) and not self.names.known_in(entries):
            self.unnamed[student] = (folder, entries)
        else:
            self.name_the_rest(student, folder, entries)

    def take_assignment(self, student: str, id: str, path: Path, mode: int) -> None:
        """Take what is in the place of an assignment's folder."""
        kind = kind_of(mode) or "a file"
        if kind == "a folder":
            self.add(student, id, path, candidates_in(path, self.stems[id], given=self.names.given.get(id, ())))
            return
        problem = f"The folder {id} was looked for, but in its place there is {kind}. Hand in the folder itself."
        self.add(student, id, path, Candidates(problem=problem))

    def _take_other_names(self, student: str, folder: Path, entries: Mapping[str, int]) -> None:
        """Take files whose name is close to an assignment's."""
        for name in programs(entries):
            near = self.names.meant(Path(name).stem)
            if near in self.wanted and near not in entries and (student, near) not in self.found:
                self._take_file(student, near, folder)
        for id, wrapped in wrapped_of(folder, entries, self.names).items():
            if id in self.wanted and id not in entries and (student, id) not in self.found:
                self.add(student, id, folder, wrapped)

    def _take_file(
        self, student: str, id: str, folder: Path, notes: tuple[str, ...] = (), beside: tuple[str, ...] = ()
    ) -> None:
        """Take an assignment's file that is directly in a student's folder."""
        taken = candidates_in(folder, self.stems[id], self.names.meant_file, self.names.given.get(id, ()))
        more = msgspec.structs.replace(taken, notes=(*notes, *taken.notes), beside=(*taken.beside, *beside))
        self.add(student, id, folder, more)
