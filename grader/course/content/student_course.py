"""Finds what a student works on: the file, its visible tests and its exercises, with no solution anywhere near.

A student has the folders of `assignments/` only, edits the very file that the exercises are listed in, and may have
lost the cell markers on the way. So the visible tests, which nobody edits, say which exercises there are; titles come
from the file where it still has them.
"""

import ast
import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import msgspec

from grader.errors import CourseError, UsageError
from grader.faults import did_you_mean, read_text
from grader.inside.forbidden.groups import GROUPS
from grader.system.folder_listing import is_program, kind_of

from .exercises import Exercise, ExerciseCell
from .percent_format import parse, split_cells

SUFFIXES = (".py", ".ipynb")


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


def find_student_files(path: Path) -> StudentFiles:
    """Find the assignment that a student means by a file, an assignment's folder or one above a single assignment.

    Raises:
        UsageError: Nothing fits or more than one thing does; the sentence names what to type.
    """
    kind = _kind(path)
    if kind == "a folder":
        folder = _folder(path.resolve(), path)
        return replace(_read(folder, _first_file(folder)), whole=True)
    if path.suffix not in SUFFIXES:
        raise UsageError(
            f"A student's file ends in .py or .ipynb, but {path.name} was given.",
            hint="Name that file.",
            korean=f"푼 파일은 .py나 .ipynb로 끝나는데 다른 파일을 주었습니다: {path.name}. 푼 파일의 이름을 쓰세요.",
        )
    if kind is not None:
        raise UsageError(
            "A student's file was looked for.",
            f"{path} is {kind}.",
            "Name the file that you worked in.",
            korean=f"보통 파일이 아닙니다: {path}. 푼 파일의 이름을 쓰세요.",
        )
    place = path.parent.resolve() / path.name  # A link to a file counts where it is, and under its own name.
    folder = _folder_of_file(place)
    return _read(folder, place)


