"""Finds what is to be graded: a class in folders, a platform's download, or one student's work.

Only what is in PATH counts, and nothing beside it decides. What does not fit the shape that was said is refused with
one sentence before anything is graded: a wrong guess would be a wrong grade.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import UsageError
from grader.faults import did_you_mean
from grader.language import N_, translation
from grader.system.folder_listing import is_program
from grader.text import composed, listed, name_shown, same_name_key

from .files import File, Listing, listing_of
from .layouts import FOLDERS, HandedIn, looks_like, newest_of, patterns_of, read_download, time_of
from .names import is_folder_name, left_out
from .submission import FoundSubmissions, Submission

MOST_NAMED = 5
MOST_LEFT = 50
ANOTHERS = 2  # the rank of another assignment's program
AGAIN = re.compile(r"(?:-\d+| ?\(\d+\))$")  # what Canvas and browsers put behind a name that is there already
PLAIN = re.compile(r"(?<!\.py)(?<!\.ipynb)\.(?:txt|md|rst|log|csv|tsv|json|toml|npy|npz|pth?|pyc)$", re.IGNORECASE)


class Course(msgspec.Struct, frozen=True):
    """What the finder knows of a course.

    Attributes:
        stems: The file name without suffix by assignment id (`01_simple_attention` -> `simple_attention`).
        assignment: The one assignment that is graded; None for all.
        layouts: The course's own layouts of downloads: a regular expression by name.
        language: Of what stands in reports.
    """

    stems: Mapping[str, str]
    assignment: str | None = None
    layouts: Mapping[str, str] = {}
    language: str = "en"

    def id_of(self, name: str) -> str | None:
        """Return the assignment that a name is the id or the file name of; for no name the one that is graded."""
        key = same_name_key(name)
        ids = (id for id, stem in self.stems.items() if key in (same_name_key(id), same_name_key(stem)))
        return next(ids, None) if name else self.assignment

    def rank(self, file: File, id: str) -> int:
        """Return how likely a program is an assignment's by its name: 0 if it is called so, or ANOTHERS.

        A number that a platform put behind the name is not part of it; another's is what begins with its name.
        """
        stem = same_name_key(AGAIN.sub("", file.stem))
        names = [same_name_key(name) for pair in self.stems.items() for name in pair]
        begun = max((name for name in names if stem.startswith(name)), key=len, default="")
        if not begun:
            return 1
        if begun not in (same_name_key(id), same_name_key(self.stems[id])):
            return ANOTHERS
        return 0 if begun == stem else 1

    def submission(self, student: str, id: str, files: Iterable[File], **facts: Any) -> Submission:
        """Return what a student's files come to for an assignment; a zip file among them is opened."""
        _ = translation(self.language).gettext
        every = [inner for file in files for inner in (file.unpacked() if file.is_zip else [file])]
        ranks: dict[File, int] = {}
        beside: list[str] = []
        for file in every:
            kind = file.kind
            if kind is None and is_program(file.name):
                ranks[file] = self.rank(file, id)
                kind = N_("another assignment's") if ranks[file] == ANOTHERS else None
            if kind is not None:
                beside.append(f"{name_shown(file.where)} ({_(kind)})")
            elif file not in ranks and may_be_work(file):
                beside.append(name_shown(file.where))
        programs = sorted(
            (file for file in ranks if ranks[file] != ANOTHERS),
            key=lambda file: (ranks[file], file.where.count("/"), file.name.lower().endswith(".ipynb"), file.where),
        )
        problem = None
        if not programs:
            problem = _("No program was handed in, only {names}. Hand in {stem}.py or {stem}.ipynb.").format(
                names=listed(beside or [name_shown(file.where) for file in every], MOST_NAMED, self.language),
                stem=self.stems[id],
            )
        named = [*ranks.values()].count(0)
        return Submission(student, id, tuple(programs), named, problem, tuple(beside), **facts)


def may_be_work(file: File) -> bool:
    """Return whether a file may be a student's work by its name: not plain text or data, nor a test."""
    return is_program(file.name) or not (PLAIN.search(file.name) or file.name.lower().endswith((".py", ".ipynb")))


