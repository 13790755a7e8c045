"""The sentences about paths and folders that more than one place says."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.text import listed, name_shown

SHAPES = "Give a class (student/assignment/file), one student's folder, one assignment's folder or one file."
MOST_NAMED = 5
MOST_LISTED = 50


def quoted_path(path: Path) -> str:
    """Return a path as a sentence quotes it."""
    return name_shown(str(path), 200)


def first_names(names: Iterable[str]) -> str:
    """Return the first few names as words."""
    found = list(names)
    return ", ".join(name_shown(name, 80) for name in found[:MOST_NAMED]) + (", ..." if len(found) > MOST_NAMED else "")


def all_names(names: Iterable[str], most: int = MOST_LISTED, width: int = 80) -> str:
    """Return all names as words; only of very many the last ones are counted."""
    return listed([name_shown(name, width) for name in names], most)


def called(path: Path) -> str:
    """Return what to call a file that is in one of several folders."""
    return f"{path.parent.name}/{path.name}"


def called_apart(paths: Collection[Path]) -> list[str]:
    """Return what to call files by which they differ: their paths below the lowest folder that all are in."""
    top = Path(os.path.commonpath([path.parent for path in paths]))
    return [path.relative_to(top).as_posix() for path in paths]


def both_shapes(path: Path, mine: Sequence[str], students: Sequence[str]) -> UsageError:
    """Return the error about a folder that holds a submission and folders of students beside it."""
    found = (
        f"The folder {quoted_path(path)} looks like one student's, since it holds {first_names(mine)}, "
        f"and like a class, since it holds students' folders: {first_names(students)}."
    )
    hint = "Move the former out of the class, or say with --student whose folder it is."
    return UsageError("A class or one student's folder was looked for.", found, hint)


def beside_note(left: Collection[str]) -> tuple[str, ...]:
    """Return the note in a student's report about what is beside the graded file; none where nothing does."""
    return (f"Not graded, though handed in beside it: {all_names(left)}.",) if left else ()


def unknown_names(student: str, entries: Iterable[str], stems: Mapping[str, str]) -> str:
    """Return the warning about a student of whose files no name tells an assignment."""
    wanted = ", ".join(f"{stems[id]}.py" for id in sorted(stems)[:MOST_NAMED])
    return (
        f"{name_shown(student)} handed in {first_names(entries)}, and none of it has an assignment's name, so it was "
        f"not graded. Name the files as the course does ({wanted}), or say with --assignment which one it is."
    )


def other_assignment(student: str, names: Iterable[str], wanted: str) -> str:
    """Return the warning about a student whose files are another assignment's by their names."""
    return (
        f"{name_shown(student)} handed in {first_names(names)}, by the names another assignment than {wanted}, "
        "so it was not graded. Look what it is; grade it by itself if it is right."
    )
