"""Finds the submissions under the paths that a teacher names, whatever shape those have.

A path is a class (`<student>/<assignment>/<file>`, nbgrader's `submitted/` shape), one student's folder, one
assignment's folder or one file. Whatever was handed in gets an entry, also when it can't be graded: its report is the
only place where the student learns why. What a path named by hand lacks is a mistake in its use and an error instead.
"""

import difflib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.results.text import name_shown, same_name_key

from .folder import SUFFIXES, Candidates, candidates_in, entries_of, kind_of, wanted_names
from .names import collision_refusal, collisions, fault_of_name, refusal
from .submission import Found, Submission

SHAPES = "Give a class (student/assignment/file), one student's folder, one assignment's folder or one file."
CLOSE = 0.8
EARLIER_REPORTS = {"for-students", "summary.json"}  # the output of an earlier run, written into the class


class _Finder:
    """Gathers what lies under the paths."""

    def __init__(self, assignments: Mapping[str, str], assignment: str | None, student: str | None) -> None:
        self.stems = dict(assignments)
        self.nearest: dict[str, str | None] = {}
        self.assignment = None if assignment is None else self._known(assignment)
        self.wanted = [self.assignment] if self.assignment else sorted(self.stems)
        self.student = student
        self.found: dict[tuple[str, str], Submission] = {}
        self.origin: dict[tuple[str, str], Path] = {}
        self.students: dict[str, Path] = {}
        self.unlistable: dict[str, str] = {}
        self.warnings: list[str] = []
        if student is not None and (fault := fault_of_name(student)):
            raise UsageError(f"The student's name {name_shown(student)} {fault}.", hint="Give another --student.")

    def _known(self, name: str) -> str:
        if name in self.stems:
            return name
        by_stem = [id for id, stem in self.stems.items() if stem == name]
        if len(by_stem) == 1:
            return by_stem[0]
        near = self.near(name)
        known = ", ".join(sorted(self.stems))
        hint = f"Did you mean {near}?" if near else f"The assignments are: {known}."
        raise UsageError("An assignment of this course was looked for.", f"There is no {name_shown(name)}.", hint)

    def near(self, name: str) -> str | None:
        """Return the assignment whose id or file name is close to a name."""
        if name not in self.nearest:
            names = {same_name_key(word): id for id, stem in self.stems.items() for word in (stem, id)}
            close = difflib.get_close_matches(same_name_key(name), names, 1, CLOSE)
            self.nearest[name] = names[close[0]] if close else None
        return self.nearest[name]

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
            raise UsageError("A .py or .ipynb file was looked for.", f"{shown(path)} is another kind of file.", SHAPES)
        parent = absolute(path).parent
        by_stem = [id for id in self.wanted if same_name_key(self.stems[id]) == same_name_key(path.stem)]
        by_folder = [parent.name] if parent.name in self.wanted else []
        fitting = [self.assignment] if self.assignment else by_folder or by_stem
        if len(fitting) != 1 or fitting[0] is None:
            raise self._ambiguous(path, fitting)
        owner = parent.parent if parent.name in self.stems else parent
        self._add(self._one_student(owner, path), fitting[0], path, Candidates(files=(path,)))

    def _folder(self, path: Path) -> None:
        try:
            entries = entries_of(path)
        except OSError as problem:
            raise UsageError(f"The folder {shown(path)} could not be read: {problem.strerror}.") from None
        if not entries:
            raise UsageError("Submissions were looked for.", f"The folder {shown(path)} is empty.", SHAPES)
        place = absolute(path)
        misspelt = self._misspelt(entries) or (self.student is None and self._close(place.name))
        if any(id in entries for id in self.stems):
            self._student_alone(path, entries)
        elif place.name in self.stems and (self._loose(entries) or not self._class_shape(path, entries)):
            self._assignment_alone(path, place)
        elif misspelt and not self._class_beside(path, entries):
            raise self._nothing(path, entries)
        elif self._loose(entries):
            self._student_alone(path, entries)
        elif self._class_shape(path, entries):
            self._class(path, entries)
        elif self.assignment and any(entry.lower().endswith(SUFFIXES) for entry in entries):
            taken = candidates_in(path, self.stems[self.assignment])
            self._add(self._one_student(place, path), self.assignment, path, taken)
        else:
            raise self._nothing(path, entries)

    def _assignment_alone(self, path: Path, place: Path) -> None:
        if place.name not in self.wanted:
            found = f"The folder {shown(path)} is assignment {place.name}, but --assignment says {self.assignment}."
            raise UsageError("One assignment's folder was looked for.", found, "Leave one of the two out.")
        taken = candidates_in(path, self.stems[place.name])
        self._add(self._one_student(place.parent, path), place.name, path, taken)

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
        for name, mode in entries.items():
            kind = kind_of(mode)
            if kind is None:
                continue
            if fault := fault_of_name(name):
                self.warnings.append(refusal(name, fault))
                continue
            if kind != "a folder":
                self._new_student(name, path / name)
                self.unlistable[name] = f"In place of the student's folder there is {kind}, so nothing in it was read."
                continue
            try:
                within = entries_of(path / name)
            except OSError as problem:
                self._new_student(name, path / name)
                self.unlistable[name] = f"The student's folder could not be read: {problem.strerror}."
                continue
            if not within.keys() >= EARLIER_REPORTS:
                self._new_student(name, path / name)
                self._student(name, path / name, within)
                if (near := self._close(name)) and not any(id in within for id in self.stems):
                    self.warnings.append(_taken_for_a_student(name, near))

    def _student(self, student: str, folder: Path, entries: Mapping[str, int]) -> None:
        for id in self.wanted:
            if id in entries:
                self._assignment(student, id, folder / id, entries[id])
        for id in self._loose(entries):
            if id not in entries:
                self._add(student, id, folder, candidates_in(folder, self.stems[id], self.stems.values()))
        for name, mode in entries.items():
            near = self._close(name) if kind_of(mode) else None
            if near is not None and near in self.wanted and (student, near) not in self.found:
                problem = f"The folder is named {name_shown(name)}, which is no assignment. Name it {near}."
                self._add(student, near, folder, Candidates(problem=problem))

    def _assignment(self, student: str, id: str, path: Path, mode: int) -> None:
        kind = kind_of(mode) or "a file"
        if kind == "a folder":
            self._add(student, id, path, candidates_in(path, self.stems[id]))
            return
        problem = f"The folder {id} was looked for, but in its place there is {kind}. Hand in the folder itself."
        self._add(student, id, path, Candidates(problem=problem))

    def _loose(self, entries: Mapping[str, int]) -> list[str]:
        """Return the wanted assignments whose file lies directly among some entries."""
        return [id for id in self.wanted if any(self.stems[id] + suffix in entries for suffix in SUFFIXES)]

    def _close(self, name: str) -> str | None:
        """Return the assignment that a name is close to without being it."""
        return None if name in self.stems else self.near(name)

    def _misspelt(self, entries: Mapping[str, int]) -> bool:
        return any(kind_of(mode) and self._close(name) for name, mode in entries.items())

    def _class_beside(self, path: Path, entries: Mapping[str, int]) -> bool:
        """Tell whether some folder looks like a student's and not like a misspelt assignment."""
        return self._class_shape(path, {name: mode for name, mode in entries.items() if not self._close(name)})

    def _class_shape(self, path: Path, entries: Mapping[str, int]) -> bool:
        """Tell whether some folder inside looks like a student's."""
        for name, mode in entries.items():
            if kind_of(mode) != "a folder":
                continue
            try:
                inside = entries_of(path / name)
            except OSError:
                continue
            if any(id in inside for id in self.stems) or self._loose(inside) or self._misspelt(inside):
                return True
        return False

    def _one_student(self, owner: Path, path: Path) -> str:
        name = self.student if self.student is not None else owner.name
        if fault := fault_of_name(name):
            found = f"The student's name {name_shown(name)}, taken from where {shown(path)} lies, {fault}."
            raise UsageError(found, hint="Say whose it is with --student.")
        self._new_student(name, path)
        return name

    def _new_student(self, name: str, path: Path) -> None:
        self.students.setdefault(name, path)

    def _add(self, student: str, id: str, path: Path, candidates: Candidates) -> None:
        key = (student, id)
        if key in self.found:
            found = f"{shown(self.origin[key])} and {shown(path)} both are {name_shown(student)}'s {id}."
            raise UsageError("One submission a student and assignment was looked for.", found, "Give one of the two.")
        self.origin[key] = path
        self.found[key] = Submission(
            student, id, candidates.files, candidates.problem, candidates.notes, candidates.others
        )

    def _ambiguous(self, path: Path, fitting: Sequence[str | None]) -> UsageError:
        which = " and ".join(str(id) for id in fitting) or "none"
        wanted = ", ".join(wanted_names(self.stems[id]) for id in sorted(self.stems)[:5])
        hint = f"Say which with --assignment, or name the file as the course does ({wanted})."
        return UsageError(f"{shown(path)} was looked at for its assignment.", f"Fitting by name: {which}.", hint)

    def _nothing(self, path: Path, entries: Mapping[str, int]) -> UsageError:
        near = self.near(absolute(path).name) or next(filter(None, map(self.near, entries)), None)
        hint = f"Did you mean {near}? {SHAPES}" if near else SHAPES
        held = ", ".join(name_shown(name, 40) for name in list(entries)[:5]) + (", ..." if len(entries) > 5 else "")
        return UsageError(
            "Submissions were looked for.", f"The folder {shown(path)} holds none of this course's: {held}.", hint
        )

    def finish(self) -> Found:
        """Return everything that was gathered, once the whole is known."""
        handed_in = {id for _, id in self.found}
        for student, problem in self.unlistable.items():
            for id in sorted(handed_in):
                self._add(student, id, self.students[student], Candidates(problem=problem))
            if not handed_in:
                self.warnings.append(f"{name_shown(student)}: {problem}")
        dropped: set[str] = set()
        for group in collisions(self.students):
            dropped.update(group)
            self.warnings.append(collision_refusal(group))
        kept = [self.found[key] for key in sorted(self.found) if key[0] not in dropped]
        if not kept and not self.warnings:
            which = f"Submissions for {self.assignment}" if self.assignment else "Submissions"
            raise UsageError(f"{which} were looked for.", "There is none.", SHAPES)
        return Found(kept, sorted(set(self.students) - dropped), self.warnings)


def _taken_for_a_student(name: str, near: str) -> str:
    found = f"The folder {name_shown(name)} was taken for a student's, though its name is close to {near}."
    return f"{found} Look whose it is, and rename it."


def absolute(path: Path) -> Path:
    """Return where a path lies by its names alone; links on the way stay what the teacher wrote."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow them


def shown(path: Path) -> str:
    """Return a path as it may stand in a sentence."""
    return name_shown(str(path), 200)


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