def is_work(file: File) -> bool:
    """Return whether a file is a program or a zip file by its name."""
    return is_program(file.name) or file.is_zip


def misfit(place: str, hint: str = "") -> UsageError:
    """Return the refusal of what is laid out in another way."""
    return UsageError(
        f"{name_shown(place, 200)} does not fit a class, which is <student>/<assignment>/<file>, or <student>/<file> "
        "with --assignment ID. Move it, or say with --student NAME whose folder or file it is.",
        hint,
    )


def find_submissions(
    paths: Iterable[Path],
    course: Course,
    *,
    student: str | None = None,
    layout: str | None = None,
    earlier: Iterable[str] = (),
) -> FoundSubmissions:
    """Find what is to be graded.

    Args:
        paths: Classes or downloads, or with a student one folder, zip file or program of that student.
        layout: The platform whose download the paths are, one of the course's own, or `folders`; None for a class in
            folders that must not look like a download.
        earlier: The students of earlier runs, whose names nobody else's may fall together with.

    Raises:
        UsageError: A path is missing, can't be read or does not fit; or two hold the same submission.
        CourseError: A layout of the course's can't be used.
    """
    if student is not None and layout not in (None, FOLDERS):
        raise UsageError(
            f"--from {layout} says whose submission file is, and so does --student. Leave out one of the two."
        )
    finder = _Finder(course)
    for path in paths:
        if student is not None:
            finder.take_student(path, student)
        elif layout in (None, FOLDERS):
            finder.take_class(path, may_be_download=layout is None)
        else:
            finder.take_download(path, str(layout))
    return finder.finished(earlier)


