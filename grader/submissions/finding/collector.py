"""Gathers the submissions of students' folders, and makes the whole of what was found at the end."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.submissions.names import collision_refusal, collisions
from grader.submissions.path_errors import SHAPES, quoted_path, unknown_names
from grader.submissions.platforms.choose import OWN_FOLDERS, is_download
from grader.submissions.platforms.handed_in import HandedIn, Listing
from grader.submissions.possible_work import is_zip, may_be_work, programs
from grader.submissions.submission import FoundSubmissions, Submission
from grader.system.folder_listing import SUFFIXES, entries_of, is_program, kind_of
from grader.text import name_shown

from .assignment_names import AssignmentNames
from .candidates import Candidates, candidates_in
from .deep import Bound, Depths, depths_of
from .sibling_files import beside_students, left_over, wrapped_of


class SubmissionCollector:
    """Submissions and students.

    Attributes:
        origin: Where each of them is, for sentences.
        students: Each student, with the place that named them first; also one without a submission.
        unlistable: Why nothing of a student could be read.
        unnamed: Students with something in their folder of which no name says which assignment it is: the folder, what
            is in it, and what of it could not be looked into.
        mentioned: By folder, the names in it of which a submission or its sentences speak.
        left: What a student handed in that no submission speaks of.
        of_platform: Students whose files a platform named, so that these are one person's for certain.
    """

    student: str | None
    layout: str | None

    def __init__(self, names: AssignmentNames) -> None:
        self.names = names
        self.stems, self.wanted, self.assignment = names.stems, names.wanted, names.assignment
        self.found: dict[tuple[str, str], Submission] = {}
        self.origin: dict[tuple[str, str], Path] = {}
        self.students: dict[str, Path] = {}
        self.unlistable: dict[str, str] = {}
        self.unnamed: dict[str, tuple[Path, Mapping[str, int], list[str]]] = {}
        self.mentioned: dict[Path, set[str]] = defaultdict(set)
        self.left: dict[str, list[str]] = {}
        self.of_platform: set[str] = set()
        self.bound = Bound(self.stems)
        self.warnings: list[str] = []
        self.notes: list[str] = []
        self.read_as: list[str] = []
        self._looked: tuple[Path, Depths] | None = None

    def of(self, student: str) -> list[Submission]:
        """Return what was found of a student so far."""
        return [self.found[student, id] for id in self.stems if (student, id) in self.found]

    def is_one_person(self, student: str) -> bool:
        """Return whether all in a student's folder is certainly that student's: a platform or the teacher says so."""
        return student in self.of_platform or self.student is not None or self.layout == OWN_FOLDERS

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
        fields = msgspec.structs.asdict(candidates)
        self.mentioned[path].update(fields.pop("mentioned"))
        self.found[key] = Submission(student, id, **fields)

    def add_beside(self, one: Submission, *names: str, others: Iterable[Path] = (), notes: Iterable[str] = ()) -> None:
        """Note what else was handed in that may be the work of a submission."""
        self.found[one.student, one.assignment] = msgspec.structs.replace(
            one, notes=(*notes, *one.notes), others=(*one.others, *others), beside=(*one.beside, *names)
        )

    def add_time(self, key: tuple[str, str], one: HandedIn) -> None:
        """Note when a submission was handed in, as its platform says."""
        self.found[key] = msgspec.structs.replace(self.found[key], submitted=one.when, late=one.late)

    def look_into(self, student: str, folder: Path, id: str, shared: bool = False, deep: bool = True) -> Candidates:
        """Return what a folder offers for an assignment; a shared one may hold the files of several.

        Args:
            deep: Whether a file at any depth may count where there is none in its place.
        """
        given = self.names.given.get(id, ())
        taken = candidates_in(folder, self.stems[id], self.names.meant_file if shared else None, given)
        in_its_place = any(self.stems[id] + suffix in taken.mentioned for suffix in SUFFIXES)
        if taken.files or in_its_place or not deep:
            return taken
        found = self._deep(student, folder, id, shared)
        if any(path.parent != folder for path in found.files):
            return found
        return msgspec.structs.replace(taken, problem=f"{taken.problem} {found.problem or ''}".rstrip())

    def _deep(self, student: str, folder: Path, id: str, shared: bool = True) -> Candidates:
        one_person, given = self.is_one_person(student), self.names.given.get(id, ())
        return self.depths(folder, shared).candidates(self.stems[id], self.names.meant_file, given, one_person)

    def depths(self, folder: Path, shared: bool = True, entries: Mapping[str, int] | None = None) -> Depths:
        """Return what lies in the folders and zip files of a folder; in a shared one not in those of an assignment.

        Args:
            entries: What is directly in the folder, where that is known.
        """
        if not shared:
            return depths_of([folder], self.bound)
        if self._looked is None or self._looked[0] != folder:
            if entries is None:
                try:
                    entries = entries_of(folder)
                except OSError:
                    entries = {}
            inner = [
                folder / name
                for name, mode in entries.items()
                if name not in self.stems and (kind_of(mode) == "a folder" or (kind_of(mode) is None and is_zip(name)))
            ]
            several = is_download(Listing(folder, entries, self.stems), students=2)
            self._looked = folder, depths_of([folder] if several else inner, self.bound)
        return self._looked[1]

    def take_student(
        self, student: str, folder: Path, entries: Mapping[str, int], ids: Collection[str] | None = None
    ) -> None:
        """Take all that a student's folder holds: assignments' folders, files beside each other, or both.

        Args:
            ids: The assignments that it is looked through for; None for all that are wanted.
        """
        wanted = self.wanted if ids is None else [id for id in self.wanted if id in ids]
        loose = self.names.loose(entries)
        for id in wanted:
            own = self._assignment(student, id, folder / id, entries[id], id not in loose) if id in entries else None
            if id in loose and not (own and own.files):
                taken = self.look_into(student, folder, id, shared=True)
                if own is not None:
                    notes = (f"In the folder {id}: {own.problem}", *taken.notes)
                    may_be = may_be_work(folder, id, entries[id], self.names.known)
                    beside = (*taken.beside, *(own.beside or [id] * may_be))
                    taken = msgspec.structs.replace(taken, notes=notes, beside=beside)
                self.add(student, id, folder, taken)
            elif own is not None:
                self.add(student, id, folder / id, own)
        for name, mode in entries.items():
            near = self.names.close(name) if kind_of(mode) == "a folder" else None
            if near in wanted and (student, near) not in self.found:
                problem = f"The folder is named {name_shown(name)}, which is not an assignment. Name it {near}."
                self.add(student, near, folder, Candidates(problem=problem, mentioned=(name,)))
        for name in programs(entries):
            near = self.names.meant(Path(name).stem)
            if near in wanted and near not in entries and (student, near) not in self.found:
                self.add(student, near, folder, self.look_into(student, folder, near, shared=True))
        missing = [id for id in wanted if id not in entries and (student, id) not in self.found]
        wrapped = wrapped_of(folder, entries, self.names)
        depths = self.depths(folder, entries=entries) if missing else None
        for id in missing:
            deep = self._deep(student, folder, id)
            if deep.files or (depths and depths.meaning(self.stems[id], self.names.meant_file)):
                self.add(student, id, folder, deep)
            elif id in wrapped:
                problem = " ".join([str(wrapped[id].problem), *(depths.faults if depths else ())])
                self.add(student, id, folder, msgspec.structs.replace(wrapped[id], problem=problem))
        known = any(id in entries for id in self.stems) or any(
            self.names.begun(Path(name).stem) for name in programs(entries)
        )
        if entries and not known and not self.of(student):
            self.unnamed[student] = (folder, entries, depths.faults if depths else [])
        else:
            self.name_the_rest(student, folder, entries)

    def take_assignment(self, student: str, id: str, path: Path, mode: int) -> None:
        """Take what is in the place of an assignment's folder."""
        self.add(student, id, path, self._assignment(student, id, path, mode))

    def _assignment(self, student: str, id: str, path: Path, mode: int, deep: bool = True) -> Candidates:
        kind = kind_of(mode) or "a file"
        problem = f"The folder {id} was looked for, but in its place there is {kind}. Hand in the folder itself."
        return self.look_into(student, path, id, deep=deep) if kind == "a folder" else Candidates(problem=problem)

    def name_the_rest(self, student: str, folder: Path, entries: Mapping[str, int]) -> None:
        """Name what else is in a student's folder in the submissions that it may be of."""
        left = left_over(folder, entries, self.mentioned[folder], self.names)
        mine = [one for one in self.of(student) if self.origin[student, one.assignment].is_relative_to(folder)]
        for one in mine:
            inside = [path for path in (*one.files, *one.others) if folder in path.parents]
            spoken_of = {path.relative_to(folder).parts[0] for path in inside}
            own = [name for name, meant in left.items() if meant in (None, one.assignment) and name not in spoken_of]
            others = {name for name in own if is_program(name) and kind_of(entries[name]) is None}
            beside = [name for name in own if name not in others]
            self.add_beside(one, *beside, others=[folder / name for name in own if name in others])
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
            missing = [id for id in sorted(handed_in) if (student, id) not in self.found]
            for id in missing:
                self.add(student, id, self.students[student], Candidates(problem=problem))
            if not missing:
                self.warnings.append(f"{name_shown(student)}: {problem}")
        for student, (folder, entries, faults) in self.unnamed.items():
            ids = [self.assignment] if self.assignment else handed_in
            if len(ids) == 1 and (student, *ids) not in self.found:
                (id,) = ids
                self.add(student, id, folder, self.look_into(student, folder, id, shared=True))
                self.name_the_rest(student, folder, entries)
            else:
                self.warnings.append(" ".join([unknown_names(student, entries, self.stems), *faults]))
        groups = collisions(self.students)
        self.warnings += map(collision_refusal, groups)
        dropped = {name for group in groups for name in group}
        kept = [self.found[key] for key in sorted(self.found) if key[0] not in dropped]
        if not kept and not self.warnings:
            which = f"Submissions for {self.assignment}" if self.assignment else "Submissions"
            raise UsageError(f"{which} were looked for.", "There is none.", SHAPES)
        notes = [*self.notes, *beside_students(kept, self.left)]
        students = sorted(set(self.students) - dropped)
        return FoundSubmissions(kept, students, self.warnings, notes, self.read_as)