def _kind(path: Path) -> str | None:
    """Resolve links and return what is there, None for a regular file."""
    try:
        return kind_of(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        exercise = "" if path.suffix else f" To check an exercise of this name: grader check --exercise {path.name}"
        exercise_ko = exercise and f" 이 이름의 문제를 검사하려면: grader check --exercise {path.name}"
        raise UsageError(
            f"{path} was looked for, but there is no such file or folder.",
            hint=f"Look at its spelling.{exercise}",
            korean=f"그런 파일이나 폴더가 없습니다: {path}. 철자를 확인하세요.{exercise_ko}",
        ) from None
    except (OSError, ValueError) as problem:
        raise UsageError(f"{path} could not be looked at: {problem}.", hint="Look at its spelling.") from None


def files_of_exercise(place: Path, exercise: str) -> StudentFiles:
    """Return the assignment around a folder, such as a notebook's own, that has this exercise; the closest comes first.

    Raises:
        NoSuchExercise: No assignment there has it; the sentence names the closest exercise.
    """
    known: list[str] = []
    place = place.resolve()
    own = [folder for folder in (place, *place.parents) if _assignment_name(folder)]
    for folder in dict.fromkeys(own + _assignments_around(place)):
        name = folder.name.partition("_")[2]
        exercises = _tested(folder / f"test_{name}.py")
        if exercise in exercises:
            return _read(folder, folder / f"{name}.ipynb")
        known += exercises
    raise NoSuchExercise(place, exercise, known)


class NoSuchExercise(UsageError):
    """No assignment around a folder has an exercise of this name.

    Attributes:
        known: The exercises that were found there; empty when there is no assignment at all.
    """

    def __init__(self, place: Path, exercise: str, known: list[str]) -> None:
        self.place = place
        self.exercise = exercise
        self.known = known
        super().__init__(
            f"The exercise `{exercise}` was looked for in the assignments around {place}.",
            "None of them has it." if known else "There are no assignments.",
            did_you_mean(exercise, known) or "Go into the folder that the assignment came in.",
            f"{place} 주위의 과제에서 `{exercise}` 문제를 찾지 못했습니다. 철자를 확인하거나 과제 폴더로 들어가세요.",
        )


def _assignment_name(folder: Path) -> str | None:
    """Return the assignment's name if the folder is one that students get."""
    number, _, name = folder.name.partition("_")
    if len(number) == 2 and number.isdigit() and name and (folder / f"test_{name}.py").is_file():
        return name
    return None


def _assignments_in(folder: Path) -> Iterator[Path]:
    """Yield the assignments in a folder or in its `assignments/`."""
    for place in (folder, folder / "assignments"):
        with contextlib.suppress(OSError):
            yield from sorted(child for child in place.iterdir() if _assignment_name(child))


def _assignments_around(place: Path) -> list[Path]:
    """Return what lies so in `place` and in everything above it, the closest first."""
    return [found for folder in (place, *place.parents) for found in _assignments_in(folder)]


def _folder(place: Path, given: Path) -> Path:
    for folder in (place, *place.parents):
        if _assignment_name(folder):
            return folder
    found = list(_assignments_in(place))
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(f"`{folder.relative_to(place).as_posix()}`" for folder in found)
        shown = "This folder" if given == Path() else given
        raise UsageError(
            f"{shown} holds several assignments: {names}.",
            hint="Go into one of them, or name it.",
            korean=f"과제가 여러 개 있습니다: {names}. 그 가운데 하나로 들어가거나 이름을 쓰세요.",
        )
    stems = [each.stem.removeprefix("test_") for each in place.glob("test_*.py")]
    if stem := next((each for each in stems if any((place / f"{each}{end}").is_file() for end in SUFFIXES)), None):
        name = f"01_{stem}"
        raise UsageError(
            f"An assignment was looked for in {place}.",
            f"It holds test_{stem}.py, but is not named as it came.",
            f"Give the folder its name back, such as {name}.",
            f"{place} 폴더에 test_{stem}.py 파일이 있지만 폴더 이름이 받은 그대로가 아닙니다. 이름을 되돌리세요. "
            f"예: {name}",
        )
    raise UsageError(
        f"An assignment was looked for in {place}, but there is none.",
        "An assignment's folder is named like `01_simple_attention` and holds `test_simple_attention.py`.",
        "Go into that folder, or name the file to check.",
        f"{place} 폴더에서 과제를 찾지 못했습니다. 과제 폴더는 `01_simple_attention`과 같은 이름이고 그 안에 "
        "`test_simple_attention.py`가 있습니다. 그 폴더로 들어가거나 검사할 파일의 이름을 쓰세요.",
    )


def _folder_of_file(place: Path) -> Path:
    for folder in place.parents:
        if _assignment_name(folder):
            return folder
    around = _assignments_around(place.parent) + _assignments_around(Path.cwd())
    candidates = {_assignment_name(folder): folder for folder in reversed(around)}  # the closest last, so that it wins
    if place.stem in candidates:
        return candidates[place.stem]
    hint = did_you_mean(place.stem, [name for name in candidates if name])
    raise UsageError(
        f"The assignment of {place.name} was looked for, but no folder like `01_{place.stem}` holds its visible tests.",
        hint=hint or "Keep the file in the folder that it came in, beside its tests.",
        korean=f"이 파일의 과제를 찾지 못했습니다: {place.name}. 파일을 받은 폴더에 검사 파일과 함께 그대로 두세요.",
    )


def _first_file(folder: Path) -> Path:
    name = _assignment_name(folder)
    files = [folder / f"{name}{suffix}" for suffix in SUFFIXES]
    present = [file for file in files if file.is_file()]
    if not present:
        for file in files:
            if os.path.lexists(file):
                kind = (kind_of(file.stat().st_mode) if file.exists() else None) or "a link that leads nowhere"
                raise UsageError(
                    f"A file to check was looked for in {folder}.",
                    f"{file.name} is {kind}.",
                    korean=f"{folder} 폴더에서 검사할 파일을 찾았지만 보통 파일이 아닙니다: {file.name}.",
                )
        present = [each for each in programs_in(folder) if each.is_file()]
        if len({each.stem for each in present}) == 1:  # as in grading
            return present[0]
        found = f"It holds neither `{files[0].name}` nor `{files[1].name}`."
        others = f": {', '.join(each.name for each in present)}" if present else ""
        raise UsageError(
            f"A file to check was looked for in {folder}.",
            found,
            f"Name the file to check{others}.",
            f"{folder} 폴더에 `{files[0].name}`도 `{files[1].name}`도 없습니다. 검사할 파일의 이름을 쓰세요{others}.",
        )
    return present[0]


def programs_in(folder: Path) -> list[Path]:
    """Return the files in a folder that may be a student's work by their names."""
    return [each for each in sorted(folder.iterdir()) if is_program(each.name) and not each.name.startswith(".")]


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
    rule = "the visible tests of an assignment were looked for."
    names: list[str] = []
    for node in ast.walk(parse(read_text(visible, rule), visible)):
        match node:
            case ast.Call(
                func=ast.Name(id="exercise") | ast.Attribute(attr="exercise"), args=[ast.Constant(str(name))]
            ):
                names.append(name)
    return list(dict.fromkeys(names))


def _metadata(file: Path) -> dict[str, dict[str, Any]]:
    """Return what the cells of a file still say, by grade id; a file that cannot be read says nothing."""
    found: dict[str, dict[str, Any]] = {}
    try:
        if file.suffix == ".ipynb":
            cells = [cell["metadata"] for cell in json.loads(file.read_bytes())["cells"]]
        else:
            cells = [dict(cell.metadata) for cell in split_cells(read_text(file, "a file of exercises."), file)]
        for cell in cells:
            nbgrader = cell.get("nbgrader", {})
            found.setdefault(str(nbgrader.get("grade_id")), {}).update(cell)
    except (OSError, CourseError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}
    return found


def _exercise(exercise_id: str, cell: dict[str, Any]) -> Exercise:
    try:
        metadata = msgspec.convert(cell.get("exercise"), ExerciseCell)
    except msgspec.ValidationError:
        metadata = ExerciseCell(title=exercise_id, title_ko=exercise_id, difficulty=1, minutes=1, source="")
    known = {**msgspec.structs.asdict(metadata), "forbids": tuple(each for each in metadata.forbids if each in GROUPS)}
    kind: Literal["function", "class"] = "class" if exercise_id[:1].isupper() else "function"
    return Exercise(id=exercise_id, points=Decimal(0), kind=kind, line=0, **known)
