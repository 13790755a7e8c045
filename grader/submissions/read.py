"""Reads what was handed in: opens the files without following a link or waiting for a pipe, and takes the code out.

What can't be read is data too: the sentence about it is in the report, and the other submissions go on.
"""

import hashlib
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import msgspec

from grader.course.content.student_course import programs_in
from grader.inside.protocol.messages import Cell
from grader.language import N_, translation
from grader.limits import Limits
from grader.source_cells import Kind, Source, Unreadable
from grader.text import listed, name_shown, sanitise

from .answers import answers_in, bare_code, joined, written_in
from .files import File
from .find import Course
from .notebook_file import read_notebook
from .python_file import read_python
from .submission import Submission

MOST_READ = 20  # programs of one submission
MOST_NAMED = 20
LONGEST_NAME = 1000


def read_submission(submission: Submission, exercises: Collection[str], limits: Limits, language: str = "en") -> Source:
    """Read what a student handed in.

    Of the programs those count that are named likeliest and hold an answer, or cannot be read and may hold one. Where
    none does, but something else that may be the work is there, nothing is graded: 0 points would be for an answer that
    nobody saw.

    Args:
        exercises: The names that students were to write.
        language: Of the problem and the notes.

    Returns:
        The code to grade, or the problem with it; nothing is raised for anything that a student can hand in.
    """
    when = None if submission.submitted is None else submission.submitted.isoformat()
    source = _read(submission, exercises, limits, language)
    uploaded = sanitise(submission.uploaded, LONGEST_NAME) or None
    facts = {"uploaded": uploaded, "submitted": when, "late": submission.late}
    return msgspec.structs.replace(source, **facts)


def _read(submission: Submission, exercises: Collection[str], limits: Limits, language: str) -> Source:
    if submission.problem is not None:
        return Source(problem=submission.problem)
    _ = translation(language).gettext
    files = submission.files[:MOST_READ]
    read = {file: read_file(file, limits, language, exercises) for file in files}
    digests = {sanitise(file.where, LONGEST_NAME): source.digest for file, source in read.items() if source.file_name}
    counts = [file for file, source in read.items() if source.problem or answers_in(source, exercises)]
    best = [file for file in counts if file in files[: submission.named]] or counts
    left = [name_shown(file.where) for file in (*submission.files[MOST_READ:], *counts) if file not in best]
    beside = listed([*submission.beside, *left], MOST_NAMED, language)
    if beside and not best:
        problem = _(
            "No exercise is written in {empty}, and what is beside it may be the work: {names}. Hand in one file with "
            "the answers."
        ).format(empty=name_shown(files[0].where), names=beside)
        return Source(sha256=digests, problem=problem)
    chosen = _one_of(best or [files[0]], read, exercises, language)
    notes = chosen.notes
    if beside:
        notes += (_("Not graded, though handed in beside it: {names}.").format(names=beside),)
    return msgspec.structs.replace(chosen, sha256=digests, notes=notes)


def _one_of(files: Sequence[File], read: Mapping[File, Source], exercises: Collection[str], language: str) -> Source:
    """Return what counts of files that are equally likely: one, a `.py` with a notebook, or none for certain."""
    _ = translation(language).gettext
    sources = [read[file] for file in files]
    unread = [str(source.problem) for source in sources if source.problem]
    if len(files) == 1 or (not unread and len({bare_code(source.cells) for source in sources}) == 1):
        return sources[0]
    kinds = {source.kind: source for source in sources}
    if len(files) > len(kinds):
        names = listed([name_shown(file.where) for file in files], MOST_NAMED, language)
        problem = _("It is not certain which of several files counts: {names}. Hand in one of them.")
        return Source(problem=problem.format(names=names))
    if not unread:
        return joined(kinds["py"], kinds["ipynb"], exercises, language)
    good = [source for source in sources if answers_in(source, exercises).keys() >= {*exercises}]
    if not good:  # what could not be read may hold the rest
        return Source(problem=unread[0])
    note = _("{problem} So {name} counts.").format(problem=unread[0], name=name_shown(good[0].file_name))
    return msgspec.structs.replace(good[0], notes=(note, *good[0].notes))


