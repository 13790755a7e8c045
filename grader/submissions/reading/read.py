"""Reads a submission's file: opens it without following a link or waiting for a pipe, and takes the code out.

What can't be read is data too: the sentence about it is in the report, and the other submissions go on.
"""

import errno
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from grader.course.content.student_course import programs_in
from grader.inside.protocol.messages import Cell
from grader.limits import Limits
from grader.source_cells import Kind, Mark, Source, StubTexts, Unreadable
from grader.submissions.path_errors import all_names, beside_note, called
from grader.submissions.submission import Submission
from grader.system.folder_listing import NoFile, bytes_of
from grader.text import name_shown
from grader.words import say

from .choice import Work, bare_code, both_of, choose_beside, choose_file, work_in
from .notebook_file import read_notebook, released_notebook
from .notebook_marks import notes_on
from .places import choose_place, in_several_places
from .python_file import read_python

__all__ = ["Cell", "Source", "StubTexts", "read_file", "read_submission"]

MOST_READ = 20  # programs beside a file without an answer that are looked at for one


def read_submission(submission: Submission, stub: StubTexts, limits: Limits, language: str = "en") -> Source:
    """Read what a student handed in.

    Args:
        stub: What students were given; decides between a `.py` and an `.ipynb`.
        language: Of what is said of a file that cannot be read, and where two files hold answers.

    Returns:
        The code to grade, or the problem with it; nothing is raised for anything that a student can hand in.
    """
    if submission.problem is not None or not submission.files:
        problem = submission.problem or "No file was found in the submission."
        left = [*(path.name for path in submission.others), *submission.beside]
        return Source(notes=(*submission.notes, *beside_note(left)), problem=problem)
    read = {path: read_file(path, limits, language=language) for path in submission.files[: MOST_READ + 1]}
    places = ""
    if in_several_places(read):
        kept = choose_place(read, stub) if len(read) <= MOST_READ else []
        every = all_names(map(called, read))
        if not kept:
            why = " ".join(dict.fromkeys(source.problem for source in read.values() if source.problem))
            problem = f"Which of several files counts is not certain: {every}. Keep one. {why}".rstrip()
            notes = (*submission.notes, *beside_note([*map(called, submission.others), *submission.beside]))
            return Source(sha256=_digests(Source(), read), notes=notes, problem=problem)
        places = f"{name_shown(called(kept[0]))} was graded: no other file of this name has another answer: {every}."
        read = {path: read[path] for path in kept}
    chosen, notes = choose_file(list(read.values()), stub, language)
    notes = (places, *notes) if places else notes
    first = next(iter(read)).parent
    others = {path.name if path.parent == first else called(path): path for path in submission.others}
    if (others or submission.beside) and chosen.problem is None and work_in(chosen, stub) is not Work.ANSWER:
        looked = dict(list(others.items())[:MOST_READ])
        read |= {path: read_file(path, limits) for path in looked.values()}
        unread = [*(name for name in others if name not in looked), *submission.beside]
        stem = submission.assignment.partition("_")[2]
        chosen, more = choose_beside(chosen, {name: read[path] for name, path in looked.items()}, unread, stub, stem)
        notes = (*notes, *more)
    else:
        notes = (*notes, *beside_note([*others, *submission.beside]))
    notes = (*submission.notes, *notes, *chosen.notes)
    if chosen.kind == "ipynb" and chosen.cells:
        notes += notes_on(chosen.marks, released_notebook(stub.ipynb)[1])
    return msgspec.structs.replace(chosen, sha256=_digests(chosen, read), notes=notes)


def _digests(chosen: Source, read: Mapping[Path, Source]) -> dict[str, str]:
    """Return the digest of every file that was read; of two files of one name the chosen one has the bare name."""
    found = dict(chosen.sha256)
    for path, source in read.items():
        for name, digest in source.sha256.items():
            found[name if found.get(name, digest) == digest else f"{name_shown(path.parent.name)[1:-1]}/{name}"] = (
                digest
            )
    return found


