"""Reads what was handed in: opens the files without following a link or waiting for a pipe, and takes the code out.

What can't be read is data too: the sentence about it is in the report, and the other submissions go on.
"""

import errno
import hashlib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import msgspec

from grader.course.content.student_course import programs_in
from grader.inside.protocol.messages import Cell
from grader.limits import Limits
from grader.source_cells import Kind, Source, Unreadable
from grader.system.folder_listing import NoFile
from grader.text import listed, name_shown, sanitise
from grader.words import say

from .answers import answers_in, bare_code, joined
from .files import File
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
        language: Of what is said of a file that cannot be read, and where two files hold answers.

    Returns:
        The code to grade, or the problem with it; nothing is raised for anything that a student can hand in.
    """
    when = None if submission.submitted is None else submission.submitted.isoformat()
    source = _read(submission, exercises, limits, language)
    uploaded = sanitise(submission.uploaded, LONGEST_NAME) or None
    facts = {"uploaded": uploaded, "submitted": when, "late": submission.late}
    return msgspec.structs.replace(source, **facts)


def _read(submission: Submission, exercises: Collection[str], limits: Limits, language: str) -> Source:
    if submission.problem is not None or not submission.files:
        return Source(notes=submission.notes, problem=submission.problem or "No file was found in the submission.")
    read = {file: read_file(file, limits, language=language) for file in submission.files[:MOST_READ]}
    digests = {sanitise(file.where, LONGEST_NAME): source.digest for file, source in read.items() if source.file_name}
    ranks = dict(zip(read, submission.ranks, strict=False))
    counts = [file for file, source in read.items() if source.problem or answers_in(source, exercises)]
    beside = [*submission.beside, *(name_shown(file.where) for file in submission.files[MOST_READ:])]
    if counts:
        best = [file for file in counts if ranks[file] == ranks[counts[0]]]
        if all(_is_outside(file) for file in best):  # its name does not outweigh the place of another
            best += [file for file in counts if not _is_outside(file)]
        if len(best) == 1:
            best += [file for file in counts if _belongs_to(file, best[0])][:1]
        chosen = _one_of(best, read, exercises, language)
        beside += [name_shown(file.where) for file in counts if file not in best]
    elif beside:
        problem = (
            f"No exercise is written in {name_shown(submission.files[0].where)}, and what is beside it may be "
            f"the work: {listed(beside, MOST_NAMED)}. Hand in one file with the answers."
        )
        return Source(sha256=digests, notes=submission.notes, problem=problem)
    else:
        chosen = read[submission.files[0]]
    left = (f"Not graded, though handed in beside it: {listed(beside, MOST_NAMED)}.",) if beside else ()
    taken = name_shown(chosen.file_name)
    named = (f"{taken} was graded.",) if len(read) > 1 and chosen.problem is None else ()
    notes = (*submission.notes, *named, *chosen.notes, *left)
    return msgspec.structs.replace(chosen, sha256=digests, notes=notes)


def _is_outside(file: File) -> bool:
    return file.where.startswith("../")


def _one_of(files: Sequence[File], read: Mapping[File, Source], exercises: Collection[str], language: str) -> Source:
    """Return what counts of files that are equally likely: one, a `.py` with its notebook, or none for certain."""
    codes = {bare_code(read[file].cells) for file in files}
    if len(codes) == 1 and not any(read[file].problem for file in files[1:]):
        return read[files[0]]
    kinds = {read[file].kind: read[file] for file in files}
    if len(files) > 2 or len(kinds) < 2 or not _belongs_to(files[1], files[0]):
        every = listed([name_shown(file.where) for file in files], MOST_NAMED)
        return Source(problem=f"Which of several files counts is not certain: {every}. Hand in one of them.")
    good = [source for source in kinds.values() if not source.problem]
    if len(good) < 2:
        problem = next(str(source.problem) for source in kinds.values() if source.problem)
        if not good:
            return Source(problem=problem)
        note = say("both_one_read", language, problem=problem, main=name_shown(good[0].file_name))
        return msgspec.structs.replace(good[0], notes=(note, *good[0].notes))
    return joined(kinds["py"], kinds["ipynb"], exercises, language)


def _belongs_to(notebook: File, py: File) -> bool:
    """Return whether two files are one name's `.py` and notebook, whatever number a platform put behind it."""
    names = [AGAIN.sub("", file.where.rpartition(".")[0]) for file in (notebook, py)]
    return names[0] == names[1] and notebook.name.lower().endswith(".ipynb") != py.name.lower().endswith(".ipynb")


