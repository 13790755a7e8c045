"""Takes a class: a folder for each student or attempt, or everybody's files side by side."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.results.write import CLASS_PAGES, OWN_NAMES, STUDENT_COPIES
from grader.submissions.names import name_fault, name_refusal
from grader.submissions.path_errors import (
    earlier_reports,
    no_newest,
    other_names,
    quoted_path,
    strange_files,
    taken_for_a_student,
    unknown_names,
)
from grader.submissions.possible_work import may_be_work
from grader.system.folder_listing import entries_of, kind_of
from grader.text import name_shown

from .attempt_folders import StudentAttempts, attempts_in
from .candidates import Candidates
from .downloads import Download, DownloadedFile, by_student, candidates_of
from .sibling_files import beside_class, online_text
from .student_folder import StudentFolderCollector

REPORTS = {"for-students": "a folder", "summary.json": None}  # what every run writes, by its kind
PAGES = {STUDENT_COPIES: (".json", ".html", ".md"), CLASS_PAGES: (".html", ".csv", ".svg")}  # what is in its folders


class ClassCollector(StudentFolderCollector):
    """Gathers the submissions of classes."""

    student: str | None

    def take_class(self, path: Path, entries: Mapping[str, int]) -> None:
        """Take the folders of a class.

        Raises:
            UsageError: A student was named, who can't own a class; or one submission came twice.
        """
        if self.student is not None:
            inside = path / self.student
            hint = f"Give the student's own folder: {quoted_path(inside)}." if self.student in entries else ""
            found = f"{quoted_path(path)} is a class, and --student names the owner of one student's folder or file."
            raise UsageError("One student's submission was looked for.", found, hint)
        self.warnings += beside_class(entries)
        folders = [name for name, mode in entries.items() if kind_of(mode) == "a folder"]
        attempts = {each.folder: each for each in attempts_in(folders, self.stems)}
        older = {name for each in attempts.values() for name in each.older}
        for name, mode in entries.items():
            if kind_of(mode) is None or name in older:
                continue
            if typed := online_text(name, entries):
                student, warning = typed
                self.warnings.append(warning)
                for one in self.of(student):
                    self.found[student, one.assignment] = msgspec.structs.replace(one, beside=(*one.beside, name))
                continue
            own = attempts.get(name, StudentAttempts(name, None, name))
            if fault := name_fault(own.student):
                self.warnings.append(name_refusal(name, fault))
                continue
            self._take_entry(path / name, mode, own)

    def _take_entry(self, place: Path, mode: int, own: StudentAttempts) -> None:
        student, kind = own.student, kind_of(mode)
        if kind != "a folder":
            self._cannot_list(
                student, place, f"In place of the student's folder there is {kind}, so nothing in it was read."
            )
            return
        try:
            within = entries_of(place)
        except OSError as problem:
            self._cannot_list(student, place, f"The student's folder could not be read: {problem.strerror}.")
            return
        if self._are_reports(place, within):
            self.notes.append(earlier_reports(place.name))
            return
        self.new_student(student, place)
        if own.unsure:
            self._take_unsure(own, place)
            return
        before = set(self.found)
        if own.assignment is None:
            self.take_student(student, place, within)
        elif own.assignment in self.wanted:
            self.take_assignment(student, own.assignment, place, mode)
        if own.older:
            self._name_older(own, [key for key in self.found if key not in before])
        if (near := self.names.close(place.name)) and not any(id in within for id in self.stems):
            self.warnings.append(taken_for_a_student(place.name, near))

    def _cannot_list(self, student: str, place: Path, problem: str) -> None:
        self.new_student(student, place)
        self.unlistable[student] = problem

    def _are_reports(self, place: Path, within: Mapping[str, int]) -> bool:
        """Return whether a folder holds the reports of an earlier run, and nothing that may be a student's work."""
        rest = [name for name, mode in within.items() if name not in OWN_NAMES and kind_of(mode) != "a folder"]
        if rest or any(name not in within or kind_of(within[name]) != kind for name, kind in REPORTS.items()):
            return False
        try:
            copies = entries_of(place / "for-students")
        except OSError:
            return False
        if not copies or any(kind_of(mode) != "a folder" for mode in copies.values()):
            return False
        if not all(_holds_pages(place / name, ends) for name, ends in PAGES.items() if name in within):
            return False
        return not any(
            may_be_work(place, name, mode, self.names.known) for name, mode in within.items() if name not in PAGES
        )

    def _take_unsure(self, own: StudentAttempts, place: Path) -> None:
        """Take attempts of which nobody knows the newest: a submission that is not graded, and names them."""
        problem = no_newest((own.folder, *own.older))
        if own.assignment is None:
            self.unlistable[own.student] = problem
        elif own.assignment in self.wanted:
            self.add(own.student, own.assignment, place, Candidates(problem=problem))

    def _name_older(self, own: StudentAttempts, new: list[tuple[str, str]]) -> None:
        """Name a student's older attempts in what was found in the newest one."""
        note = f"Of {len(own.older) + 1} attempts the newest by the time in its name counts: {name_shown(own.folder)}."
        for key in new:
            one = self.found[key]
            self.found[key] = msgspec.structs.replace(one, notes=(note, *one.notes), beside=(*one.beside, *own.older))
        if not new and own.assignment in (None, *self.wanted):
            self.left.setdefault(own.student, []).extend(own.older)

    def take_download(self, path: Path, download: Download) -> None:
        """Take a folder in which everybody's files are side by side."""
        assignment_of = {one.name: self._assignment_of(one.stem) for one in download.handed}
        ids = {id for id in assignment_of.values() if id is not None}
        only = self.assignment or (next(iter(ids)) if len(ids) == 1 else None)
        if download.strange:
            self.warnings.append(strange_files(download.strange))
        for student, files in by_student(download.handed).items():
            self.new_student(student, path)
            mine: dict[str | None, list[DownloadedFile]] = {}
            for one in files:
                mine.setdefault(assignment_of[one.name] or only, []).append(one)
            for id in sorted(set(filter(None, mine)) & set(self.wanted)):
                self.add(student, id, path / mine[id][0].name, candidates_of(path, mine[id], self.stems[id]))
            names = [one.name for id, some in mine.items() if id not in self.wanted for one in some]
            if names and self.assignment:
                self.warnings.append(other_names(student, names, self.assignment))
            elif names:
                self.warnings.append(unknown_names(student, names, self.stems))

    def _assignment_of(self, stem: str) -> str | None:
        """Return the assignment that the name of a downloaded file says; one that is only close to a name gives way."""
        return self.names.begun(stem) if self.assignment else self.names.meant(stem)


def _holds_pages(folder: Path, ends: tuple[str, ...]) -> bool:
    """Return whether the folders in a folder hold nothing but what a run or `grader report` writes there."""
    try:
        inside = [one for name in entries_of(folder) for one in entries_of(folder / name).items()]
    except OSError:
        return False
    return all(kind_of(mode) is None and name.endswith(ends) for name, mode in inside)
