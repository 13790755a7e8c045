"""Which submissions the options mean, whether these are a whole class, and what students were given."""

import hashlib
import os
from collections.abc import Collection, Sequence
from pathlib import Path

from grader.course.layout import Assignment, Course
from grader.errors import UsageError
from grader.source_cells import StubTexts
from grader.submissions.finding.find import find_submissions
from grader.submissions.possible_work import is_zip
from grader.submissions.submission import FoundSubmissions

from .options import GradeOptions


def find_all(course: Course, options: GradeOptions) -> FoundSubmissions:
    """Find the submissions that the options name.

    Raises:
        UsageError: There are none, or a path is not one.
    """
    found = find_submissions(
        options.paths,
        assignments={each.id: each.name for each in course.assignments.values()},
        assignment=None if options.assignment is None else course.assignment(options.assignment).id,
        student=options.student,
        layout=options.layout,
        given={
            each.id: [file.name for file in each.released.iterdir()]
            for each in course.assignments.values()
            if each.released.is_dir()  # the build may never have been run
        },
    )
    if not found.submissions and not found.warnings:
        raise UsageError("Submissions were looked for, but there are none.", hint="Name a class, a folder or a file.")
    return found


def is_asked_for(options: GradeOptions, student: str, assignment: str) -> bool:
    """Return whether the options ask for a student's submission of an assignment, if the class has it."""
    return options.assignment is None or options.assignment in (assignment, assignment.partition("_")[2])


def stub_texts(assignment: Assignment) -> StubTexts:
    """Return the texts of the files that students were given; empty where the build was never run."""

    def text(suffix: str) -> str:
        path = assignment.released / f"{assignment.name}{suffix}"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    return StubTexts(text(".py"), text(".ipynb"), tuple(exercise.id for exercise in assignment.exercises))


def class_of(options: GradeOptions, students: Collection[str], assignments: Collection[str]) -> str:
    """Return a hash of where the class is that the options name; empty where they name parts of one.

    Only a run over a whole class can say that somebody left it.
    """
    paths = [Path(os.path.realpath(path)) for path in options.paths]
    if options.student is not None:
        return ""
    folders = sorted({_folder_of(path, paths, students, assignments) for path in paths})
    if "" in folders:
        return ""
    return hashlib.sha256("\0".join(folders).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def classes_of(options: GradeOptions, students: Collection[str]) -> list[Path]:
    """Return those of the paths that are classes, and not what one student handed in, which may hold anything."""
    if options.student is not None:
        return []
    paths = [Path(os.path.realpath(path)) for path in options.paths]
    names = [(path.stem if is_zip(path.name) else path.name, path.parent.name) for path in paths]
    return [
        path
        for path, near in zip(paths, names, strict=True)
        if (path.is_dir() or is_zip(path.name)) and not {*near} & {*students}
    ]


def _folder_of(path: Path, paths: Sequence[Path], students: Collection[str], assignments: Collection[str]) -> str:
    """Return the class that a path is, or that it makes together with all others beside it, as `class/*` does."""
    beside = [each.name for each in paths if each.parent == path.parent]
    if len(beside) > 1 and _folders_in(path.parent) <= {*beside}:
        return str(path.parent)
    name = path.stem if is_zip(path.name) else path.name
    of_student = path.parent.name if name in assignments else name
    return str(path) if (path.is_dir() or is_zip(path.name)) and of_student not in students else ""


def _folders_in(folder: Path) -> set[str]:
    try:
        return {entry.name for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith(".")}
    except OSError:
        return set()
