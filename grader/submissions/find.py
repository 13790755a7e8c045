"""Finds what is to be graded: a class in folders, a platform's download, or one student's work.

Only what is in PATH counts, and nothing beside it decides. What does not fit the shape that was said is refused with
one sentence before anything is graded: a wrong guess would be a wrong grade.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise, starmap
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.faults import did_you_mean
from grader.language import N_, translation
from grader.system.folder_listing import is_program
from grader.text import composed, listed, name_shown, same_name_key

from .files import File, Listing, listing_of
from .layouts import FOLDERS, Attempt, looks_like, newest_of, read_download, refuse_exchange
from .names import collision_refusal, collisions, name_fault, name_refusal
from .submission import AGAIN, FoundSubmissions, Submission

MOST_NAMED = 5
PLAIN = re.compile(r"(?<!\.py)(?<!\.ipynb)\.(?:txt|md|rst|log|csv|tsv|json|toml|npy|npz|pth?|pyc)$", re.IGNORECASE)
CLASS = "A class is <student>/<assignment>/<file>"


class Course(msgspec.Struct, frozen=True):
    """What the finder knows of a course.

    Attributes:
        stems: The file name without suffix by assignment id (`01_simple_attention` -> `simple_attention`).
        assignment: The one assignment that is graded; None for all.
        given: The names of the files that students were given.
        layouts: The course's own layouts of downloads: a regular expression by name.
        language: Of what stands in reports.
    """

    stems: Mapping[str, str]
    assignment: str | None = None
    given: frozenset[str] = frozenset()
    layouts: Mapping[str, str] = {}
    language: str = "en"

    def meant(self, stem: str) -> str | None:
        """Return the assignment whose name a file's name without suffix begins with: of several the longest."""
        key = same_name_key(stem)
        fits = [
            (name, id) for id, base in self.stems.items() for name in (base, id) if key.startswith(same_name_key(name))
        ]
        return max(fits, key=lambda fit: len(fit[0]))[1] if fits else None

    def is_named(self, file: File, id: str) -> bool:
        """Tell whether a file has the name of an assignment's, whatever number a platform put behind it."""
        names = {same_name_key(self.stems[id]), same_name_key(id)}
        return not names.isdisjoint({same_name_key(file.stem), same_name_key(AGAIN.sub("", file.stem))})

    def submission(self, student: str, id: str, files: Iterable[File], **facts: object) -> Submission:
        """Return what a student's files come to for an assignment; a zip file among them is opened."""
        _ = translation(self.language).gettext
        stem = self.stems[id]
        every = [inner for file in files for inner in (file.unpacked() if file.is_zip else [file])]
        programs: list[tuple[tuple[int, int], File]] = []
        foreign, beside = [], []
        for file in every:
            if file.kind is None and is_program(file.name):
                rank = 0 if self.is_named(file, id) else 1
                if rank and self.meant(file.stem) not in (None, id):
                    foreign.append(file)
                else:
                    programs.append(((rank, file.where.startswith("../")), file))
            elif file.kind is not None:
                beside.append(f"{name_shown(file.where)} ({_(file.kind)})")
            elif may_be_work(file) and file.name not in self.given:
                beside.append(name_shown(file.where))
        beside += [name_shown(file.where) for file in foreign if not file.where.startswith("../")]
        programs.sort(key=lambda program: (program[0], place_in_order(program[1])))
        problem = None
        if foreign and not programs:
            problem = _("{name} is another assignment's by its name. Hand in {stem}.py or {stem}.ipynb.").format(
                name=name_shown(foreign[0].where), stem=stem
            )
        elif not programs:
            there = listed(beside or [name_shown(file.where) for file in every], MOST_NAMED, self.language)
            problem = _("No program was handed in, only {names}. Hand in {stem}.py or {stem}.ipynb.").format(
                names=there, stem=stem
            )
        return Submission(
            student, id, tuple(file for _, file in programs), tuple(rank for rank, _ in programs),
            problem=problem, beside=tuple(beside), **facts,  # type: ignore[arg-type]
        )  # fmt: skip


def place_in_order(file: File) -> tuple[int, bool, str]:
    """Return what is smaller of a file that comes first among equally likely ones."""
    return file.where.count("/"), file.name.lower().endswith(".ipynb"), file.where


def may_be_work(file: File) -> bool:
    """Return whether a file may be a student's work by its name: not plain text or data, nor a test."""
    return is_program(file.name) or not (PLAIN.search(file.name) or file.name.lower().endswith((".py", ".ipynb")))


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
    intake = FoundSubmissions([], [], [])
    for path in paths:
        if student is not None:
            _take_student(intake, course, path, student)
        elif layout in (None, FOLDERS):
            _take_class(intake, course, path, layout is None)
        else:
            _take_download(intake, course, path, str(layout))
    return _finished(intake, earlier)


