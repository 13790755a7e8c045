"""Finds the submissions under the paths that a teacher names, whatever shape those have.

A path is a class (`<student>/<assignment>/<file>`, nbgrader's `submitted/` shape; or what a platform packs), one
student's folder, one assignment's folder or one file. Whatever was handed in gets an entry, also when it can't be
graded: its report is the only place where the student learns why. A path in which there is nothing to grade is the
teacher's mistake, so it is an error.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.faults import did_you_mean
from grader.submissions.names import name_fault, name_refusal
from grader.submissions.path_errors import MOST_NAMED, SHAPES, first_names, quoted_path
from grader.submissions.platforms.choose import LAYOUTS, PLATFORMS, is_download, not_of
from grader.submissions.platforms.handed_in import Listing
from grader.submissions.possible_work import PACKED, is_zip, programs
from grader.submissions.submission import FoundSubmissions
from grader.system.folder_listing import SUFFIXES, entries_of, is_hidden, kind_of
from grader.text import name_shown, same_name_key

from .assignment_names import OF_NBGRADER, AssignmentNames
from .candidates import Candidates
from .doubts import DoubtfulFolders, absolute

MOST_LOOKED_AT = 20  # zip files beside one
TOOLS = (".git", ".ipynb_checkpoints", ".Trash")  # folders that hold copies of files and are nobody's


class _SubmissionFinder(DoubtfulFolders):
    """Finds out what each path is, and gathers what is under it."""

    def __init__(self, names: AssignmentNames, student: str | None, layout: str | None) -> None:
        super().__init__(names)
        self.student, self.layout = student, layout
        self.alone = False
        self.zips: list[Path] = []
        self.of_one: list[Path] = []
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
            beside.setdefault(absolute(path).parent, []).append(path)
        for parent, some in beside.items():
            if not self._taken_as_class(parent, [absolute(path).name for path in some]):
                for path in some:
                    self._take(path)
        self._refuse_zips_of_students()

    def _refuse_zips_of_students(self) -> None:
        """Refuse a zip file with several folders among those of one student each, as it may be one student's too."""
        of_several, of_one = [path for path in self.zips if path not in self.of_one], self.of_one
        if not of_one and self.layout is None:
            beside = [path for path in self._zips_beside(of_several) if self._is_one_students(path)]
            of_one = beside if len(beside) > 1 else []
        if of_several and of_one:
            found = f"{first_names(str(path) for path in of_one)} holds one student's work"
            found += f", and {first_names(str(path) for path in of_several)} that of several, as it seems."
            hint = "Unpack the latter, and give the folder of each student."
            raise UsageError("Zip files of students or of a class were looked for.", found, hint)

    def _zips_beside(self, paths: Sequence[Path]) -> list[Path]:
        try:
            beside = [path.parent / name for path in paths[:1] for name in entries_of(path.parent) if is_zip(name)]
        except OSError:
            return []
        return [path for path in beside if path not in paths][:MOST_LOOKED_AT]

    def _is_one_students(self, path: Path) -> bool:
        try:
            entries = entries_of(self._top_of(path))
        except (OSError, UsageError):
            return False
        return bool(self.names.loose(entries)) or any(id in entries for id in self.stems)

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
        if download and download.is_flat and not self._strange(parent, chosen, download):
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
            self.zips.append(absolute(path))
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
            found = f"{quoted_path(path)} could not be read: {problem.strerror}."
            hint = "Download it again, or unpack it and give the folder."
            raise UsageError("Submissions were looked for.", found, hint) from None
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
        parent = absolute(path).parent
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
            self._name_hidden_files(path, every)
            return
        place, names = absolute(path), self.names
        far = {name: mode for name, mode in entries.items() if not names.close(name)}
        self._refuse_two_shapes(path, entries, download)
        self._refuse_class_of_student(path, entries)
        misspelt = names.misspelt(entries) or (self.student is None and names.close(place.name))
        if any(id in entries for id in self.stems):
            self._refuse_assignment_first(path, entries)
            self._take_one_student(path, entries)
        elif download and not download.is_flat and not names.loose(entries):
            self._take_attempts(path, entries, download)
            self._name_hidden(path, every)
        elif place.name in self.stems and not self._is_one_assignments_class(path, entries):
            self._take_one_assignment(path, place, entries)
        elif misspelt and not names.are_students(path, far):
            raise self._nothing_known(path, entries)
        elif names.loose(entries) or self._is_one_students_folder(path, entries):
            self._take_one_student(path, entries)
        elif self.student is None and names.are_students(path, entries):
            self.take_class(path, entries)
            self._name_hidden(path, every)
        elif self.assignment and programs(entries):
            if self.student is None and is_download(Listing(path, entries, self.stems), students=2):
                raise self._nothing_known(path, entries)
            self._refuse_a_class_beside(path, entries)
            self._refuse_several(path, [self.assignment], entries)
            if self.alone:  # else it is one of several students' folders
                self._refuse_other_names(path, self.stems[self.assignment], entries)
            student = self._one_student(place, path)
            taken = self.look_into(student, path, self.assignment, shared=True)
            self.add(student, self.assignment, path, taken)
            self.name_the_rest(student, path, entries)
        elif self._are_deep_students(path, entries):
            self._refuse_deep_students(path, entries)
            self.take_class(path, entries)
        else:
            raise self._nothing_known(path, entries)

    def _name_hidden(self, path: Path, entries: Mapping[str, int]) -> None:
        """Name the students whose folders begin with a dot."""
        for name, mode in entries.items():
            hidden = name.startswith(".") and not name.startswith(TOOLS)
            if hidden and self.names.are_students(path, {name: mode}):
                self.warnings.append(name_refusal(name, "begins with a dot, which hides it"))

    def _name_hidden_files(self, path: Path, entries: Mapping[str, int]) -> None:
        """Name the files of a download that begin with a dot, which hides them."""
        for name, mode in entries.items():
            hidden = name.startswith(".") and not name.startswith("._")
            if hidden and is_download(Listing(path, {name: mode}, self.stems), self.layout):
                self.warnings.append(
                    f"{name_shown(name)} begins with a dot, which hides it, so it was not graded. Rename it."
                )

    def _is_one_students_folder(self, path: Path, entries: Mapping[str, int]) -> bool:
        """Return whether a folder with folders inside is one student's, as the teacher says or by what is beside it."""
        if self.student is None and (self.layout is not None or not self._is_among_students(path)):
            return False
        return self._holds_files(self.depths(path, entries=entries))

    def _is_one_assignments_class(self, path: Path, entries: Mapping[str, int]) -> bool:
        """Return whether an assignment's folder holds students' folders, and is not in a student's own folder."""
        if self.student is not None or self.names.loose(entries) or self._is_among_students(path):
            return False
        return self.names.are_students(path, entries) or self._are_deep_students(path, entries)

    def _take_one_assignment(self, path: Path, place: Path, entries: Mapping[str, int]) -> None:
        if place.name not in self.wanted:
            found = f"The folder {quoted_path(path)} is assignment {place.name}"
            found += f", but --assignment says {self.assignment}."
            raise UsageError("One assignment's folder was looked for.", found, "Leave one of the two out.")
        if self.alone:  # where several are given, each is in its student's folder
            self._refuse_several(path, [place.name], entries)
        student = self._one_student(place.parent, path)
        self.add(student, place.name, path, self.look_into(student, path, place.name))

    def _take_one_student(self, path: Path, entries: Mapping[str, int]) -> None:
        self._refuse_several(path, self.wanted, entries)
        student = self._one_student(absolute(path), path)
        before = len(self.found)
        self.take_student(student, path, entries)
        if len(self.found) == before:
            found = f"The folder {quoted_path(path)} holds nothing for it."
            raise UsageError(f"A submission for {self.assignment} was looked for.", found, "Try another --assignment.")

    def _one_student(self, owner: Path, path: Path) -> str:
        packed = next((each for each in (owner, *owner.parents) if is_zip(each.name) and not each.is_dir()), None)
        name = self.student if self.student is not None else packed.stem if packed else owner.name
        if self.student is None and name in OF_NBGRADER:
            found = f"The folder {quoted_path(owner)} has the name of one of nbgrader's own, which is not a student's."
            raise UsageError(found, hint="Say whose it is with --student.")
        if fault := name_fault(name):
            found = f"The student's name {name_shown(name)}, taken from the path {quoted_path(path)}, {fault}."
            raise UsageError(found, hint="Say whose it is with --student.")
        if packed:
            self.of_one.append(packed)
            self.read_as.append(f"Read {quoted_path(packed)} as one student's work: {name_shown(name)}.")
        self.students.setdefault(name, path)
        return name


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