def read_file(path: Path, limits: Limits, follow: bool = False, language: str = "en") -> Source:
    """Read one `.py` or `.ipynb` file: its code, or the problem with it.

    Args:
        follow: A link to a file is as good as the file, as in a student's own run; never for what was handed in.
        language: Of the problem.
    """
    name = name_shown(path.name)
    notebook = path.suffix.lower() == ".ipynb"
    try:
        raw, changed = _bytes(path, name, limits.notebook_bytes if notebook else limits.source_bytes, follow)
    except Unreadable as problem:
        return Source(kind="ipynb" if notebook else "py", problem=problem.in_language(language))
    digest = hashlib.sha256(raw).hexdigest()
    plain = name[1:-1]
    kind: Kind = "ipynb" if notebook else "py"
    found = Source(kind=kind, file_name=plain, digest=digest, sha256={plain: digest}, changed=changed)
    try:
        marks: tuple[Mark, ...] = ()
        if notebook:
            cells, marks = read_notebook(raw, name, limits.source_bytes)
        else:
            cells = [Cell(1, read_python(raw, name))]
    except Unreadable as problem:
        return msgspec.structs.replace(found, problem=problem.in_language(language))
    empty = () if any(cell.source.strip() for cell in cells) else (f"The file {name} holds no code.",)
    return msgspec.structs.replace(found, cells=cells, marks=marks, notes=empty)


def _bytes(path: Path, name: str, limit: int, follow: bool) -> tuple[bytes, float]:
    """Return a file's bytes and when it was changed last."""
    try:
        raw, changed, size = bytes_of(path, limit, follow)
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
        return raw, changed
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
    """Read a student's own file for `grader check`, and the one of the same name beside it.

    Args:
        whole: Whether the file beside it may count, as in grading; otherwise it is only mentioned.

    Returns:
        The code to check, and the file that it is called by.
    """
    pair = _pair(path, limits, language)
    source, notes, place = pair[path], _on_both(pair.values(), exercises, language), path
    if whole:
        stub = StubTexts(exercises=tuple(exercises))
        source, said = choose_file(list(pair.values()), stub, language)
        place = next((each for each, read in pair.items() if read.file_name == source.file_name), path)
        notes = () if source.problem else said if any(read.problem for read in pair.values()) else notes
        if not source.problem and work_in(source, stub) is not Work.ANSWER:
            source, notes, place = _own_beside(source, place, stub, limits, language) or (source, notes, place)
    return msgspec.structs.replace(source, notes=(*notes, *source.notes)), place


def _own_beside(
    source: Source, place: Path, stub: StubTexts, limits: Limits, language: str
) -> tuple[Source, tuple[str, ...], Path] | None:
    """Return the one file with answers beside one without any, which grading takes too; None where there is none.

    Where there are several, the file without answers stays, and the sentence names them.
    """
    beside = [each for each in programs_in(place.parent) if each.stem != place.stem][:MOST_READ]
    read = {each: read_file(each, limits, follow=True) for each in beside}
    answers = {each: it for each, it in read.items() if not it.problem and work_in(it, stub) is Work.ANSWER}
    if not answers:
        return None
    words = {"empty": name_shown(place.name), "names": all_names(each.name for each in answers)}
    if len({bare_code(it.cells) for it in answers.values()}) > 1:
        return source, (say("own_several_beside", language, **words),), place
    found, answer = next(iter(answers.items()))
    return answer, (say("own_beside", language, **words),), found


def two_files(path: Path, exercises: Sequence[str], limits: Limits, language: str) -> tuple[str, ...]:
    """Return what to know where a file and the one beside it, as they were saved, both hold answers."""
    return _on_both(_pair(path, limits, language).values(), exercises, language)


def _on_both(pair: Iterable[Source], exercises: Sequence[str], language: str) -> tuple[str, ...]:
    both = both_of(list(pair), StubTexts(exercises=tuple(exercises)))
    return (both.note(language),) if both else ()


def _pair(path: Path, limits: Limits, language: str) -> dict[Path, Source]:
    """Return a file and the one of the other kind beside it, where there is one."""
    places = (path.with_suffix(".py"), path.with_suffix(".ipynb"))
    return {
        place: read_file(place, limits, follow=True, language=language)
        for place in places
        if place == path or place.is_file()
    }
