"""Takes a class: a folder for each student or attempt, or everybody's files side by side."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from grader.results.write import CLASS_PAGES, OWN_NAMES, STUDENT_COPIES
from grader.submissions.names import name_fault, name_refusal
from grader.submissions.path_errors import all_names, other_assignment
from grader.submissions.platforms.handed_in import HandedIn, StudentAttempts, newest_of
from grader.submissions.platforms.moodle import files_beside
from grader.submissions.possible_work import is_wrapped, may_be_work, programs
from grader.system.folder_listing import entries_of, is_program, kind_of
from grader.text import name_shown

from .assignment_names import OF_COURSES
from .candidates import Candidates
from .collector import SubmissionCollector

REPORTS = {"for-students": "a folder", "run.json": None}  # what every run writes, by its kind
PAGES = {STUDENT_COPIES: (".json", ".html", ".md"), CLASS_PAGES: (".html", ".json", ".csv", ".svg")}  # what they hold


class ClassCollector(SubmissionCollector):
    """Gathers the submissions of classes."""

    def take_class(self, path: Path, entries: Mapping[str, int], handed: Sequence[HandedIn] = ()) -> None:
        """Take the folders of a class.

        Args:
            handed: What a platform's names say of some of them; any other is its own student's.

        Raises:
            UsageError: One submission came twice.
        """
        known = {one.name for one in handed}
        self._warn_of_loose_files({name: mode for name, mode in entries.items() if name not in known})
        left = [name for name in entries if name in OF_COURSES and name not in known]
        if left:
            self.warnings.append(f"Not graded, since a course's own folders have such names: {all_names(left)}.")
        passed = {*known, *left}
        own = [HandedIn(name, name, mode) for name, mode in entries.items() if name not in passed and kind_of(mode)]
        self.of_platform.update(one.student for one in handed)
        grouped: defaultdict[tuple[str, str], list[HandedIn]] = defaultdict(list)
        for one in sorted((*own, *handed), key=lambda one: one.name):
            if files_beside(one.name) not in entries:
                grouped[one.student, one.part].append(one)
        for (student, part), attempts in sorted(grouped.items(), key=lambda item: item[0][1] not in self.stems):
            if fault := name_fault(student):
                self.warnings.append(name_refusal(student, fault))
                continue
            for each, ids in self._by_assignment(path, attempts):
                if part and part not in self.stems:  # what has its own name goes before what has another's
                    mine = [one.assignment for one in self.of(student)]
                    ids = [id for id in self.wanted if id not in mine and (ids is None or id in ids)]
                self._take_entry(path / each.newest[0].name, each.newest[0].mode, each, ids)
        self._name_online_texts(entries)

    def _by_assignment(
        self, path: Path, attempts: list[HandedIn]
    ) -> list[tuple[StudentAttempts, Collection[str] | None]]:
        """Return which attempt is the newest of each assignment, and of which it is: None for all.

        A folder in which nothing has an assignment's name may be an attempt at any.
        """
        if len(attempts) == 1 or attempts[0].part in self.stems:
            return [(newest_of(attempts), None)]
        holds = {one.name: self._assignments_in(path / one.name) for one in attempts}
        groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for id in sorted(set[str]().union(*holds.values())):
            groups[tuple(name for name, ids in holds.items() if id in ids or not ids)].append(id)
        if len(groups) < 2:
            return [(newest_of(attempts), None)]
        return [(newest_of([one for one in attempts if one.name in names]), ids) for names, ids in groups.items()]

    def _assignments_in(self, place: Path) -> set[str]:
        """Return the assignments that something in a folder has the name of, at any depth."""
        try:
            entries = entries_of(place)
        except OSError:
            return set()
        deep = [found.name for found in self.depths(place, entries=entries).programs]
        meant = [name if name in self.stems else self.names.begun(name.partition(".")[0]) for name in (*entries, *deep)]
        return {id for id in meant if id}

    def _warn_of_loose_files(self, entries: Mapping[str, int]) -> None:
        """Warn of programs and archives in a class beside the students' folders."""
        plain = {name: mode for name, mode in entries.items() if kind_of(mode) is None}
        loose = [name for name in plain if is_program(name) or is_wrapped(name)]
        if loose:
            there, left, it = ("is", "it was", "it") if len(loose) == 1 else ("are", "they were", "them")
            what = f"Beside the students' folders there {there} {all_names(loose)}, so {left} not graded."
            self.warnings.append(
                f"{what} If a student handed {it} in, move {it} (unpacked) into that student's folder."
            )

    def _name_online_texts(self, entries: Mapping[str, int]) -> None:
        """Name the texts that students typed into Moodle beside files, which count."""
        for name in entries:
            files = files_beside(name)
            if files is not None and files in entries:
                left = f"The text in {name_shown(name, 120)} was not graded"
                self.warnings.append(f"{left}; the student's files in {name_shown(files, 120)} count.")
                for one in self.of(files):
                    self.add_beside(one, name)

    def _take_entry(self, place: Path, mode: int, own: StudentAttempts, ids: Collection[str] | None) -> None:
        student, kind = own.student, kind_of(mode)
        assignment = own.part if own.part in self.stems else None
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
            self.unlistable[student] = (
                f"In place of the student's folder there is {kind or 'a file'}, so nothing in it was read."
                if mode
                else f"The download lists a folder {name_shown(place.name)} for this student, which is not in it."
            )
            return
        if own.unsure:
            every = all_names((place.name, *own.older))
            unsure = f"Which of these attempts is the newest, their names do not say: {every}. Keep one of them."
            if assignment is None and (ids is None or own.part):
                self.unlistable[student] = unsure
            else:
                for id in {*([assignment] if assignment else ids or ())} & {*self.wanted}:
                    self.add(student, id, place, Candidates(problem=unsure))
            return
        before = set(self.found)
        if assignment is None:
            self.take_student(student, place, within, ids)
        elif assignment in self.wanted:
            self.take_assignment(student, assignment, place, mode)
        new = [key for key in self.found if key not in before]
        others = [] if new or own.part or student not in self.of_platform else [*programs(within)]
        if self.assignment and any(self.names.begun(Path(name).stem) for name in others):
            self.warnings.append(other_assignment(student, others, self.assignment))
        for key in new:
            self.add_time(key, own.newest[0])
        if own.older:
            self._name_older(own, new, assignment in (None, *self.wanted))
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

    def _name_older(self, own: StudentAttempts, new: list[tuple[str, str]], wanted: bool) -> None:
        """Name a student's older attempts in what was found in the newest one."""
        for key in new:
            self.add_beside(self.found[key], *own.older, notes=[f"{own.note}: {name_shown(own.newest[0].name)}."])
        if not new and wanted:
            self.left.setdefault(own.student, []).extend(own.older)


def _holds_pages(folder: Path, ends: tuple[str, ...]) -> bool:
    """Return whether the folders in a folder hold nothing but what a run or `grader report` writes there."""
    try:
        inside = [one for name in entries_of(folder) for one in entries_of(folder / name).items()]
    except OSError:
        return False
    return all(kind_of(mode) is None and name.endswith(ends) for name, mode in inside)
