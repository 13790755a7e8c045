"""Finds what a student works on: the file, its visible tests and its exercises, with no solution anywhere near.

A student has the folders of `assignments/` only, edits the very file that the exercises are listed in, and may have
lost the cell markers on the way. So the visible tests, which nobody edits, say which exercises there are; titles come
from the file where it still has them.
"""

import ast
import contextlib
import json
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import CourseError, UsageError
from grader.faults import nearest, read_text
from grader.language import translation
from grader.system.folder_listing import SUFFIXES, is_program

from .exercises import Exercise, ExerciseCell
from .percent_format import parse, split_cells


@dataclass(frozen=True)
class StudentFiles:
    """What `grader check` needs for one assignment.

    Attributes:
        whole: Whether a folder was named, in which a `.py` and a notebook may both count.
        exercises: The exercises in the order of the tests.
    """

    assignment: str
    name: str
    submission: Path
    visible: Path
    exercises: list[Exercise]
    whole: bool = False


def find_student_files(path: Path, language: str = "en") -> StudentFiles:
    """Find the assignment that a student means by a file, an assignment's folder or one above a single assignment.

    Args:
        language: Of the sentence where nothing fits.

    Raises:
        UsageError: Nothing fits or more than one thing does; the sentence names what to type.
    """
    _ = translation(language).gettext
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        exercise = _("To check an exercise of this name: grader check --exercise {name}").format(name=path.name)
        sentence = _("There is no file or folder {place}. Look at its spelling.")
        raise UsageError(sentence.format(place=path), "" if path.suffix else exercise) from None
    except (OSError, ValueError) as problem:
        sentence = _("{place} cannot be read: {problem}. Look at its spelling.")
        raise UsageError(sentence.format(place=path, problem=getattr(problem, "strerror", problem))) from None
    if stat.S_ISDIR(mode):
        folder = _folder(path.resolve(), language)
        return replace(_read(folder, _first_file(folder, language)), whole=True)
    if path.suffix not in SUFFIXES:
        sentence = _("{file} is not a file that ends in .py or .ipynb. Name the file that you worked in.")
        raise UsageError(sentence.format(file=path.name))
    if not stat.S_ISREG(mode):
        raise UsageError(_("{place} is not a plain file. Name the file that you worked in.").format(place=path))
    place = path.parent.resolve() / path.name  # A link to a file counts where it is, and under its own name.
    folder = _folder_of_file(place, language)
    return _read(folder, place)


def files_of_exercise(place: Path, exercise: str, language: str = "en") -> StudentFiles:
    """Return the assignment around a folder, such as a notebook's own, that has this exercise; the closest comes first.

    Raises:
        NoSuchExercise: No assignment there has it; the sentence names the closest exercise.
    """
    known: list[str] = []
    place = place.resolve()
    folders = [folder for folder in (place, *place.parents) if _assignment_name(folder)]
    for folder in dict.fromkeys(folders + _assignments_around(place)):
        name = folder.name.partition("_")[2]
        exercises = _tested(folder / f"test_{name}.py")
        if exercise in exercises:
            return _read(folder, folder / f"{name}.ipynb")
        known += exercises
    if known:
        raise NoSuchExercise(unknown_exercise(exercise, known, language))
    sentence = translation(language).gettext(
        "There is no assignment around {place}, so `{name}` cannot be checked. The folder of your file must hold the "
        "tests and be named as it came, like 01_simple_attention with test_simple_attention.py in it."
    )
    raise NoSuchExercise(sentence.format(place=place, name=exercise))


class NoSuchExercise(UsageError):
    """No assignment around a folder has an exercise of this name."""


def unknown_exercise(name: str, known: Sequence[str], language: str) -> str:
    """Return what a student is told of a name that no exercise has: the nearest of the exercises, or all of them."""
    _ = translation(language).gettext
    near = nearest(name, known)
    if near is None:
        sentence = _("There is no exercise `{name}` here. The exercises are: {known}.")
        return sentence.format(name=name, known=", ".join(known))
    return _("There is no exercise `{name}` here. Did you mean `{near}`?").format(name=name, near=near)


def _assignment_name(folder: Path) -> str | None:
    number, _, name = folder.name.partition("_")
    if len(number) == 2 and number.isdigit() and name and (folder / f"test_{name}.py").is_file():
        return name
    return None


def _assignments_in(folder: Path) -> Iterator[Path]:
    for place in (folder, folder / "assignments"):
        with contextlib.suppress(OSError):
            yield from sorted(child for child in place.iterdir() if _assignment_name(child))


def _assignments_around(place: Path) -> list[Path]:
    """Return what lies so in `place` and in everything above it, the closest first."""
    return [assignment for folder in (place, *place.parents) for assignment in _assignments_in(folder)]


