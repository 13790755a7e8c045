"""Finds the submissions under the paths that a teacher names, whatever shape those have.

A path is a class (`<student>/<assignment>/<file>`, nbgrader's `submitted/` shape; or what a platform packs), one
student's folder, one assignment's folder or one file. Whatever was handed in gets an entry, also when it can't be
graded: its report is the only place where the student learns why. A path in which there is nothing to grade is the
teacher's mistake, so it is an error.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.submissions.names import name_fault, name_refusal
from grader.submissions.path_errors import (
    SHAPES,
    ambiguous,
    both_shapes,
    mixed_download,
    no_program,
    nothing_known,
    quoted_path,
    several_attempts,
)
from grader.submissions.possible_work import programs
from grader.submissions.submission import FoundSubmissions
from grader.system.folder_listing import SUFFIXES, entries_of, is_hidden, kind_of
from grader.text import name_shown, same_name_key

from .assignment_names import AssignmentNames
from .candidates import Candidates, candidates_in
from .class_folder import ClassCollector
from .downloads import by_student, canvas_download

TOOLS = (".git", ".ipynb_checkpoints", ".Trash")  # folders that hold copies of files and are nobody's
COPY = re.compile(r"-Copy\d+$")  # Jupyter's own name for a copy, made by whom the file belongs to


class _SubmissionFinder(ClassCollector):
    """Finds out what each path is, and gathers what is under it."""

    def __init__(self, names: AssignmentNames, student: str | None) -> None:
        super().__init__(names)
        self.student = student
        self.alone = False
        if student is not None and (fault := name_fault(student)):
            raise UsageError(f"The student's name {name_shown(student)} {fault}.", hint="Give another --student.")

    def take_all(self, paths: Sequence[Path]) -> None:
        """Take paths; those of one folder together where they are a class, so that `class/*` is what `class` is."""
        self.alone = len(paths) == 1
        beside: dict[Path, list[Path]] = {}
        for path in paths:
            beside.setdefault(absolute(path).parent, []).append(path)
        for parent, some in beside.items():
            if not self._taken_as_class(parent, [absolute(path).name for path in some]):
                for path in some:
                    self.take(path)

    def _taken_as_class(self, parent: Path, names: Sequence[str]) -> bool:
        if self.student is not None or len(set(names)) < max(len(names), 2):
            return False
        try:
            entries = entries_of(parent)
        except OSError:
            return False
        chosen = {name: entries[name] for name in entries if name in names}
        if len(chosen) < len(names) or any(id in chosen for id in self.stems):
            return False
        if (download := canvas_download(chosen)) and not self._strange(parent, chosen, download.strange):
            self.take_download(parent, download)
        elif self.names.are_students(parent, chosen) and not self.names.loose(chosen):
            self.take_class(parent, chosen)
        else:
            return False
        return True

    def take(self, path: Path) -> None:
        """Find out what a path is and gather what it holds."""
        try:
            mode = os.lstat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            raise UsageError("Submissions were looked for.", f"There is no {quoted_path(path)}.", SHAPES) from None
        except (OSError, ValueError) as problem:
            raise UsageError(f"{quoted_path(path)} could not be looked at: {problem}.", hint=SHAPES) from None
        kind = kind_of(mode)
        if kind is None:
            self._file(path)
        elif kind == "a folder":
            self._folder(path)
        else:
            hint = "Links are not followed; give the path that it leads to." if "link" in kind else SHAPES
            raise UsageError("A file or a folder was looked for.", f"{quoted_path(path)} is {kind}.", hint)

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
            every = entries_of(path, hidden=True)
        except OSError as problem:
            raise UsageError(f"The folder {quoted_path(path)} could not be read: {problem.strerror}.") from None
        entries = {name: mode for name, mode in every.items() if not is_hidden(name)}
        if not entries:
            raise UsageError("Submissions were looked for.", f"The folder {quoted_path(path)} is empty.", SHAPES)
        if self.student is None and (handed := canvas_download(entries)):
            strange = self._strange(path, entries, handed.strange)
            if not strange:
                self.take_download(path, handed)
                return
            if len(by_student(handed.handed)) > 1:
                raise mixed_download(path, [one.name for one in handed.handed], strange)
        place = absolute(path)
        self._refuse_two_shapes(path, entries)
        misspelt = self.names.misspelt(entries) or (self.student is None and self.names.close(place.name))
        if any(id in entries for id in self.stems):
            self._student_alone(path, entries)
        elif place.name in self.stems and (self.names.loose(entries) or not self.names.are_students(path, entries)):
            self._assignment_alone(path, place, entries)
        elif misspelt and not self.names.students_beside(path, entries):
            raise nothing_known(path, entries, self.names.nearest([place.name, *entries]), self.assignment)
        elif self.names.loose(entries):
            self._student_alone(path, entries)
        elif self.names.are_students(path, entries):
            self.take_class(path, entries)
            self._refuse_hidden(path, every)
        elif self.assignment and programs(entries):
            self._refuse_a_class_beside(path, entries)
            self._refuse_several(path, [self.assignment], entries)
            given = self.names.given.get(self.assignment, ())
            taken = candidates_in(path, self.stems[self.assignment], self.names.meant_file, given)
            student = self._one_student(place, path)
            self.add(student, self.assignment, path, taken)
            self.name_the_rest(student, path, entries)
        else:
            raise nothing_known(path, entries, self.names.nearest([place.name, *entries]), self.assignment)

    def _refuse_two_shapes(self, path: Path, entries: Mapping[str, int]) -> None:
        """Refuse a folder that may be one student's and a class too, where all but one would go unseen."""
        loose = [f"{self.stems[id]}.py" for id in self.names.loose(entries)]
        mine = [id for id in self.stems if id in entries] or loose
        if self.student is not None or not mine or absolute(path).name in self.stems:
            return
        students = self._students_in(path, entries)
        if students and not self._is_in_a_class(absolute(path), len(students)):
            raise both_shapes(path, mine, students)

    def _is_in_a_class(self, place: Path, inside: int) -> bool:
        """Return whether a folder is a student's by what is beside it, so that a folder inside is a backup.

        All else there are students' folders; or nothing else is, and a class inside would have one student only.
        """
        try:
            beside = {name: mode for name, mode in entries_of(place.parent).items() if name != place.name}
        except OSError:
            return False
        return len(self._students_in(place.parent, beside)) == len(beside) and (bool(beside) or inside == 1)

    def _students_in(self, path: Path, entries: Mapping[str, int]) -> list[str]:
        """Return the folders inside that look like students'."""
        others = {name: mode for name, mode in entries.items() if name not in self.stems and not self.names.close(name)}
        return [name for name, mode in others.items() if self.names.are_students(path, {name: mode})]

    def _refuse_several(self, path: Path, ids: Iterable[str], entries: Mapping[str, int]) -> None:
        """Refuse several files of one assignment that may be one student's attempts or several students' work."""
        for id in ids:
            mine = [name for name in programs(entries) if self.names.begun(Path(name).stem) == id]
            names = {same_name_key(COPY.sub("", Path(name).stem)) for name in mine}
            if len(names) > 1 and self.student is None:
                raise several_attempts(path, mine, self.stems[id])

    def _strange(self, path: Path, entries: Mapping[str, int], strange: Iterable[str]) -> list[str]:
        """Return the entries of a download that are somebody's work but whose names do not say whose."""
        students = self._students_in(path, {name: entries[name] for name in strange})
        return [name for name in strange if name in programs(entries) or name in students]

    def _refuse_hidden(self, path: Path, entries: Mapping[str, int]) -> None:
        """Name the students whose folders begin with a dot."""
        for name, mode in entries.items():
            hidden = name.startswith(".") and not name.startswith(TOOLS)
            if hidden and self.names.are_students(path, {name: mode}):
                self.warnings.append(name_refusal(name, "begins with a dot, which hides it"))

    def _refuse_a_class_beside(self, path: Path, entries: Mapping[str, int]) -> None:
        """Refuse a folder with programs of any name, beside which there are folders with programs."""
        folders = {name: mode for name, mode in entries.items() if kind_of(mode)}
        students = [name for name, mode in folders.items() if self.names.are_students(path, {name: mode})]
        if self.student is None and students:
            raise both_shapes(path, list(programs(entries)), students)

    def _assignment_alone(self, path: Path, place: Path, entries: Mapping[str, int]) -> None:
        if place.name not in self.wanted:
            found = (
                f"The folder {quoted_path(path)} is assignment {place.name}, but --assignment says {self.assignment}."
            )
            raise UsageError("One assignment's folder was looked for.", found, "Leave one of the two out.")
        if self.alone:  # where several are given, each is in its student's folder
            self._refuse_several(path, [place.name], entries)
        taken = candidates_in(path, self.stems[place.name], given=self.names.given.get(place.name, ()))
        self.add(self._one_student(place.parent, path), place.name, path, taken)

    def _student_alone(self, path: Path, entries: Mapping[str, int]) -> None:
        self._refuse_several(path, self.wanted, entries)
        student = self._one_student(absolute(path), path)
        before = len(self.found)
        self.take_student(student, path, entries)
        if len(self.found) == before:
            found = f"The folder {quoted_path(path)} holds nothing for it."
            raise UsageError(f"A submission for {self.assignment} was looked for.", found, "Try another --assignment.")

    def _one_student(self, owner: Path, path: Path) -> str:
        name = self.student if self.student is not None else owner.name
        if fault := name_fault(name):
            found = f"The student's name {name_shown(name)}, taken from the path {quoted_path(path)}, {fault}."
            raise UsageError(found, hint="Say whose it is with --student.")
        self.new_student(name, path)
        return name


def absolute(path: Path) -> Path:
    """Return where a path is by its names alone; links on the way stay what the teacher wrote."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow them


def find_submissions(
    paths: Sequence[Path], *, assignments: Mapping[str, str], assignment: str | None = None, student: str | None = None,
    given: Mapping[str, Iterable[str]] | None = None,
) -> FoundSubmissions:  # fmt: skip
    """Find what is to be graded.

    Args:
        paths: Classes, students' folders, assignments' folders and files, in any mixture.
        assignments: The file name without suffix by assignment id (`01_simple_attention` -> `simple_attention`).
        assignment: The one assignment to grade, by id or file name; None for all.
        student: Whose the path is, where its place does not say so.
        given: The names of the files that the course gave out, by assignment id; they are not student's work.

    Raises:
        UsageError: A path is missing, empty, a link, no submission, or doesn't tell its assignment or its student; two
            paths hold the same student's same assignment; the assignment is unknown; a class came with a student.
    """
    finder = _SubmissionFinder(AssignmentNames(assignments, assignment, given), student)
    finder.take_all([Path(path) for path in paths])
    return finder.finish()
