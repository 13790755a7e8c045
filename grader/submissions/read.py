"""Reads what was handed in: opens the files without following a link or waiting for a pipe, and takes the code out.

What can't be read is data too: the sentence about it is in the report, and the other submissions go on.
"""

import hashlib
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from grader.course.content.student_course import StudentFiles, programs_in
from grader.inside.protocol.messages import PY_BESIDE, Cell
from grader.language import N_, translation
from grader.limits import Limits
from grader.source_cells import Kind, Source, Unreadable
from grader.system.folder_listing import SUFFIXES, is_program
from grader.text import listed, name_shown, sanitise

from .answers import names_any, written_in
from .files import File
from .find import submission_of
from .names import Course, may_be_work
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

    Returns:
        The code to grade, or the problem with it; nothing is raised for anything that a student can hand in.
    """
    source = _read(submission, exercises, limits, language)
    uploaded = sanitise(submission.uploaded, LONGEST_NAME) or None
    return msgspec.structs.replace(source, uploaded=uploaded, submitted=submission.submitted, late=submission.late)


def _read(submission: Submission, exercises: Collection[str], limits: Limits, language: str) -> Source:
    _ = translation(language).gettext

    def shown(files: Sequence[File]) -> str:
        names = [name_shown(file.where) + (f" ({_(file.kind)})" if file.kind else "") for file in files]
        return listed(names, MOST_NAMED, language)

    programs = [file for file in submission.files if is_program(file.name) and file.kind is None]
    others = [file for file in submission.files if not is_program(file.name) or file.kind is not None]
    others = [file for file in others if file.named or may_be_work(file.name)]
    if not programs:
        problem = _("There is no .py or .ipynb file to grade, only {names}. Hand in {stem}.py or {stem}.ipynb.")
        names, stem = shown(others or submission.files), submission.assignment.partition("_")[2]
        return Source(problem=problem.format(names=names, stem=stem))
    read = {file: read_file(file, limits, language, exercises) for file in programs[:MOST_READ]}
    digests = {sanitise(file.where, LONGEST_NAME): source.digest for file, source in read.items() if source.file_name}
    counts = [
        file for file, source in read.items() if source.problem or not written_in(source).keys().isdisjoint(exercises)
    ]
    best = [file for file in counts if file.named] or counts
    beside = shown([*others, *(file for file in (*programs[MOST_READ:], *counts) if file not in best)])
    if beside and not best:
        problem = _(
            "No exercise is written in {empty}, and what is beside it may be the work: {names}. Hand in one file with "
            "the answers."
        ).format(empty=name_shown(programs[0].where), names=beside)
        return Source(sha256=digests, problem=problem)
    if not best and not any(names_any(source, exercises) for source in read.values()):
        problem = _("No exercise of {assignment} is in {names}, not even as a stub. Hand in {stem}.py or {stem}.ipynb.")
        told = {"assignment": submission.assignment, "stem": submission.assignment.partition("_")[2]}
        return Source(sha256=digests, problem=problem.format(names=shown(programs), **told))
    copies = {(read[file].kind, read[file].digest): read[file] for file in reversed(best or programs[:1])}
    if len(copies) > len({kind for kind, _ in copies}):
        problem = _("It is not certain which of several files counts: {names}. Hand in one of them.")
        chosen = Source(problem=problem.format(names=shown(best)))
    else:
        chosen = _one_of([*copies.values()], exercises, language)
    notes = chosen.notes
    if beside:
        notes += (_("Not graded, though handed in beside it: {names}.").format(names=beside),)
    return msgspec.structs.replace(chosen, sha256=digests, notes=notes)


def _one_of(sources: Sequence[Source], exercises: Collection[str], language: str) -> Source:
    """Return what counts of a `.py` and a notebook, or of one of them, with a note; or the problem with it.

    Each exercise counts from the file in which it is written. Where one file has all, it counts alone; else the two are
    run as one source, in which a stub never takes the place of an answer. Two answers to one exercise that differ are
    nobody's to choose between, and so are two helpers of one name where both files are run. A file that cannot be read
    may hold what the other lacks.
    """
    if len(sources) == 1:
        return sources[0]
    _ = translation(language).gettext
    notebook, py = sorted(sources, key=lambda source: source.kind)
    names = {"py": name_shown(py.file_name), "notebook": name_shown(notebook.file_name)}
    ours, theirs = written_in(py), written_in(notebook)
    problem = py.problem or notebook.problem
    needed = {*exercises} if problem else {*exercises} & (ours.keys() | theirs.keys())
    whole = next((source for source, its in ((py, ours), (notebook, theirs)) if its.keys() >= needed), None)
    compared = ours.keys() & theirs.keys() & (needed if whole else {*ours})
    differ = sorted(name for name in compared if ours[name] != theirs[name])
    if differ:
        problem = _(
            "{py} and {notebook} give different answers to {names}, so nobody can tell which of them counts. Hand in "
            "one file, or make these alike."
        ).format(names=", ".join(differ), **names)
        return msgspec.structs.replace(py, cells=[], problem=problem)
    if whole is None and problem:
        return Source(problem=problem)
    note = problem or _(
        "{py} and {notebook} both hold answers. Each exercise counts from the file in which it is written. Work in one "
        "file, and hand in only that one."
    ).format(**names)
    if whole is not None:
        return msgspec.structs.replace(whole, notes=(note, *whole.notes))
    return msgspec.structs.replace(
        notebook,
        cells=[*(Cell(PY_BESIDE, cell.source) for cell in py.cells), *notebook.cells],
        digest=hashlib.sha256(f"{py.digest}{notebook.digest}".encode()).hexdigest(),
        notes=(note, *py.notes, *notebook.notes),
    )


def read_file(file: File, limits: Limits, language: str = "en", exercises: Collection[str] = ()) -> Source:
    """Read one `.py` or `.ipynb` file: its code, or the problem with it.

    Args:
        exercises: The names that students were to write, whose cells of a notebook are code in any case.
    """
    _ = translation(language).gettext
    name = name_shown(file.name)
    kind: Kind = "ipynb" if file.name.lower().endswith(".ipynb") else "py"
    source = Source(kind=kind)
    texts: list[Cell] = []
    try:
        raw = _bytes(file, limits.notebook_bytes if kind == "ipynb" else limits.source_bytes)
        source = Source(kind=kind, file_name=name[1:-1], digest=hashlib.sha256(raw).hexdigest())
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
        sentence = N_("The file {name} could not be read: {reason}. Hand in a file that can be opened.")
        raise Unreadable(sentence, reason=problem.strerror) from None
    if size > limit:
        sentence = N_(
            "The file {name} has {size:,} bytes, and at most {limit:,} are read. Delete what is not part of the "
            "assignment; in a notebook, clear the outputs."
        )
        raise Unreadable(sentence, size=size, limit=limit)
    return raw


def read_own(files: StudentFiles, limits: Limits, language: str) -> tuple[StudentFiles, Source]:
    """Read a student's own file for `grader check`, with what grading would say of those beside it.

    Where a folder was named, what counts of it in grading is read, if anything does for certain. A link to a file is as
    good as the file, as in a student's own run.

    Returns:
        What the student works on, by the file that is read, and the code to check.
    """
    path, names = files.submission, [exercise.id for exercise in files.exercises]
    places = programs_in(path.parent) if files.whole else [path.with_suffix(suffix) for suffix in SUFFIXES]
    own = {
        place: File(Path(os.path.realpath(place)), place.name, assignment=files.assignment) for place in (*places, path)
    }
    handed = [own[place] for place in places if place.is_file()]
    graded = Source()
    if handed:
        graded = read_submission(submission_of(handed, Course(frozenset([files.assignment]))), names, limits, language)
    if files.whole and graded.file_name:
        return replace(files, submission=path.with_name(graded.file_name)), graded
    source = read_file(own[path], limits, language, names)
    if source.problem is None:
        notes = (graded.problem,) if graded.problem else graded.notes
        source = msgspec.structs.replace(source, notes=tuple(dict.fromkeys((*notes, *source.notes))))
    return files, source