def _folder(place: Path, language: str) -> Path:
    _ = translation(language).gettext
    for folder in (place, *place.parents):
        if _assignment_name(folder):
            return folder
    folders = list(_assignments_in(place))
    if len(folders) == 1:
        return folders[0]
    if folders:
        names = ", ".join(f"`{folder.relative_to(place).as_posix()}`" for folder in folders)
        sentence = _("There are several assignments here: {names}. Go into one of them, or name it.")
        raise UsageError(sentence.format(names=names))
    stems = [file.stem.removeprefix("test_") for file in place.glob("test_*.py")]
    if stem := next((name for name in stems if any((place / f"{name}{end}").is_file() for end in SUFFIXES)), None):
        sentence = _(
            "{place} holds test_{stem}.py, but is not named as it came. Give the folder its name back, such as "
            "01_{stem}."
        )
        raise UsageError(sentence.format(place=place, stem=stem))
    sentence = _(
        "There is no assignment in {place}. An assignment's folder is named like `01_simple_attention` and holds "
        "`test_simple_attention.py`. Go into that folder, or name the file to check."
    )
    raise UsageError(sentence.format(place=place))


def _folder_of_file(place: Path, language: str) -> Path:
    for folder in place.parents:
        if _assignment_name(folder):
            return folder
    around = _assignments_around(place.parent) + _assignments_around(Path.cwd())
    candidates = {_assignment_name(folder): folder for folder in reversed(around)}  # the closest last, so that it wins
    if place.stem in candidates:
        return candidates[place.stem]
    _ = translation(language).gettext
    near = nearest(place.stem, filter(None, candidates))
    if near is not None:
        raise UsageError(_("No assignment goes with {file}. Did you mean `{near}`?").format(file=place.name, near=near))
    sentence = _("No assignment goes with {file}. Keep the file in the folder that it came in, beside its tests.")
    raise UsageError(sentence.format(file=place.name))


def _first_file(folder: Path, language: str) -> Path:
    _ = translation(language).gettext
    name = _assignment_name(folder)
    files = [folder / f"{name}{suffix}" for suffix in SUFFIXES]
    present = [file for file in files if file.is_file()]
    if not present:
        for file in files:
            if os.path.lexists(file):
                sentence = _("{file} in {folder} is not a plain file. Put your own file in its place.")
                raise UsageError(sentence.format(file=file.name, folder=folder))
        present = [file for file in programs_in(folder) if file.is_file()]
        if len({file.stem for file in present}) == 1:  # as in grading
            return present[0]
        others = f": {', '.join(file.name for file in present)}" if present else ""
        sentence = _("{folder} holds neither `{name}.py` nor `{name}.ipynb`. Name the file to check{others}.")
        raise UsageError(sentence.format(folder=folder, name=name, others=others))
    return present[0]


def programs_in(folder: Path) -> list[Path]:
    """Return the files in a folder that may be a student's work by their names."""
    return [file for file in sorted(folder.iterdir()) if is_program(file.name) and not file.name.startswith(".")]


def _read(folder: Path, submission: Path) -> StudentFiles:
    name = _assignment_name(folder)
    assert name is not None
    visible = folder / f"test_{name}.py"
    metadata: dict[str, dict[str, Any]] = {}
    for file in (folder / f"{name}.ipynb", folder / f"{name}.py", submission):
        if file.is_file():  # To open a named pipe is to wait for somebody who writes into it.
            metadata.update(_metadata(file))
    exercises = [_exercise(exercise_id, metadata.get(exercise_id, {})) for exercise_id in _tested(visible)]
    return StudentFiles(folder.name, name, submission, visible, exercises)


def _tested(visible: Path) -> list[str]:
    """Return the exercises that a file of tests names by `exercise("...")`, without running it."""
    names: list[str] = []
    for node in ast.walk(parse(read_text(visible), visible)):
        match node:
            case ast.Call(
                func=ast.Name(id="exercise") | ast.Attribute(attr="exercise"), args=[ast.Constant(str(name))]
            ):
                names.append(name)
    return list(dict.fromkeys(names))


def _metadata(file: Path) -> dict[str, dict[str, Any]]:
    """Return what the cells of a file still say, by grade id; a file that cannot be read says nothing."""
    metadata: dict[str, dict[str, Any]] = {}
    try:
        if file.suffix == ".ipynb":
            cells = [cell["metadata"] for cell in json.loads(file.read_bytes())["cells"]]
        else:
            cells = [dict(cell.metadata) for cell in split_cells(read_text(file), file)]
        for cell in cells:
            nbgrader = cell.get("nbgrader", {})
            metadata.setdefault(str(nbgrader.get("grade_id")), {}).update(cell)
    except (OSError, CourseError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}
    return metadata


def _exercise(exercise_id: str, cell: dict[str, Any]) -> Exercise:
    try:
        metadata = msgspec.convert(cell.get("exercise"), ExerciseCell)
    except msgspec.ValidationError:
        metadata = ExerciseCell(title=exercise_id, difficulty=1, minutes=1, source="")
    return Exercise(id=exercise_id, points=Decimal(0), line=0, **metadata.fields())
