"""Finds the submissions under the paths that a teacher names, whatever shape those have.

A path is a class (`<student>/<assignment>/<file>`, nbgrader's `submitted/` shape; or what Canvas packs), one student's
folder, one assignment's folder or one file. Whatever was handed in gets an entry, also when it can't be graded: its
report is the only place where the student learns why. What a path named by hand lacks is a mistake in its use and an
error instead.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.results.text import name_shown, same_name_key

from .assignment_names import Names
from .beside import beside_class, left_over, online_text, wrapped_of
from .downloads import Download, Handed, by_student, candidates_of, canvas_download
from .folder import SUFFIXES, Candidates, candidates_in, entries_of, kind_of, programs
from .gathered import Gathered
from .names import fault_of_name, refusal
from .refused import (
    SHAPES,
    ambiguous,
    beside_note,
    both_shapes,
    mixed_download,
    no_program,
    nothing_known,
    other_names,
    shown,
    strange_files,
    taken_for_a_student,
    unknown_names,
)
from .submission import Found

EARLIER_REPORTS = {"for-students", "summary.json"}  # the output of an earlier run, written into the class


class _Finder(Gathered):
    """Finds out what each path is, and gathers what lies under it."""

    def __init__(self, assignments: Mapping[str, str], assignment: str | None, student: str | None) -> None:
        super().__init__(Names(assignments, assignment))
        self.student = student
        if student is not None and (fault := fault_of_name(student)):
            raise UsageError(f"The student's name {name_shown(student)} {fault}.", hint="Give another --student.")

    def take(self, path: Path) -> None:
        """Find out what a path is and gather what it holds."""
        try:
            mode = os.lstat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            raise UsageError("Submissions were looked for.", f"There is no {shown(path)}.", SHAPES) from None
        except (OSError, ValueError) as problem:
            raise UsageError(f"{shown(path)} could not be looked at: {problem}.", hint=SHAPES) from None
        kind = kind_of(mode)
        if kind is None:
            self._file(path)
        elif kind == "a folder":
            self._folder(path)
        else:
            hint = "Links are not followed; give the path that it leads to." if "link" in kind else SHAPES
            raise UsageError("A file or a folder was looked for.", f"{shown(path)} is {kind}.", hint)

    def _file(self, path: Path) -> None:
        if path.suffix.lower() not in SUFFIXES:
            raise no_program(path)
        parent = absolute(path).parent
        by_stem = [id for id in self.wanted if same_name_key(self.stems[id]) == same_name_key(path.stem)]
        by_folder = [parent.name] if parent.name in self.wanted else []
        fitting = [self.assignment] if self.assignment else by_folder or by_stem
        if len(fitting) != 1 or fitting[0] is None:
            raise ambiguous(path, fitting, self.stems)
        owner = parent.parent if parent.name in self.stems else parent
        self.add(self._one_student(owner, path), fitting[0], path, Candidates(files=(path,)))

    def _folder(self, path: Path) -> None:
        try:
            entries = entries_of(path)
        except OSError as problem:
            raise UsageError(f"The folder {shown(path)} could not be read: {problem.strerror}.") from None
        if not entries:
            raise UsageError("Submissions were looked for.", f"The folder {shown(path)} is empty.", SHAPES)
        if self.student is None and (handed := canvas_download(entries)):
            strange = [name for name in handed.strange if name in programs(entries)]
            if not strange:
                self._download(path, handed)
                return
            if len(by_student(handed.handed)) > 1:
                raise mixed_download(path, [one.name for one in handed.handed], strange)
        place = absolute(path)
        self._refuse_two_shapes(path, entries)
        misspelt = self.names.misspelt(entries) or (self.student is None and self.names.close(place.name))
        if any(id in entries for id in self.stems):
            self._student_alone(path, entries)
        elif place.name in self.stems and (self.names.loose(entries) or not self.names.are_students(path, entries)):
            self._assignment_alone(path, place)
        elif misspelt and not self.names.students_beside(path, entries):
            raise nothing_known(path, entries, self.names.nearest([place.name, *entries]), self.assignment)
        elif self.names.loose(entries):
            self._student_alone(path, entries)
        elif self.names.are_students(path, entries):
            self._class(path, entries)
        elif self.assignment and any(entry.lower().endswith(SUFFIXES) for entry in entries):
            self._refuse_a_class_beside(path, entries)
            taken = candidates_in(path, self.stems[self.assignment], self.names.meant_file)
            self.add(self._one_student(place, path), self.assignment, path, taken)
        else:
            raise nothing_known(path, entries, self.names.nearest([place.name, *entries]), self.assignment)

    def _refuse_two_shapes(self, path: Path, entries: Mapping[str, int]) -> None:
        """Refuse a folder that may be one student's and a class too, where all but one would go unseen."""
        loose = [f"{self.stems[id]}.py" for id in self.names.loose(entries)]
        mine = [id for id in self.stems if id in entries] or loose
        if self.student is not None or not mine or absolute(path).name in self.stems:
            return
        others = {name: mode for name, mode in entries.items() if name not in self.stems and not self.names.close(name)}
        students = [name for name, mode in others.items() if self.names.are_students(path, {name: mode})]
        if students:
            raise both_shapes(path, mine, students)

    def _refuse_a_class_beside(self, path: Path, entries: Mapping[str, int]) -> None:
        """Refuse a folder with programs of any name, beside which there are folders with programs."""
        folders = {name: mode for name, mode in entries.items() if kind_of(mode)}
        students = [name for name, mode in folders.items() if self.names.are_students(path, {name: mode})]
        if self.student is None and students:
            raise both_shapes(path, list(programs(entries)), students)

    def _download(self, path: Path, download: Download) -> None:
        """Take a folder in which everybody's files lie side by side."""
        told = {one.name: self._told(one.stem) for one in download.handed}
        ids = {id for id in told.values() if id is not None}
        only = self.assignment or (next(iter(ids)) if len(ids) == 1 else None)
        if download.strange:
            self.warnings.append(strange_files(download.strange))
        for student, files in by_student(download.handed).items():
            self.new_student(student, path)
            mine: dict[str | None, list[Handed]] = {}
            for one in files:
                mine.setdefault(told[one.name] or only, []).append(one)
            for id in sorted(set(filter(None, mine)) & set(self.wanted)):
                self.add(student, id, path / mine[id][0].name, candidates_of(path, mine[id], self.stems[id]))
            names = [one.name for id, some in mine.items() if id not in self.wanted for one in some]
            if names and self.assignment:
                self.warnings.append(other_names(student, names, self.assignment))
            elif names:
                self.warnings.append(unknown_names(student, names, self.stems))

    def _told(self, stem: str) -> str | None:
        """Return the assignment that the name of a downloaded file says; one that is only close to a name gives way."""
        return self.names.begun(stem) if self.assignment else self.names.meant(stem)

    def _assignment_alone(self, path: Path, place: Path) -> None:
        if place.name not in self.wanted:
            found = f"The folder {shown(path)} is assignment {place.name}, but --assignment says {self.assignment}."
            raise UsageError("One assignment's folder was looked for.", found, "Leave one of the two out.")
        taken = candidates_in(path, self.stems[place.name])
        self.add(self._one_student(place.parent, path), place.name, path, taken)

    def _student_alone(self, path: Path, entries: Mapping[str, int]) -> None:
        student = self._one_student(absolute(path), path)
        before = len(self.found)
        self._student(student, path, entries)
        if len(self.found) == before:
            found = f"The folder {shown(path)} holds nothing for it."
            raise UsageError(f"A submission for {self.assignment} was looked for.", found, "Try another --assignment.")

    def _class(self, path: Path, entries: Mapping[str, int]) -> None:
        if self.student is not None:
            inside = path / self.student
            hint = f"Give the student's own folder: {shown(inside)}." if self.student in entries else ""
            found = f"{shown(path)} is a class, and --student names the owner of one student's folder or file."
            raise UsageError("One student's submission was looked for.", found, hint)
        self.warnings += beside_class(entries)
        for name, mode in entries.items():
            kind = kind_of(mode)
            if kind is None:
                continue
            if typed := online_text(name, entries):
                self.warnings.append(typed)
                continue
            if fault := fault_of_name(name):
                self.warnings.append(refusal(name, fault))
                continue
            if kind != "a folder":
                self.new_student(name, path / name)
                self.unlistable[name] = f"In place of the student's folder there is {kind}, so nothing in it was read."
                continue
            try:
                within = entries_of(path / name)
            except OSError as problem:
                self.new_student(name, path / name)
                self.unlistable[name] = f"The student's folder could not be read: {problem.strerror}."
                continue
            if not within.keys() >= EARLIER_REPORTS:
                self.new_student(name, path / name)
                self._student(name, path / name, within)
                if (near := self.names.close(name)) and not any(id in within for id in self.stems):
                    self.warnings.append(taken_for_a_student(name, near))

    def _student(self, student: str, folder: Path, entries: Mapping[str, int]) -> None:
        for id in self.wanted:
            if id in entries:
                self._assignment(student, id, folder / id, entries[id])
        for id in self.names.loose(entries):
            if id not in entries:
                self.add(student, id, folder, candidates_in(folder, self.stems[id], self.names.meant_file))
        for name, mode in entries.items():
            near = self.names.close(name) if kind_of(mode) == "a folder" else None
            if near is not None and near in self.wanted and (student, near) not in self.found:
                problem = f"The folder is named {name_shown(name)}, which is no assignment. Name it {near}."
                self.add(student, near, folder, Candidates(problem=problem, told=(name,)))
        self._other_names(student, folder, entries)

    def _other_names(self, student: str, folder: Path, entries: Mapping[str, int]) -> None:
        """Take files whose name is close to an assignment's; remember a student of whom nothing else is there."""
        for name in programs(entries):
            near = self.names.meant(Path(name).stem)
            if near in self.wanted and near not in entries and (student, near) not in self.found:
                self.add(student, near, folder, candidates_in(folder, self.stems[near], self.names.meant_file))
        for id, wrapped in wrapped_of(entries, self.names).items():
            if id in self.wanted and id not in entries and (student, id) not in self.found:
                self.add(student, id, folder, wrapped)
        mine = self.of(student)
        if entries and not mine and not self.names.known_in(entries):
            self.unnamed[student] = (folder, entries)
            return
        if left := left_over(folder, entries, self.told[folder], self.names):
            self.left[student] = left
            for one in mine:
                noted = (*one.notes, beside_note(left))
                self.found[student, one.assignment] = msgspec.structs.replace(one, notes=noted)

    def _assignment(self, student: str, id: str, path: Path, mode: int) -> None:
        kind = kind_of(mode) or "a file"
        if kind == "a folder":
            self.add(student, id, path, candidates_in(path, self.stems[id]))
            return
        problem = f"The folder {id} was looked for, but in its place there is {kind}. Hand in the folder itself."
        self.add(student, id, path, Candidates(problem=problem))

    def _one_student(self, owner: Path, path: Path) -> str:
        name = self.student if self.student is not None else owner.name
        if fault := fault_of_name(name):
            found = f"The student's name {name_shown(name)}, taken from where {shown(path)} lies, {fault}."
            raise UsageError(found, hint="Say whose it is with --student.")
        self.new_student(name, path)
        return name


def absolute(path: Path) -> Path:
    """Return where a path lies by its names alone; links on the way stay what the teacher wrote."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow them


def find_submissions(
    paths: Sequence[Path], *, assignments: Mapping[str, str], assignment: str | None = None, student: str | None = None
) -> Found:
    """Find what is to be graded.

    Args:
        paths: Classes, students' folders, assignments' folders and files, in any mixture.
        assignments: The file name without suffix by assignment id (`01_simple_attention` -> `simple_attention`).
        assignment: The one assignment to grade, by id or file name; None for all.
        student: Whose the path is, where its place does not say so.

    Raises:
        UsageError: A path is missing, empty, a link, no submission, or doesn't tell its assignment or its student; two
            paths hold the same student's same assignment; the assignment is unknown; a class came with a student.
    """
    finder = _Finder(assignments, assignment, student)
    for path in paths:
        finder.take(Path(path))
    return finder.finish()
