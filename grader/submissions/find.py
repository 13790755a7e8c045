"""Finds what is to be graded: a class in folders, a platform's download, or one student's work.

Only what is in PATH counts, and nothing beside it decides. What does not fit the shape that was said is refused with
one sentence before anything is graded: a wrong guess would be a wrong grade.
"""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from grader.errors import UsageError
from grader.language import N_
from grader.system.folder_listing import is_program
from grader.text import composed, listed, name_shown, same_name_key

from .files import File, listing_of
from .layouts import FOLDERS, looks_like, newest_of, of_download, time_of
from .names import Course, is_folder_name, is_work, may_be_work
from .submission import FoundSubmissions, Submission

MOST_LEFT = 50
TEXTS = (".txt", ".md", ".rst")  # in which a program may have been saved
AGAIN = re.compile(r"(?:-\d+| ?\(\d+\))$")  # what Canvas and browsers put behind a name that is there already


def submission_of(handed: Sequence[File], course: Course) -> Submission:
    """Return what files of one student's come to for an assignment; a zip file among them is opened."""
    newest = newest_of(handed)
    student, id, when = newest[0].student, newest[0].assignment, time_of(newest[0].attempt)
    files = [_known(inner, id, course) for file in newest for inner in file.unpacked()]
    return Submission(
        composed(student),
        id,
        tuple(sorted(files, key=_likelihood)),
        submitted=None if when is None else when.isoformat(),
        late=any(file.late for file in newest) or None,
        uploaded=newest[0].uploaded,
    )


def _known(file: File, id: str, course: Course) -> File:
    """Return a file with what its name says: whether it is called like the assignment, or is another's program.

    A number that a platform put behind the name is not part of it; another's is what begins with its name.
    """
    begun, whole = course.named(AGAIN.sub("", Path(file.name).stem))
    if file.kind is None and begun not in (None, id) and is_program(file.name):
        return replace(file, kind=N_("another assignment's"))
    may_be = is_program(file.name) or file.name.lower().endswith(TEXTS)
    return replace(file, named=whole and begun == id and may_be)


def _likelihood(file: File) -> tuple[bool, int, bool, str]:
    return not file.named, file.where.count("/"), file.name.lower().endswith(".ipynb"), file.where


def misfit(place: str) -> UsageError:
    """Return the refusal of what is laid out in another way."""
    return UsageError(
        f"{name_shown(place, 200)} does not fit a class, which is <student>/<assignment>/<file>, or <student>/<file> "
        "with --assignment ID. Move it, or say with --student NAME whose folder or file it is."
    )


def find_submissions(
    paths: Iterable[Path],
    course: Course,
    *,
    student: str | None = None,
    layout: str | None = None,
) -> FoundSubmissions:
    """Find what is to be graded.

    Args:
        paths: Classes or downloads, or with a student one folder, zip file or program of that student.
        layout: The platform whose download the paths are, one of the course's own, or `folders`; None for a class in
            folders that must not look like a download.

    Raises:
        UsageError: A path is missing, can't be read or does not fit; or two hold the same submission.
        CourseError: A layout of the course's can't be used.
    """
    if student is not None and layout not in (None, FOLDERS):
        raise UsageError(
            f"--from {layout} says whose submission file is, and so does --student. Leave out one of the two."
        )
    submissions: dict[tuple[str, str], Submission] = {}
    students: set[str] = set()
    left: list[str] = []
    for path in paths:
        if student is not None:
            handed: Iterable[File] = _of_student(path, student, course)
        elif layout in (None, FOLDERS):
            handed = _of_class(path, course, may_be_download=layout is None)
        else:
            handed = of_download(path, str(layout), course)
        grouped: defaultdict[tuple[str, str], list[File]] = defaultdict(list)
        for file in handed:
            grouped[file.student, file.assignment].append(file)
        for (name, id), files in grouped.items():
            place = composed(name), id
            if name:
                students.add(place[0])
            if not id:
                left += [name_shown(file.where) for file in files if may_be_work(file.name)]
            elif place in submissions:
                raise UsageError(f"{name_shown(name)} has two submissions for {id}. Keep or give one of them.")
            elif course.assignment in (None, id):
                submissions[place] = submission_of(files, course)
    alike = Counter(map(same_name_key, students))  # on some systems two of these would be one folder
    odd = sorted(name for name in students if not is_folder_name(name) or alike[same_name_key(name)] > 1)
    why = {True: "is another student's name but for case", False: "cannot be a folder's name"}
    warnings = [
        f"{name_shown(name)} {why[is_folder_name(name)]}, so nothing of it was graded. Rename it." for name in odd
    ]
    if left:
        warnings.append(f"Not graded, since the path names no student and assignment: {listed(left, MOST_LEFT)}.")
    kept = [submissions[place] for place in sorted(submissions) if place[0] not in odd]
    return FoundSubmissions(kept, sorted(students.difference(odd)), warnings)


