"""Takes a class: a folder for each student or attempt, or everybody's files side by side."""

import re
from collections.abc import Mapping
from pathlib import Path

from grader.errors import UsageError
from grader.results.write import CLASS_PAGES, OWN_NAMES, STUDENT_COPIES
from grader.submissions.names import name_fault, name_refusal
from grader.submissions.path_errors import all_names, first_names, quoted_path, unknown_names
from grader.submissions.possible_work import is_wrapped, may_be_work, programs
from grader.system.folder_listing import entries_of, kind_of
from grader.text import name_shown

from .attempt_folders import StudentAttempts, attempts_in
from .candidates import Candidates
from .collector import SubmissionCollector
from .downloads import DownloadedFile, candidates_of

REPORTS = {"for-students": "a folder", "summary.json": None}  # what every run writes, by its kind
PAGES = {STUDENT_COPIES: (".json", ".html", ".md"), CLASS_PAGES: (".html", ".json", ".csv", ".svg")}  # what they hold
ONLINE_TEXT = re.compile(r"(?P<who>.+_\d+_assignsubmission_)onlinetext(?P<end>_?)")


class ClassCollector(SubmissionCollector):
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
        self._warn_of_loose_files(entries)
        folders = [name for name, mode in entries.items() if kind_of(mode) == "a folder"]
        attempts = {each.folder: each for each in attempts_in(folders, self.stems)}
        older = {name for each in attempts.values() for name in each.older}
        for name, mode in entries.items():
            own = attempts.get(name, StudentAttempts(name, None, name))
            if kind_of(mode) is None or name in older or self._is_online_text(name, entries):
                continue
            if fault := name_fault(own.student):
                self.warnings.append(name_refusal(name, fault))
            else:
                self._take_entry(path / name, mode, own)

    def _warn_of_loose_files(self, entries: Mapping[str, int]) -> None:
        """Warn of programs and archives in a class beside the students' folders."""
        plain = {name: mode for name, mode in entries.items() if kind_of(mode) is None}
        loose = [name for name in plain if name in programs(plain) or is_wrapped(name)]
        if loose:
            there, left, it = ("is", "it was", "it") if len(loose) == 1 else ("are", "they were", "them")
            what = f"Beside the students' folders there {there} {all_names(loose)}, so {left} not graded."
            self.warnings.append(
                f"{what} If a student handed {it} in, move {it} (unpacked) into that student's folder."
            )

    def _is_online_text(self, name: str, entries: Mapping[str, int]) -> bool:
        """Return whether an entry is the text that a student typed into Moodle beside files, which count; name it."""
        found = ONLINE_TEXT.fullmatch(name)
        files = f"{found['who']}file{found['end']}" if found else ""
        if files not in entries:
            return False
        left = f"The text in {name_shown(name, 120)} was not graded"
        self.warnings.append(f"{left}; the student's files in {name_shown(files, 120)} count.")
        for one in self.of(files):
            self.add_beside(one, name)
        return True

    def _take_entry(self, place: Path, mode: int, own: StudentAttempts) -> None:
        student, kind = own.student, kind_of(mode)
        try:
            within = entries_of(place) if kind == "a folder" else {}
        except OSError as problem:
            self.students.setdefault(student, place)
            self.unlistable[student] = f"The student's folder could not be read: {problem.strerror}."
            return
        if self._are_reports(place, within):
            holds = f"The folder {name_shown(place.name)} holds the reports of an earlier run"
            self.notes.append(f"{holds}, so it was not taken for a student's.")
            return
        self.students.setdefault(student, place)
        if kind != "a folder":
            self.unlistable[student] = f"In place of the student's folder there is {kind}, so nothing in it was read."
            return
        if own.unsure:
            every = all_names((own.folder, *own.older))
            unsure = f"Which of these attempts is the newest, their names do not say: {every}. Keep one of them."
            if own.assignment is None:
                self.unlistable[student] = unsure
            elif own.assignment in self.wanted:
                self.add(student, own.assignment, place, Candidates(problem=unsure))
            return
        before = set(self.found)
        if own.assignment is None:
            self.take_student(student, place, within)
        elif own.assignment in self.wanted:
            self.take_assignment(student, own.assignment, place, mode)
        if own.older:
            self._name_older(own, [key for key in self.found if key not in before])
        if (near := self.names.close(place.name)) and not any(id in within for id in self.stems):
            taken = f"The folder {name_shown(place.name)} was taken for a student's"
            self.warnings.append(f"{taken}, though its name is close to {near}. Look whose it is, and rename it.")

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
        rest = [name for name in within if name not in PAGES]
        return not any(may_be_work(place, name, within[name], self.names.known) for name in rest)

    def _name_older(self, own: StudentAttempts, new: list[tuple[str, str]]) -> None:
        """Name a student's older attempts in what was found in the newest one."""
        note = f"Of {len(own.older) + 1} attempts the newest by the time in its name counts: {name_shown(own.folder)}."
        for key in new:
            self.add_beside(self.found[key], *own.older, notes=[note])
        if not new and own.assignment in (None, *self.wanted):
            self.left.setdefault(own.student, []).extend(own.older)

    def take_download(self, path: Path, handed: list[DownloadedFile], strange: list[str]) -> None:
        """Take a folder in which everybody's files are side by side, and some whose names say no student."""
        # A name that is only close to an assignment's gives way to the one that is asked for.
        meant = self.names.begun if self.assignment else self.names.meant
        ids = {id for one in handed if (id := meant(one.stem)) is not None}
        only = self.assignment or (next(iter(ids)) if len(ids) == 1 else None)
        if strange:
            said = f"Whose {first_names(strange)} in the download is, no name says, so nothing of it was graded."
            self.warnings.append(said)
        by_student: dict[str, dict[str | None, list[DownloadedFile]]] = {}
        for one in handed:
            by_student.setdefault(one.student, {}).setdefault(meant(one.stem) or only, []).append(one)
        for student, mine in by_student.items():
            self.students.setdefault(student, path)
            for id in sorted(set(filter(None, mine)) & set(self.wanted)):
                self.add(student, id, path / mine[id][0].name, candidates_of(path, mine[id], self.stems[id]))
            names = [one.name for id, some in mine.items() if id not in self.wanted for one in some]
            if names and self.assignment:
                self.warnings.append(
                    f"{name_shown(student)} handed in {first_names(names)}, which has the name of another assignment "
                    f"than {self.assignment}, so it was not graded. Look what it is; grade it by itself if it is right."
                )
            elif names:
                self.warnings.append(unknown_names(student, names, self.stems))


def _holds_pages(folder: Path, ends: tuple[str, ...]) -> bool:
    """Return whether the folders in a folder hold nothing but what a run or `grader report` writes there."""
    try:
        inside = [one for name in entries_of(folder) for one in entries_of(folder / name).items()]
    except OSError:
        return False
    return all(kind_of(mode) is None and name.endswith(ends) for name, mode in inside)
