"""The sentences about paths and folders that do not say whose submission of what they hold."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.text import name_shown

from .possible_work import PACKED

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


def all_names(names: Iterable[str]) -> str:
    """Return all names as words; only of very many the last ones are counted."""
    found = list(names)
    more = f" and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
    return ", ".join(name_shown(name, 80) for name in found[:MOST_LISTED]) + more


def no_program(path: Path) -> UsageError:
    """Return the error about a file that is neither Python nor a notebook."""
    packed = path.suffix.lower() in PACKED
    hint = "Unpack it, and give the folder that comes out of it." if packed else SHAPES
    return UsageError("A .py or .ipynb file was looked for.", f"{quoted_path(path)} is another kind of file.", hint)


def ambiguous(path: Path, fitting: Sequence[str | None], stems: Mapping[str, str]) -> UsageError:
    """Return the error about a file of which nothing says the assignment."""
    which = " and ".join(str(id) for id in fitting) or "none"
    wanted = ", ".join(f"{stems[id]}.py or {stems[id]}.ipynb" for id in sorted(stems)[:MOST_NAMED])
    hint = f"Say which with --assignment, or name the file as the course does ({wanted})."
    return UsageError(f"{quoted_path(path)} was looked at for its assignment.", f"Fitting by name: {which}.", hint)


def nothing_known(path: Path, entries: Iterable[str], near: str | None, asked: str | None) -> UsageError:
    """Return the error about a folder with nothing of the course in it.

    Args:
        path: The folder.
        entries: What it holds.
        near: An assignment that may be meant.
        asked: The assignment that was asked for; where none was, asking helps with files of other names.
    """
    hint = f"Did you mean {near}? {SHAPES}" if near else SHAPES
    if asked is None:
        hint += " Where the files have other names, say with --assignment which one it is."
    found = f"The folder {quoted_path(path)} holds none of this course's: {first_names(entries)}."
    return UsageError("Submissions were looked for.", found, hint)


def mixed_download(path: Path, handed: Sequence[str], strange: Sequence[str]) -> UsageError:
    """Return the error about a folder that Canvas packed, or a student's, with programs of other names in it."""
    found = (
        f"The folder {quoted_path(path)} looks like a download of all submissions, since it holds "
        f"{first_names(handed)}, but whose {first_names(strange)} is, no name says."
    )
    hint = "Move the latter out of the folder, or say with --student whose folder it is."
    return UsageError("A class or one student's folder was looked for.", found, hint)


def strange_files(names: Sequence[str]) -> str:
    """Return the warning about files in a download whose names say no student."""
    return f"Whose {first_names(names)} in the download is, no name says, so nothing of it was graded."


def other_names(student: str, names: Sequence[str], wanted: str) -> str:
    """Return the warning about files in a download that have the name of another assignment than the wanted one."""
    return (
        f"{name_shown(student)} handed in {first_names(names)}, which has the name of another assignment than "
        f"{wanted}, so it was not graded. Look what it is; grade it by itself if it is right."
    )


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


def taken_for_a_student(name: str, near: str) -> str:
    """Return the warning about a folder of a class whose name is close to an assignment's."""
    found = f"The folder {name_shown(name)} was taken for a student's, though its name is close to {near}."
    return f"{found} Look whose it is, and rename it."


def unknown_names(student: str, entries: Iterable[str], stems: Mapping[str, str]) -> str:
    """Return the warning about a student of whose files no name tells an assignment."""
    wanted = ", ".join(f"{stems[id]}.py" for id in sorted(stems)[:MOST_NAMED])
    return (
        f"{name_shown(student)} handed in {first_names(entries)}, and none of it has an assignment's name, so it was "
        f"not graded. Name the files as the course does ({wanted}), or say with --assignment which one it is."
    )


def earlier_reports(name: str) -> str:
    """Return the note about a folder of a class that a run wrote its reports into."""
    return f"The folder {name_shown(name)} holds the reports of an earlier run, so it was not taken for a student's."


def no_newest(folders: Sequence[str]) -> str:
    """Return the sentence about a student's attempts of which no name says which is the newest."""
    return f"Which of these attempts is the newest, their names do not say: {all_names(folders)}. Keep one of them."


def several_attempts(path: Path, names: Sequence[str], stem: str) -> UsageError:
    """Return the error about files that may be one student's attempts and may be several students' files."""
    found = (
        f"The folder {quoted_path(path)} holds {first_names(names)}, and nothing tells whether these are one student's "
        "attempts or several students' files."
    )
    hint = (
        f"For one student, say with --student who it is. For several, give each one a folder, STUDENT/{stem}.py, and "
        "name the folder that holds these folders."
    )
    return UsageError("One student's folder was looked for.", found, hint)
