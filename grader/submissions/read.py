"""Reads what was handed in: opens the files without following a link or waiting for a pipe, and takes the code out.

What can't be read is data too: the sentence about it is in the report, and the other submissions go on.
"""

import hashlib
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
from .submission import AGAIN, Submission

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
        return Source(notes=submission.notes, problem=submission.problem)
    _ = translation(language).gettext
    first = submission.files[0]
    read = {file: read_file(file, limits, language, exercises) for file in submission.files[:MOST_READ]}
    digests = {sanitise(file.where, LONGEST_NAME): source.digest for file, source in read.items() if source.file_name}
    ranks = dict(zip(read, submission.ranks, strict=False))
    counts = [file for file, source in read.items() if source.problem or answers_in(source, exercises)]
    beside = [*submission.beside, *(name_shown(file.where) for file in submission.files[MOST_READ:])]
    chosen, notes = read[first], submission.notes
    if counts:
        best = [file for file in counts if ranks[file] == ranks[counts[0]]]
        if all(_is_outside(file) for file in best):  # its name does not outweigh the place of another
            best += [file for file in counts if not _is_outside(file)]
        if len(best) == 1:
            lacks = not answers_in(read[best[0]], exercises).keys() >= {*exercises}
            best += [file for file in counts if _belongs_to(file, best[0], anywhere=lacks)][:1]
        chosen = _one_of(best, read, exercises, language)
        beside += [name_shown(file.where) for file in counts if file not in best]
        if first not in counts and not _belongs_to(first, best[0]) and chosen.problem is None:
            note = _("No exercise is written in {empty}, so {name} counts. Hand in only the file with the answers.")
            notes += (note.format(empty=name_shown(first.where), name=name_shown(best[0].where)),)
    elif beside:
        problem = _(
            "No exercise is written in {empty}, and what is beside it may be the work: {names}. Hand in one file with "
            "the answers."
        ).format(empty=name_shown(first.where), names=listed(beside, MOST_NAMED, language))
        return Source(sha256=digests, notes=notes, problem=problem)
    notes += chosen.notes
    if beside:
        left = _("Not graded, though handed in beside it: {names}.")
        notes += (left.format(names=listed(beside, MOST_NAMED, language)),)
    return msgspec.structs.replace(chosen, sha256=digests, notes=notes)


def _is_outside(file: File) -> bool:
    return file.where.startswith("../")


def _one_of(files: Sequence[File], read: Mapping[File, Source], exercises: Collection[str], language: str) -> Source:
    """Return what counts of files that are equally likely: one, a `.py` with its notebook, or none for certain."""
    _ = translation(language).gettext
    codes = {bare_code(read[file].cells) for file in files}
    if len(codes) == 1 and not any(read[file].problem for file in files[1:]):
        return read[files[0]]
    kinds = {read[file].kind: read[file] for file in files}
    if len(files) > 2 or len(kinds) < 2 or not _belongs_to(files[1], files[0], anywhere=True):
        names = listed([name_shown(file.where) for file in files], MOST_NAMED, language)
        problem = _("It is not certain which of several files counts: {names}. Hand in one of them.")
        return Source(problem=problem.format(names=names))
    good = [source for source in kinds.values() if not source.problem]
    if len(good) == 2:
        return joined(kinds["py"], kinds["ipynb"], exercises, language)
    unread = next(str(source.problem) for source in kinds.values() if source.problem)
    if not good or not answers_in(good[0], exercises).keys() >= {*exercises}:  # the other may hold the rest
        return Source(problem=unread)
    note = _("{problem} So {name} counts.").format(problem=unread, name=name_shown(good[0].file_name))
    return msgspec.structs.replace(good[0], notes=(note, *good[0].notes))


def _belongs_to(notebook: File, py: File, anywhere: bool = False) -> bool:
    """Return whether two files are one name's `.py` and notebook, whatever number a platform put behind it.

    Args:
        anywhere: Whether they may be in different folders.
    """
    names = [AGAIN.sub("", (file.name if anywhere else file.where).rpartition(".")[0]) for file in (notebook, py)]
    return names[0] == names[1] and notebook.name.lower().endswith(".ipynb") != py.name.lower().endswith(".ipynb")


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
    return File(path, (), path.name, follow=follow)


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