class _Finder:
    """Takes in path after path."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.submissions: list[Submission] = []
        self.students: set[str] = set()
        self.left: list[File] = []  # no student's, or in no assignment's place

    def take_class(self, path: Path, *, may_be_download: bool) -> None:
        """Take a class in folders."""
        listing = listing_of(path)
        if may_be_download and (platform := looks_like(listing)):
            shown = name_shown(str(path), 200)
            raise UsageError(
                f"{shown} looks like a download from {platform}. Add --from {platform}, or --from folders."
            )
        students = {folder for folder in listing.folders if "/" not in folder}
        if not students or not students.isdisjoint(self.course.stems):
            raise misfit(str(path))
        self._take_folders(listing)

    def take_student(self, path: Path, student: str) -> None:
        """Take one student's folder, zip file or program."""
        if not is_folder_name(student):
            raise UsageError(f"{name_shown(student)} cannot be the name of a folder. Give another with --student.")
        name = Path(os.path.abspath(path)).name  # noqa: PTH100 - resolve() would follow links
        id = self.course.assignment or (name if name in self.course.stems else None)
        if path.is_dir() or not (id or is_program(name)):
            listing = listing_of(path)
            if not self.course.stems.keys().isdisjoint({*listing.folders, *(file.where for file in listing.files)}):
                self._take_folders(listing.below(student))
            elif id is None:
                raise UsageError(f"{name_shown(name)} does not say which assignment it is. Add --assignment ID.")
            elif [folder.rpartition("/")[2] for folder in listing.folders].count(id) > 1:
                raise misfit(str(path))
            else:  # all of it is for this assignment, at any depth
                self._take_folders(listing.below(student, id))
        elif id := id or self.course.id_of(Path(name).stem):
            self._add(student, id, [File(path, name)])
        else:
            raise UsageError(f"{name_shown(name)} does not say which assignment it is. Add --assignment ID.")

    def _take_folders(self, listing: Listing) -> None:
        """Take the folder of each student."""
        files: defaultdict[str, list[File]] = defaultdict(list)
        ids: defaultdict[str, set[str]] = defaultdict(set)
        for folder in listing.folders:
            student, _, id = folder.partition("/")
            ids[student] |= {id} & self.course.stems.keys()
        for file in listing.files:
            student, inner, rest = file.where.partition("/")
            if inner:
                files[student].append(msgspec.structs.replace(file, where=rest))
            else:
                self.left.append(file)
        for student in sorted(ids):
            self.students.add(composed(student))
            self._take_places(student, files[student], ids[student])

    def _take_places(self, student: str, files: Iterable[File], ids: set[str]) -> None:
        """Take `<assignment>/<file>`, or `<file>` where an assignment is asked for that has no folder.

        Args:
            ids: The assignments that have a folder.

        Raises:
            UsageError: All that the student handed in is laid out in another way.
        """
        asked = self.course.assignment
        places: dict[str, list[File]] = {id: [] for id in (ids if asked is None else {*ids, asked})}
        outside: list[File] = []
        for file in files:
            id, _, rest = file.where.partition("/")
            if id in self.course.stems:
                ids.add(id)  # also where a link is in a folder's place
                places.setdefault(id, []).append(msgspec.structs.replace(file, where=rest or id))
            else:
                outside.append(file)
        if asked is not None and asked not in ids:
            places[asked] = [file for file in outside if "/" not in file.where]
            outside = [file for file in outside if "/" in file.where]
        works = [file for file in outside if is_work(file)]
        fits = bool(ids) or any(is_work(file) for inside in places.values() for file in inside)
        if works and not fits:
            hint = "" if asked else did_you_mean(works[0].where.partition("/")[0], self.course.stems)
            raise misfit(f"{student}/{works[0].where}", hint)
        beside = [
            msgspec.structs.replace(file, where=f"{student}/{file.where}", kind=N_("in another folder"))
            for file in outside
        ]
        for id, inside in places.items():
            if inside if asked is None else id == asked and (inside or beside):
                others = [
                    file
                    for file in beside
                    if may_be_work(file) and (id not in ids or self.course.rank(file, id) != ANOTHERS)
                ]
                self._add(student, id, inside + (others if inside else beside))
        self.left += [file for file in beside if is_work(file) or not fits]

    def take_download(self, path: Path, layout: str) -> None:
        """Take a platform's download."""
        course, shown = self.course, name_shown(str(path), 200)
        patterns = patterns_of(layout, course.layouts)
        if course.assignment is None and not any("assignment" in pattern.groupindex for pattern in patterns):
            raise UsageError(f"A download from {layout} does not say which assignment it is. Add --assignment ID.")
        handed, nobodys = read_download(listing_of(path), shown, layout, patterns, course.id_of)
        grouped: defaultdict[tuple[str, str], list[HandedIn]] = defaultdict(list)
        for work in handed:
            self.students.add(composed(work.student))
            if course.assignment in (None, work.assignment):
                grouped[work.place].append(work)
        _ = translation(course.language).gettext
        for (student, id), works in grouped.items():
            newest = newest_of(works)
            if newest:
                late = any(work.late for work in newest) or None
                facts = {"submitted": time_of(newest[0].attempt), "late": late, "uploaded": newest[0].uploaded}
                self._add(student, id, [work.file for work in newest], **facts)
                continue
            names = listed([name_shown(work.uploaded) for work in works], MOST_NAMED, course.language)
            problem = _("The names of these attempts do not say which is the newest: {names}. Keep one of them.")
            self.submissions.append(Submission(composed(student), id, problem=problem.format(names=names)))
        self.left += nobodys

    def _add(self, student: str, id: str, files: Iterable[File], **facts: Any) -> None:
        self.students.add(composed(student))
        self.submissions.append(self.course.submission(composed(student), id, files, **facts))

    def finished(self, earlier: Iterable[str]) -> FoundSubmissions:
        """Return what was taken in order, without those whose names cannot be told apart.

        A name is the same however its accents and its Hangul are encoded, as in a download that a Mac unpacked.
        """
        lost = left_out(self.students, earlier)
        kept = sorted(
            (submission for submission in self.submissions if submission.student not in lost),
            key=lambda submission: (submission.student, submission.assignment),
        )
        for first, second in pairwise(kept):
            if (first.student, first.assignment) == (second.student, second.assignment):
                raise UsageError(
                    f"{name_shown(first.student)}'s {first.assignment} is there twice. Keep or give one of the two."
                )
        warnings = sorted({*lost.values()})
        if left := [name_shown(file.where) for file in self.left if may_be_work(file)]:
            names = listed(left, MOST_LEFT)
            warnings.append(f"Not graded, since the path names no student and assignment: {names}.")
        return FoundSubmissions(kept, sorted(self.students - lost.keys()), warnings)