def read_file(file: File, limits: Limits, language: str = "en", exercises: Collection[str] = ()) -> Source:
    """Read one `.py` or `.ipynb` file: its code, or the problem with it.

    Args:
        language: Of the problem and the notes.
        exercises: The names that students were to write, whose cells of a notebook are code in any case.
    """
    _ = translation(language).gettext
    name = name_shown(file.name)
    kind: Kind = "ipynb" if file.name.lower().endswith(".ipynb") else "py"
    source = Source(kind=kind)
    try:
        raw = _bytes(file, limits.notebook_bytes if kind == "ipynb" else limits.source_bytes)
        digest = hashlib.sha256(raw).hexdigest()
        source = Source(kind=kind, file_name=name[1:-1], digest=digest, sha256={name[1:-1]: digest})
        texts: list[Cell] = []
        if kind == "ipynb":
            cells, texts = read_notebook(raw, limits.source_bytes, exercises)
        else:
            cells = [Cell(1, read_python(raw))]
    except Unreadable as problem:
        return msgspec.structs.replace(source, problem=_(problem.sentence).format(name=name, **problem.values))
    empty = not any(cell.source.strip() for cell in cells)
    notes = [_("The file {name} holds no code.").format(name=name)] if empty else []
    written = written_in(msgspec.structs.replace(source, cells=cells)) if texts else {}
    for text in (text for text in texts if text.grade_id not in written):  # a key of Jupyter's turns a cell into text
        note = _("The cell of {exercise} is a text cell, and was read as code. Turn it into a code cell.")
        notes.append(note.format(exercise=text.grade_id))
        cells.append(msgspec.structs.replace(text, number=len(cells) + 1))
    return msgspec.structs.replace(source, cells=cells, notes=tuple(notes))


def _bytes(file: File, limit: int) -> bytes:
    try:
        raw, size = file.read(limit)
    except OSError as problem:
        raise Unreadable(
            N_("The file {name} could not be read: {reason}. Hand in a file that can be opened."),
            reason=problem.strerror,
        ) from None
    if size <= limit:
        return raw
    raise Unreadable(
        N_(
            "The file {name} has {size:,} bytes, and at most {limit:,} are read. Delete what is not part of the "
            "assignment; in a notebook, clear the outputs."
        ),
        size=size,
        limit=limit,
    )


def own_file(path: Path, follow: bool = False) -> File:
    """Return a file that is named by its place.

    Args:
        follow: A link to a file is as good as the file, as in a student's own run; never for what was handed in.
    """
    return File(Path(os.path.realpath(path)) if follow else path, path.name)


def read_own(path: Path, exercises: Sequence[str], limits: Limits, language: str, whole: bool) -> tuple[Source, Path]:
    """Read a student's own file for `grader check`.

    Args:
        whole: Whether a folder was named, of which what counts in grading is read, if anything does for certain.

    Returns:
        The code to check, with what to know of the files beside it, and the file that it is called by.
    """
    source = read_file(own_file(path, follow=True), limits, language, exercises)
    if not whole:
        notes = (*two_files(path, exercises, limits, language), *source.notes)
        return msgspec.structs.replace(source, notes=notes), path
    files = [own_file(program, follow=True) for program in programs_in(path.parent) if program.is_file()]
    handed_in = Course({path.stem: path.stem}, language=language).submission("", path.stem, files)
    graded = read_submission(handed_in, exercises, limits, language)
    if graded.problem is None:
        return graded, path.with_name(graded.file_name)
    notes = () if source.problem else (graded.problem, *source.notes)
    return msgspec.structs.replace(source, notes=notes), path


def two_files(path: Path, exercises: Collection[str], limits: Limits, language: str) -> tuple[str, ...]:
    """Return what to know where a file and the one beside it, as they were saved, both hold answers."""
    places = (path.with_suffix(".py"), path.with_suffix(".ipynb"))
    py, notebook = (read_file(own_file(place, follow=True), limits, language, exercises) for place in places)
    if not answers_in(py, exercises) or not answers_in(notebook, exercises):
        return ()
    both = joined(py, notebook, exercises, language)
    return (both.problem or both.notes[0],)