def _take_class(intake: FoundSubmissions, course: Course, path: Path, may_be_download: bool) -> None:
    shown = name_shown(str(path), 200)
    if not path.is_dir() and is_program(path.name):
        raise UsageError(f"{shown} is one file. Say whose it is with --student NAME.")
    listing = listing_of(path)
    if may_be_download:
        refuse_exchange(listing, shown)
        if platform := looks_like(listing):
            raise UsageError(
                f"{shown} looks like a download from {platform}. Add --from {platform}, or --from folders."
            )
    students = sorted(folder for folder in listing.folders if "/" not in folder)
    ids = [name for name in students if name in course.stems]
    if ids:
        raise UsageError(
            f"{shown} holds the folder {ids[0]} of an assignment. If it is one student's, add --student NAME."
        )
    if not students:
        raise UsageError(f"{shown} holds no student's folder. {CLASS}; one student's work needs --student NAME.")
    for student, inside in _by_folder(listing).items():
        handed, left = _by_assignment(course, inside, f"{path}/{student}", deep=False)
        for id, files in handed.items():
            _add(intake, course, student, id, files)
        _name_left(intake, [msgspec.structs.replace(file, where=f"{student}/{file.where}") for file in left])
    intake.students.extend(students)
    _name_left(intake, [file for file in listing.files if "/" not in file.where])


def _take_student(intake: FoundSubmissions, course: Course, path: Path, student: str) -> None:
    if fault := name_fault(student):
        raise UsageError(f"The student's name {name_shown(student)} {fault}. Give another with --student.")
    name = Path(os.path.abspath(path)).name  # noqa: PTH100 - resolve() would follow links
    intake.students.append(student)
    if not path.is_dir() and (course.assignment or is_program(name)):
        id = course.assignment or _named(course, Path(name).stem)
        if id is None:
            raise UsageError(f"{name_shown(name)} does not say which assignment it is. Add --assignment ID.")
        _add(intake, course, student, id, [File(path, (), name)])
        return
    listing = listing_of(path)
    id = course.assignment or (name if name in course.stems else None)
    narrowed_course = msgspec.structs.replace(course, assignment=id)
    handed, left = _by_assignment(narrowed_course, listing, str(path), deep=True)
    for id, files in handed.items():
        _add(intake, course, student, id, files)
    _name_left(intake, left)


def _take_download(intake: FoundSubmissions, course: Course, path: Path, layout: str) -> None:
    shown, listing = name_shown(str(path), 200), listing_of(path)
    if layout == "nbgrader":
        refuse_exchange(listing, shown)
    download = read_download(listing, shown, layout, course.layouts, lambda name: _named(course, name) is not None)
    if course.assignment is None and (download.missing or any(not attempt.assignment for attempt in download.attempts)):
        raise UsageError(f"A download from {layout} does not say which assignment it is. Add --assignment ID.")
    _ = translation(course.language).gettext
    grouped: defaultdict[tuple[str, str], list[Attempt]] = defaultdict(list)
    unknown: set[str] = set()
    for attempt in download.attempts:
        id = _named(course, attempt.assignment) if attempt.assignment else course.assignment
        if id is None:
            unknown.add(attempt.assignment)
        elif course.assignment in (None, id):
            grouped[attempt.student, id].append(attempt)
    for (student, id), attempts in grouped.items():
        newest = newest_of(attempts)
        if newest is None:
            names = listed([name_shown(attempt.uploaded) for attempt in attempts], MOST_NAMED, course.language)
            problem = _(
                "The names of these attempts do not say which is the newest: {names}. Keep one of them."
            ).format(names=names)
            intake.submissions.append(Submission(student, id, problem=problem))
            continue
        note = _("Of {count} attempts the newest counts: {name}.")
        notes = (note.format(count=len(attempts), name=name_shown(newest.uploaded)),)
        _add(
            intake, course, student, id, newest.files, notes=notes if len(attempts) > 1 else (),
            submitted=newest.when, late=newest.late, uploaded=newest.uploaded,
        )  # fmt: skip
    for student, folder in download.missing.items():
        problem = _("The download has no folder {name}, which should be this student's. Download it again.").format(
            name=name_shown(folder)
        )
        intake.submissions.append(Submission(student, str(course.assignment), problem=problem))
    intake.students.extend({attempt.student for attempt in download.attempts} | {*download.missing})
    if unknown:
        names = listed(sorted(map(name_shown, unknown)), MOST_NAMED)
        intake.warnings.append(f"No assignment of this course is called {names}, so what is there was not graded.")
    _name_left(intake, download.nobodys)