def _of_class(path: Path, course: Course, *, may_be_download: bool) -> Iterator[File]:
    files, shown = listing_of(path), name_shown(str(path), 200)
    if may_be_download and (platform := looks_like(files)):
        raise UsageError(f"{shown} looks like a download from {platform}. Add --from {platform}, or --from folders.")
    by_student: defaultdict[str, list[File]] = defaultdict(list)
    for file in files:
        student, inner, where = file.where.partition("/")
        if inner:
            by_student[student].append(replace(file, where=where))
        else:
            yield file
    if not by_student or not by_student.keys().isdisjoint(course.ids):
        raise misfit(str(path))
    for student, mine in by_student.items():
        yield from _of_places(student, mine, course)


def _of_student(path: Path, student: str, course: Course) -> Iterator[File]:
    name = Path(os.path.abspath(path)).name  # noqa: PTH100 - resolve() would follow links
    alone = File(path, name)
    files = listing_of(path) if path.is_dir() or alone.is_zip or not os.path.lexists(path) else [alone]
    if not course.ids.isdisjoint(file.where.partition("/")[0] for file in files):
        yield from _of_places(student, files, course)
        return
    id = course.assignment or course.id_of(Path(name).stem)
    if id is None:
        raise UsageError(f"{name_shown(name)} does not say which assignment it is. Add --assignment ID.")
    if sum(f"/{file.where}".endswith(f"/{id}/") for file in files) > 1:
        raise UsageError(f"{name_shown(str(path), 200)} has several folders {id}. Name that of {name_shown(student)}.")
    yield from (replace(file, student=student, assignment=id) for file in files if file.name)  # at any depth


def _of_places(student: str, files: Sequence[File], course: Course) -> Iterator[File]:
    """Yield what is in `<assignment>/<file>`, or `<file>` where an assignment is asked for that has no folder.

    What lies elsewhere is named beside each of these, and not read.
    """
    asked, ids = course.assignment, course.ids & {file.where.partition("/")[0] for file in files}
    placed: list[File] = []
    outside: list[File] = []
    for file in (replace(file, student=student) for file in files):
        id, _, where = file.where.partition("/")
        if not file.name:
            yield file
        elif id in ids:  # also where a link is in a folder's place
            placed.append(replace(file, assignment=id, where=where or id))
        elif asked and asked not in ids and not where:
            placed.append(replace(file, assignment=asked))
        else:
            outside.append(replace(file, where=f"{student}/{file.where}", kind=N_("in another folder")))
    works = [file for file in outside if is_work(file.name)]
    fits = bool(ids) or any(is_work(file.name) for file in placed)
    if works and not fits:
        raise misfit(works[0].where)
    yield from placed
    yield from works if fits else outside
    for id in {asked} if asked else {file.assignment for file in placed}:
        yield from (replace(file, assignment=id) for file in outside)
