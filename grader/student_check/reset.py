"""Puts the stub of one exercise back into a student's file, and keeps a copy of the file as it was.

The exercise is found by the mark of its cell alone, so a file that is not Python just now can be reset too. Nothing
outside of that cell is changed; where the cell reaches over another exercise, nothing is.
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from grader.course.content.percent_format import MARKER
from grader.course.content.student_course import SUFFIXES, StudentFiles
from grader.course.handed_out.stub_texts import NAME, stub_of
from grader.course.handed_out.wrapping import wrapped
from grader.errors import OutputError, UsageError
from grader.system.whole_file import write_whole

from .progress import FOLDER, Seen, read_progress, write_progress

CELL = re.compile(rf"^{MARKER.pattern}.*$", re.MULTILINE)


@dataclass(frozen=True)
class Reset:
    """A file before and after the stub is back in it."""

    path: Path
    before: bytes
    after: bytes


def planned(files: StudentFiles, exercise: str) -> Reset:
    """Return how an exercise's stub goes back into the student's file, without changing it.

    Raises:
        UsageError: The stub or the cell is not found, there is nothing to put back, or both files hold an answer.
    """
    stub = stub_of(files.visible.parent, exercise)
    others = [each.id for each in files.exercises if each.id != exercise]
    places = [files.visible.parent / f"{files.name}{suffix}" for suffix in SUFFIXES] if files.whole else []
    found, refused = [], None
    for path in [each for each in places if each.is_file()] or [files.submission]:
        try:
            before = path.read_bytes()
            after = (_in_notebook if path.suffix == ".ipynb" else _in_text)(before, exercise, stub, others)
        except OSError as problem:
            refused = f"{path.name} cannot be read: {problem.strerror}."
        except ValueError:
            refused = f"{path.name} has no such cell, or the cell holds another exercise too."
        else:
            found += [Reset(path, before, after)] if after != before else []
    if len(found) > 1:
        both = " and ".join(each.path.name for each in found)
        raise UsageError(f"Both {both} hold code for {exercise}.", hint=f"Name one: grader reset {exercise} FILE.")
    if found:
        return found[0]
    if refused:
        hint = f"Copy its stub from {NAME} by hand, or take the file out of the release once more."
        raise UsageError(f"The cell of {exercise} was looked for.", refused, hint)
    raise UsageError(f"{exercise} is as it was handed out, so there is nothing to reset.")


def carry_out(files: StudentFiles, exercise: str, reset: Reset, language: str) -> tuple[Path, list[str]]:
    """Keep a copy of the file, write the new one, and forget what checks saw of the exercise.

    Returns:
        Where the copy is, and sentences about what could not be kept.

    Raises:
        OutputError: The copy or the file cannot be written; the file is as it was then.
    """
    copy = _keep(reset)
    write_whole(reset.path.resolve(), reset.after)
    progress, notes = read_progress(files, language)
    if exercise in progress.exercises:
        notes += write_progress(files, progress.with_seen(exercise, Seen()), language)
    return copy, notes


def _keep(reset: Reset) -> Path:
    """Write a copy under a name that nothing has yet, where it is not taken for work that is handed in."""
    folder = reset.path.parent / FOLDER
    number = 1
    while True:
        copy = folder / f"{reset.path.stem}-before-reset-{number}{reset.path.suffix}"
        try:
            folder.mkdir(exist_ok=True)
            with copy.open("xb") as file:
                file.write(reset.before)
            return copy
        except FileExistsError:
            if not folder.is_dir():
                raise OutputError(f"A copy could not be kept in {folder}.", "That is not a folder.") from None
            number += 1
        except OSError as problem:
            copy.unlink(missing_ok=True)
            raise OutputError(f"The copy {copy} could not be kept.", f"The system says: {problem.strerror}.") from None


def _defines(text: str, names: Collection[str]) -> bool:
    return any(re.search(rf"^(?:async\s+)?(?:def|class)\s+{re.escape(name)}\b", text, re.MULTILINE) for name in names)


def _in_text(data: bytes, exercise: str, stub: str, others: Collection[str]) -> bytes:
    """Return a `.py` file with the stub in the exercise's cell.

    Raises:
        ValueError: It is not UTF-8, has no such cell or several, or another exercise is in the cell.
    """
    text = data.decode("utf-8")
    marks = list(CELL.finditer(text))
    mine = [at for at, mark in enumerate(marks) if re.search(rf'"grade_id":\s*"{exercise}"', mark[0])]
    (at,) = mine
    begin, end = marks[at].end(), marks[at + 1].start() if at + 1 < len(marks) else len(text)
    body = text[begin:end]
    if _defines(body, others):
        raise ValueError
    line_end = "\r\n" if "\r\n" in text else "\n"
    if body.strip().replace("\r\n", "\n") == stub:
        return data
    blank = body[len(body.rstrip()) :] or line_end
    return f"{text[:begin]}\n{stub.replace(chr(10), line_end)}{blank}{text[end:]}".encode()


def _in_notebook(data: bytes, exercise: str, stub: str, others: Collection[str]) -> bytes:
    """Return a notebook with the stub in the exercise's cell, its outputs cleared; raises as `_in_text` does."""
    try:
        notebook = json.loads(data)
        (cell,) = (
            each
            for each in notebook["cells"]
            if each["cell_type"] == "code" and each["metadata"].get("nbgrader", {}).get("grade_id") == exercise
        )
        source = "".join(cell["source"])
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError from None
    if _defines(source, others):
        raise ValueError
    if source.strip() == wrapped(stub):
        return data
    cell.update(source=wrapped(stub).splitlines(keepends=True), outputs=[], execution_count=None)
    text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
    return text.encode("utf-8", "backslashreplace")  # half a character is written as JSON writes it