def _by_assignment(
    course: Course, listing: Listing, shown: str, *, deep: bool
) -> tuple[dict[str, list[File]], list[File]]:
    """Return a student's files by assignment, and those that are in none's place.

    Args:
        listing: What is in the student's folder.
        shown: The folder, for sentences.
        deep: Whether a person said whose all of it is, so that it counts at any depth.

    Raises:
        UsageError: What is there is laid out in another way.
    """
    in_place = {file.where: [file] for file in listing.files if file.where in course.stems}  # links
    ids = {folder for folder in listing.folders if folder in course.stems} | in_place.keys()
    inner = sorted(
        path for path in listing.folders if path.rpartition("/")[2] in course.stems and path.split("/")[0] not in ids
    )
    if inner and (not deep or len({path.rpartition("/")[2] for path in inner}) < len(inner)):
        where, _, name = inner[0].rpartition("/")
        raise UsageError(
            f"{name_shown(f'{shown}/{where}', 200)} holds the folder {name} of an assignment, one folder too deep. "
            f"{CLASS}, and a class within another folder is graded by itself."
        )
    outside = [file for file in listing.files if file.where.split("/")[0] not in ids]
    programs = [file for file in outside if is_program(file.name)]
    asked = course.assignment
    if asked is None or asked in ids:
        beside = [msgspec.structs.replace(file, where=f"../{file.where}") for file in outside]
        inside = {id: folder.files for id, folder in _by_folder(listing).items() if id in ids} | in_place
        inside = {id: files for id, files in inside.items() if asked in (None, id)}
        handed = {id: [*files, *beside] for id, files in inside.items() if files or deep}
        named = [file for file in programs if course.meant(file.stem) not in (None, *handed)]
        if programs and not ids:
            raise UsageError(
                f"{name_shown(f'{shown}/{programs[0].where}', 200)} is in no assignment's folder. {CLASS}; for "
                "<student>/<file> say which assignment it is with --assignment ID. "
                + did_you_mean(programs[0].where.partition("/")[0], course.stems)
            )
        return handed, named if handed else outside
    works = [file for file in outside if file.is_zip or is_program(file.name)]
    loose = [file for file in works if "/" not in file.where]
    if works and not loose and not deep:
        raise UsageError(
            f"{name_shown(f'{shown}/{works[0].where}', 200)} is a folder too deep: with --assignment a class is "
            "<student>/<file>. Move it up, or grade that folder by itself."
        )
    if not deep and not any(course.is_named(file, asked) for file in loose):  # so it may be a folder of students
        further = [file for file in works if file not in loose]
        named = [msgspec.structs.replace(file, kind=N_("in a folder further down")) for file in further]
        outside = [file for file in outside if file not in further] + named
    return {asked: outside}, []


def _by_folder(listing: Listing) -> dict[str, Listing]:
    """Return what is in each of the uppermost folders; one that is not looked through is in itself."""
    inside = {folder: Listing([], set()) for folder in listing.folders if "/" not in folder}
    for file in listing.files:
        top, _, rest = file.where.partition("/")
        if top in inside:
            inside[top].files.append(msgspec.structs.replace(file, where=rest or top))
    for folder in listing.folders:
        top, _, rest = folder.partition("/")
        inside[top].folders.update([rest] if rest else [])
    return inside


def _named(course: Course, name: str) -> str | None:
    """Return the assignment that a name is the id or the file name of."""
    return next(
        (id for id, stem in course.stems.items() if same_name_key(name) in map(same_name_key, (id, stem))), None
    )


def _add(
    intake: FoundSubmissions, course: Course, student: str, id: str, files: Iterable[File], **facts: object
) -> None:
    if files:
        intake.submissions.append(course.submission(student, id, files, **facts))


def _name_left(intake: FoundSubmissions, left: Iterable[File]) -> None:
    """Name the files that are no student's, or in no assignment's place."""
    work = [file for file in left if may_be_work(file)]
    if work:
        names = listed([name_shown(file.where) for file in work], MOST_NAMED)
        intake.warnings.append(f"Not graded, since the path names no student and assignment: {names}.")


def _finished(intake: FoundSubmissions, earlier: Iterable[str]) -> FoundSubmissions:
    """Return what was found in order, without those whose names cannot be told apart.

    A name is the same however its accents and its Hangul are encoded, as in a download that a Mac unpacked.
    """
    faults = {name: fault for name in {*intake.students} if (fault := name_fault(name))}
    names = {*intake.students} - {*faults}
    groups = collisions(names)
    others = {*map(composed, names - {name for group in groups for name in group})}
    groups += [group for group in collisions({*others, *earlier}) if not others.isdisjoint(group)]
    dropped = {*faults, *(name for group in groups for name in group)}
    kept = sorted(
        (
            msgspec.structs.replace(submission, student=composed(submission.student))
            for submission in intake.submissions
            if submission.student not in dropped and composed(submission.student) not in dropped
        ),
        key=lambda submission: (submission.student, submission.assignment),
    )
    for first, second in pairwise(kept):
        if (first.student, first.assignment) == (second.student, second.assignment):
            raise UsageError(f"Two paths hold {name_shown(first.student)}'s {first.assignment}. Give one of the two.")
    warnings = [*intake.warnings, *starmap(name_refusal, sorted(faults.items())), *map(collision_refusal, groups)]
    return FoundSubmissions(kept, sorted({*map(composed, names)} - dropped), warnings)
