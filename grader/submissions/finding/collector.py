"""Holds what was found under the paths so far, and makes the whole of it at the end."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.submissions.names import collision_refusal, collisions
from grader.submissions.path_errors import SHAPES, quoted_path, unknown_names
from grader.submissions.possible_work import is_program
from grader.submissions.submission import FoundSubmissions, Submission
from grader.system.folder_listing import kind_of
from grader.text import name_shown

from .assignment_names import AssignmentNames
from .candidates import Candidates, candidates_in
from .sibling_files import beside_students, left_over


class SubmissionCollector:
    """Submissions and students.

    Args:
        names: The assignments.

    Attributes:
        found: Each submission by its student and assignment.
        origin: Where each of them is, for sentences.
        students: Each student, with the place that named them first.
        unlistable: Why nothing of a student could be read.
        unnamed: Students with something in their folder of which no name says which assignment it is.
        mentioned: By folder, the names in it of which a submission or its sentences speak.
        left: What a student handed in that no submission speaks of.
        warnings: What was left out, a sentence each.
        notes: What else there is to know, a sentence each.
    """

    def __init__(self, names: AssignmentNames) -> None:
        self.names = names
        self.stems, self.wanted, self.assignment = names.stems, names.wanted, names.assignment
        self.found: dict[tuple[str, str], Submission] = {}
        self.origin: dict[tuple[str, str], Path] = {}
        self.students: dict[str, Path] = {}
        self.unlistable: dict[str, str] = {}
        self.unnamed: dict[str, tuple[Path, Mapping[str, int]]] = {}
        self.mentioned: dict[Path, set[str]] = defaultdict(set)
        self.left: dict[str, list[str]] = {}
        self.warnings: list[str] = []
        self.notes: list[str] = []

    def new_student(self, name: str, path: Path) -> None:
        """Note a student, whether or not there is a submission."""
        self.students.setdefault(name, path)

    def of(self, student: str) -> list[Submission]:
        """Return what was found of a student so far."""
        return [self.found[student, id] for id in self.stems if (student, id) in self.found]

    def add(self, student: str, id: str, path: Path, candidates: Candidates) -> None:
        """Add a submission.

        Raises:
            UsageError: There is one of that student for that assignment.
        """
        key = (student, id)
        if key in self.found:
            found = f"{quoted_path(self.origin[key])} and {quoted_path(path)} both are {name_shown(student)}'s {id}."
            raise UsageError("One submission a student and assignment was looked for.", found, "Give one of the two.")
        self.origin[key] = path
        self.mentioned[path].update(candidates.mentioned)
        self.found[key] = Submission(
            student, id, candidates.files, candidates.problem, candidates.notes, candidates.others, candidates.beside
        )

    def name_the_rest(self, student: str, folder: Path, entries: Mapping[str, int]) -> None:
        """Name what else is in a student's folder in the submissions that it may be of."""
        left = left_over(folder, entries, self.mentioned[folder], self.names)
        mine = self.of(student)
        for one in mine:
            own = [name for name, meant in left.items() if meant in (None, one.assignment)]
            others = [name for name in own if is_program(name) and kind_of(entries[name]) is None]
            beside = [name for name in own if name not in others]
            self.found[student, one.assignment] = msgspec.structs.replace(
                one, others=(*one.others, *(folder / name for name in others)), beside=(*one.beside, *beside)
            )
        of_mine = {None, *(one.assignment for one in mine)} if mine else set()
        if unsaid := [name for name, meant in left.items() if meant not in of_mine]:
            self.left[student] = unsaid

    def finish(self) -> FoundSubmissions:
        """Return everything that was gathered, once the whole is known.

        Raises:
            UsageError: There is nothing, or one submission twice.
        """
        handed_in = {id for _, id in self.found}
        for student, problem in self.unlistable.items():
            for id in sorted(handed_in):
                self.add(student, id, self.students[student], Candidates(problem=problem))
            if not handed_in:
                self.warnings.append(f"{name_shown(student)}: {problem}")
        for student, (folder, entries) in self.unnamed.items():
            if len(handed_in) == 1 or self.assignment:
                (id,) = [self.assignment] if self.assignment else handed_in
                given = self.names.given.get(id, ())
                self.add(student, id, folder, candidates_in(folder, self.stems[id], self.names.meant_file, given))
                self.name_the_rest(student, folder, entries)
            else:
                self.warnings.append(unknown_names(student, entries, self.stems))
        dropped: set[str] = set()
        for group in collisions(self.students):
            dropped.update(group)
            self.warnings.append(collision_refusal(group))
        kept = [self.found[key] for key in sorted(self.found) if key[0] not in dropped]
        if not kept and not self.warnings:
            which = f"Submissions for {self.assignment}" if self.assignment else "Submissions"
            raise UsageError(f"{which} were looked for.", "There is none.", SHAPES)
        notes = [*self.notes, *beside_students(kept, self.left)]
        return FoundSubmissions(kept, sorted(set(self.students) - dropped), self.warnings, notes)
