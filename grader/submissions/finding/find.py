"""Finds the submissions under the paths that a teacher names, whatever shape those have.

A path is a class (`<student>/<assignment>/<file>`, nbgrader's `submitted/` shape; or what a platform packs), one
student's folder, one assignment's folder or one file. Whatever was handed in gets an entry, also when it can't be
graded: its report is the only place where the student learns why. A path in which there is nothing to grade is the
teacher's mistake, so it is an error.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from grader.errors import UsageError
from grader.faults import did_you_mean
from grader.submissions.names import name_fault, name_refusal
from grader.submissions.path_errors import MOST_NAMED, SHAPES, both_shapes, first_names, quoted_path
from grader.submissions.platforms.choose import LAYOUTS, PLATFORMS, is_download, not_of
from grader.submissions.platforms.handed_in import Listing
from grader.submissions.possible_work import PACKED, is_zip, programs
from grader.submissions.submission import FoundSubmissions
from grader.system.folder_listing import SUFFIXES, entries_of, is_hidden, kind_of
from grader.text import name_shown, same_name_key

from .assignment_names import AssignmentNames
from .candidates import Candidates
from .deep import Depths
from .download_folder import DownloadCollector

TOOLS = (".git", ".ipynb_checkpoints", ".Trash")  # folders that hold copies of files and are nobody's
COPY = re.compile(r"-Copy\d+$")  # Jupyter's own name for a copy, made by whom the file belongs to


class _SubmissionFinder(DownloadCollector):
    """Finds out what each path is, and gathers what is under it."""

    def __init__(self, names: AssignmentNames, student: str | None, layout: str | None) -> None:
        super().__init__(names)
        self.student, self.layout = student, layout
        self.alone = False
        if student is not None and (fault := name_fault(student)):
            raise UsageError(f"The student's name {name_shown(student)} {fault}.", hint="Give another --student.")
        if layout is not None and layout not in LAYOUTS:
            found = f"There is no {name_shown(layout)}."
            raise UsageError("A layout was looked for.", found, did_you_mean(layout, LAYOUTS))

    def take_all(self, paths: Sequence[Path]) -> None:
        """Take paths; those of one folder together where they are a class, so that `class/*` is what `class` is."""
        self.alone = len(paths) == 1
        beside: dict[Path, list[Path]] = {}
        for path in paths:
            beside.setdefault(_absolute(path).parent, []).append(path)
        for parent, some in beside.items():
            if not self._taken_as_class(parent, [_absolute(path).name for path in some]):
                for path in some:
                    self._take(path)

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
        download = self._download(parent, chosen)
        if download and download.is_flat and not self._strange(parent, chosen, download.rest):
            self.take_download(parent, download)
        elif self.names.loose(chosen):
            return False
        elif download and not download.is_flat:
            self._take_attempts(parent, chosen, download)
        elif self.names.are_students(parent, chosen):
            self.take_class(parent, chosen)
        else:
            return False
        return True

    def _take(self, path: Path) -> None:
        try:
            kind = kind_of(os.lstat(path).st_mode)
        except (FileNotFoundError, NotADirectoryError):
            raise UsageError("Submissions were looked for.", f"There is no {quoted_path(path)}.", SHAPES) from None
        except (OSError, ValueError) as problem:
            raise UsageError(f"{quoted_path(path)} could not be looked at: {problem}.", hint=SHAPES) from None
        if kind is None and is_zip(path.name):
            self._take_folder(self._top_of(path))
        elif kind is None:
            self._take_file(path)
        elif kind == "a folder":
            self._take_folder(path)
        else:
            hint = "Links are not followed; give the path that it leads to." if "link" in kind else SHAPES
            raise UsageError("A file or a folder was looked for.", f"{quoted_path(path)} is {kind}.", hint)

    def _top_of(self, path: Path) -> Path:
        """Return the folder in a zip file that all of it is in, as some programs pack; else the zip file itself."""
        try:
            entries = entries_of(path)
        except OSError as problem:
            raise UsageError(f"{quoted_path(path)} could not be read: {problem.strerror}.") from None
        (name, *more) = entries or [""]
        inner = not more and name and kind_of(entries[name]) == "a folder" and not self.names.near(name)
        known = inner and is_download(Listing(path, entries, self.stems), self.layout)
        return self._top_of(path / name) if inner and not known else path

    def _take_file(self, path: Path) -> None:
        if path.suffix.lower() not in SUFFIXES:
            packed = path.suffix.lower() in PACKED
            hint = "Unpack it, and give the folder that comes out of it." if packed else SHAPES
            found = f"{quoted_path(path)} is another kind of file."
            raise UsageError("A .py or .ipynb file was looked for.", found, hint)
        parent = _absolute(path).parent
        by_stem = [id for id in self.wanted if same_name_key(self.stems[id]) == same_name_key(path.stem)]
        by_folder = [parent.name] if parent.name in self.wanted else []
        fitting = [self.assignment] if self.assignment else by_folder or by_stem
        if len(fitting) != 1:
            stems = [self.stems[id] for id in sorted(self.stems)[:MOST_NAMED]]
            wanted = ", ".join(f"{stem}.py or {stem}.ipynb" for stem in stems)
            found = f"Fitting by name: {' and '.join(fitting) or 'none'}."
            hint = f"Say which with --assignment, or name the file as the course does ({wanted})."
            raise UsageError(f"{quoted_path(path)} was looked at for its assignment.", found, hint)
        owner = parent.parent if parent.name in self.stems else parent
        self.add(self._one_student(owner, path), fitting[0], path, Candidates(files=(path,)))

    def _take_folder(self, path: Path) -> None:
        try:
            every = entries_of(path, hidden=True)
        except OSError as problem:
            raise UsageError(f"The folder {quoted_path(path)} could not be read: {problem.strerror}.") from None
        entries = {name: mode for name, mode in every.items() if not is_hidden(name)}
        if not entries:
            raise UsageError("Submissions were looked for.", f"The folder {quoted_path(path)} is empty.", SHAPES)
        download = self._download(path, entries)
        if download is None and self.layout in PLATFORMS and self.student is None:
            raise not_of(str(self.layout), path)
        if download and download.is_flat and self._taken_as_download(path, entries, download):
            return
        place, names = _absolute(path), self.names
        far = {name: mode for name, mode in entries.items() if not names.close(name)}
        self._refuse_two_shapes(path, entries)
        misspelt = names.misspelt(entries) or (self.student is None and names.close(place.name))
        if any(id in entries for id in self.stems):
            self._take_one_student(path, entries)
        elif download and not download.is_flat and not names.loose(entries):
            self._take_attempts(path, entries, download)
            self._name_hidden(path, every)
        elif place.name in self.stems and (names.loose(entries) or not names.are_students(path, entries)):
            self._take_one_assignment(path, place, entries)
        elif misspelt and not names.are_students(path, far):
            raise self._nothing_known(path, entries)
        elif names.loose(entries):
            self._take_one_student(path, entries)
        elif names.are_students(path, entries):
            self.take_class(path, entries)
            self._name_hidden(path, every)
        elif self.assignment and programs(entries):
            self._refuse_a_class_beside(path, entries)
            self._refuse_several(path, [self.assignment], entries)
            taken = self.look_into(path, self.assignment, shared=True)
            student = self._one_student(place, path)
            self.add(student, self.assignment, path, taken)
            self.name_the_rest(student, path, entries)
        elif self.student is not None and self._holds_files(self.depths(path)):
            self._take_one_student(path, entries)
        elif self._are_deep_students(path, entries):
            self.take_class(path, entries)
        else:
            raise self._nothing_known(path, entries)

    def _holds_files(self, depths: Depths) -> bool:
        return bool(self.names.loose({found.name: 0 for found in depths.programs}))

    def _are_deep_students(self, path: Path, entries: Mapping[str, int]) -> bool:
        """Return whether in several folders there is a file of the course at any depth, or in a zip file."""
        folders = (path / name for name, mode in entries.items() if kind_of(mode) == "a folder")
        return len(list(islice((each for each in folders if self._holds_files(self.depths(each))), 2))) == 2

    def _nothing_known(self, path: Path, entries: Iterable[str]) -> UsageError:
        near = next(filter(None, map(self.names.near, [_absolute(path).name, *entries])), None)
        hint = f"Did you mean {near}? {SHAPES}" if near else SHAPES
        if self.assignment is None:
            hint += " Where the files have other names, say with --assignment which one it is."
        found = f"The folder {quoted_path(path)} holds none of this course's: {first_names(entries)}."
        return UsageError("Submissions were looked for.", found, hint)

    def _refuse_two_shapes(self, path: Path, entries: Mapping[str, int]) -> None:
        """Refuse a folder that may be one student's and a class too, where all but one would go unseen."""
        loose = [f"{self.stems[id]}.py" for id in self.names.loose(entries)]
        mine = [id for id in self.stems if id in entries] or loose
        if self.student is not None or not mine or _absolute(path).name in self.stems:
            return
        students = self._students_in(path, entries)
        if students and not self._is_in_a_class(_absolute(path), len(students)):
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

    def _refuse_several(self, path: Path, ids: Iterable[str], entries: Mapping[str, int]) -> None:
        """Refuse several files of one assignment that may be one student's attempts or several students' work."""
        for id in ids:
            mine = [name for name in programs(entries) if self.names.begun(Path(name).stem) == id]
            names = {same_name_key(COPY.sub("", Path(name).stem)) for name in mine}
            if len(names) > 1 and self.student is None:
                found = (
                    f"The folder {quoted_path(path)} holds {first_names(mine)}, and nothing tells whether these are "
                    "one student's attempts or several students' files."
                )
                hint = (
                    "For one student, say with --student who it is. For several, give each one a folder, "
                    f"STUDENT/{self.stems[id]}.py, and name the folder that holds these folders."
                )
                raise UsageError("One student's folder was looked for.", found, hint)

    def _name_hidden(self, path: Path, entries: Mapping[str, int]) -> None:
        """Name the students whose folders begin with a dot."""
        for name, mode in entries.items():
            hidden = name.startswith(".") and not name.startswith(TOOLS)
            if hidden and self.names.are_students(path, {name: mode}):
                self.warnings.append(name_refusal(name, "begins with a dot, which hides it"))

    def _refuse_a_class_beside(self, path: Path, entries: Mapping[str, int]) -> None:
        """Refuse a folder with programs of any name, beside which there are folders with programs."""
        students = [name for name, mode in entries.items() if self.names.are_students(path, {name: mode})]
        if self.student is None and students:
            raise both_shapes(path, list(programs(entries)), students)

    def _take_one_assignment(self, path: Path, place: Path, entries: Mapping[str, int]) -> None:
        if place.name not in self.wanted:
            found = f"The folder {quoted_path(path)} is assignment {place.name}"
            found += f", but --assignment says {self.assignment}."
            raise UsageError("One assignment's folder was looked for.", found, "Leave one of the two out.")
        if self.alone:  # where several are given, each is in its student's folder
            self._refuse_several(path, [place.name], entries)
        taken = self.look_into(path, place.name)
        self.add(self._one_student(place.parent, path), place.name, path, taken)

    def _take_one_student(self, path: Path, entries: Mapping[str, int]) -> None:
        self._refuse_several(path, self.wanted, entries)
        student = self._one_student(_absolute(path), path)
        before = len(self.found)
        self.take_student(student, path, entries)
        if len(self.found) == before:
            found = f"The folder {quoted_path(path)} holds nothing for it."
            raise UsageError(f"A submission for {self.assignment} was looked for.", found, "Try another --assignment.")

    def _one_student(self, owner: Path, path: Path) -> str:
        packed = is_zip(owner.name) and not owner.is_dir()
        name = self.student if self.student is not None else owner.stem if packed else owner.name
        if fault := name_fault(name):
            found = f"The student's name {name_shown(name)}, taken from the path {quoted_path(path)}, {fault}."
            raise UsageError(found, hint="Say whose it is with --student.")
        self.students.setdefault(name, path)
        return name


def _absolute(path: Path) -> Path:
    """Return where a path is by its names alone; links on the way stay what the teacher wrote."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow them


def find_submissions(
    paths: Sequence[Path], *, assignments: Mapping[str, str], assignment: str | None = None, student: str | None = None,
    given: Mapping[str, Iterable[str]] | None = None, layout: str | None = None,
) -> FoundSubmissions:  # fmt: skip
    """Find what is to be graded.

    Args:
        paths: Classes, students' folders, assignments' folders and files, in any mixture.
        assignments: The file name without suffix by assignment id (`01_simple_attention` -> `simple_attention`).
        assignment: The one assignment to grade, by id or file name; None for all.
        student: Whose the path is, where its place does not say so.
        layout: The platform whose download a path is, one of `platforms.choose.LAYOUTS`; None to find out.

    Raises:
        UsageError: A path is missing, empty, a link, no submission, or doesn't tell its assignment or its student; two
            paths hold the same student's same assignment; the assignment is unknown; a class came with a student.
    """
    finder = _SubmissionFinder(AssignmentNames(assignments, assignment, given), student, layout)
    finder.take_all([Path(path) for path in paths])
    return finder.finish()