def read_file(file: File, limits: Limits, follow: bool = False, language: str = "en") -> Source:
    """Read one `.py` or `.ipynb` file: its code, or the problem with it.

    Args:
        follow: A link to a file is as good as the file, as in a student's own run; never for what was handed in.
        language: Of the problem.
    """
    name = name_shown(file.name)
    kind: Kind = "ipynb" if file.name.lower().endswith(".ipynb") else "py"
    found = Source(kind=kind)
    try:
        raw = _bytes(file, name, limits.notebook_bytes if kind == "ipynb" else limits.source_bytes, follow)
        digest = hashlib.sha256(raw).hexdigest()
        found = Source(kind=kind, file_name=name[1:-1], digest=digest, sha256={name[1:-1]: digest})
        cells = read_notebook(raw, name, limits.source_bytes) if kind == "ipynb" else [Cell(1, read_python(raw, name))]
    except Unreadable as problem:
        return msgspec.structs.replace(found, problem=problem.in_language(language))
    empty = () if any(cell.source.strip() for cell in cells) else (f"The file {name} holds no code.",)
    return msgspec.structs.replace(found, cells=cells, notes=empty)


def _bytes(file: File, name: str, limit: int, follow: bool) -> bytes:
    try:
        raw, size = file.read(limit, follow)
    except NoFile as problem:
        found = f"in its place there is {problem.strerror}"
        raise Unreadable(
            f"The file {name} was looked for, but {found}. Hand in a file.",
            f"{name} 자리에 보통 파일이 아닌 것이 있습니다. 파일을 제출하세요.",
        ) from None
    except OSError as problem:
        korean = f"{name} 파일을 읽을 수 없습니다({problem.strerror}). 파일과 그 권한을 확인하세요."
        raise Unreadable(_refused(problem, name), korean) from None
    if size <= limit:
        return raw
    raise Unreadable(
        f"The file {name} has {size:,} bytes, and at most {limit:,} are read. Delete what is not part of the "
        "assignment; in a notebook, clear the outputs.",
        f"{name} 파일의 크기가 {size:,}바이트입니다. 많아야 {limit:,}바이트를 읽습니다. 과제가 아닌 것을 지우고, "
        "노트북이면 출력을 지우세요.",
    )


REFUSALS = {
    errno.ELOOP: "is a symbolic link, and links are not followed. Hand in the file itself.",
    errno.EACCES: "may not be read. Give it read permission.",
    errno.EPERM: "may not be read. Give it read permission.",
    errno.ENOENT: "was there a moment ago and is gone. Hand it in again.",
    errno.ENXIO: "is a socket or a device, not a file. Hand in a file.",
    errno.EOPNOTSUPP: "is a socket or a device, not a file. Hand in a file.",
}


def _refused(problem: OSError, name: str) -> str:
    said = REFUSALS.get(problem.errno or 0, f"could not be read: {problem.strerror}. Hand it in again.")
    return f"The file {name} {said}"


def read_own(path: Path, exercises: Sequence[str], limits: Limits, language: str, whole: bool) -> tuple[Source, Path]:
    """Read a student's own file for `grader check`, and what is beside it.

    Args:
        whole: Whether the file of the other kind, or the only one with answers, may count as in grading.

    Returns:
        The code to check, and the file that it is called by.
    """
    pair = _pair(path, limits, language)
    source = pair[path]
    answers = [place for place, it in pair.items() if not it.problem and answers_in(it, exercises)]
    if len(answers) == 2:
        both = _of_pair(pair, exercises, language)
        if whole and not both.problem:
            return both, path.with_name(both.file_name)
        return msgspec.structs.replace(source, notes=(str(both.problem or both.notes[0]), *source.notes)), path
    if not whole or answers == [path]:
        return source, path
    if answers:
        return pair[answers[0]], answers[0]
    others = [each for each in programs_in(path.parent) if each.stem != path.stem][:MOST_READ]
    read = {each: read_file(own_file(each), limits, follow=True) for each in others}
    found = [each for each, it in read.items() if not it.problem and answers_in(it, exercises)]
    if not found:
        return source, path
    words = {"empty": name_shown(path.name), "names": listed([name_shown(each.name) for each in found])}
    if len({bare_code(read[each].cells) for each in found}) > 1:
        return msgspec.structs.replace(source, notes=(say("own_several_beside", language, **words),)), path
    return msgspec.structs.replace(read[found[0]], notes=(say("own_beside", language, **words),)), found[0]


def two_files(path: Path, exercises: Sequence[str], limits: Limits, language: str) -> tuple[str, ...]:
    """Return what to know where a file and the one beside it, as they were saved, both hold answers."""
    pair = _pair(path, limits, language)
    if len(pair) < 2 or any(each.problem or not answers_in(each, exercises) for each in pair.values()):
        return ()
    both = _of_pair(pair, exercises, language)
    return (str(both.problem or both.notes[0]),)


def own_file(path: Path) -> File:
    """Return a file that is named by its place."""
    return File(path, (), path.name)


def _of_pair(pair: Mapping[Path, Source], exercises: Collection[str], language: str) -> Source:
    py, notebook = sorted(pair.values(), key=lambda source: source.kind != "py")
    return joined(py, notebook, exercises, language)


def _pair(path: Path, limits: Limits, language: str) -> dict[Path, Source]:
    """Return a file and the one of the other kind beside it, where there is one."""
    places = (path.with_suffix(".py"), path.with_suffix(".ipynb"))
    return {
        place: read_file(own_file(place), limits, follow=True, language=language)
        for place in places
        if place == path or place.is_file()
    }
