"""Chooses which of a submission's files is graded: the one that its student worked in.

Files are compared as text. Whether an exercise is written is asked of its lines, as
`grader.inside.source.duplicate_definitions` asks it of the parsed code in the jail: what is handed in is parsed as
Python nowhere else.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache

import msgspec

from grader.inside.protocol.messages import Cell
from grader.source_cells import Source, StubTexts
from grader.submissions.path_errors import all_names, beside_note
from grader.text import name_shown
from grader.words import say

from .both_files import BothFiles, compare_files
from .notebook_file import released_notebook

COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
LONG_STRING = re.compile(
    r'"""[^"\\]*(?:(?:\\(?:.|\Z)|"(?!""))[^"\\]*)*(?:"""|\Z)|'
    r"'''[^'\\]*(?:(?:\\(?:.|\Z)|'(?!''))[^'\\]*)*(?:'''|\Z)",
    re.DOTALL,
)
DEFINED = re.compile(r"^([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
ASSIGNED = re.compile(r"^(\w+)[ \t]*=(?!=)(?![ \t]*None[ \t]*$)", re.MULTILINE)
IDLE = re.compile(r'pass|\.\.\.|""|return(?:[ \t]+None)?')
COMMENT_END = re.compile(r"#[^\n]*")
BODY_ENDS = re.compile(r"\n(?=[^\s)#])")
CALLED = ("forward", "__call__")
ENDS = re.compile(r"(?:^|[:;])[ \t]*(?:(return|yield)\b|raise[ \t]+NotImplementedError\b)", re.MULTILINE)


class Work(IntEnum):
    """What a student did in a file."""

    NONE = 0
    NO_ANSWER = 1
    ANSWER = 2


def choose_file(sources: list[Source], stub: StubTexts, language: str = "en") -> tuple[Source, tuple[str, ...]]:
    """Return the file that counts, and what a reader of the report should know of the choice.

    Of a `.py` and an `.ipynb` the one with answers counts, and both when both have some. Where the other cannot be
    read, one without an answer is not graded in its place: that would be 0 points for an answer that nobody saw.
    """
    if len(sources) == 1:
        return sources[0], ()
    readable = [source for source in sources if source.problem is None]
    if not readable:
        return sources[0], tuple(str(source.problem) for source in sources[1:])
    if len(readable) == 1:
        (only,), other = readable, next(source for source in sources if source.problem is not None)
        if work_in(only, stub) is not Work.ANSWER:
            why = _first(_why_no_answer(only, stub))
            return other, (f"{why}, so it was not graded in the place of the other file.",)
        return only, (say("both_one_read", language, problem=other.problem, main=name_shown(only.file_name)),)
    if (both := both_of(readable, stub)) is not None:
        return both.source(), (both.note(language),)
    py, notebook = sorted(readable, key=lambda source: source.kind != "py")
    in_py, in_notebook = work_in(py, stub), work_in(notebook, stub)
    chosen, beside = (notebook, py) if in_notebook > in_py else (py, notebook)
    graded = name_shown(chosen.file_name)
    if in_py is in_notebook:
        changed = f"{graded} was graded, although {name_shown(beside.file_name)} beside it was changed too."
        return chosen, () if in_py is Work.NONE else (f"{changed} Hand in only one of them.",)
    what = ".py" if beside is py else "notebook"
    if work_in(beside, stub) is Work.NONE:
        return chosen, (f"{graded} was graded: the {what} beside it is as it was handed out.",)
    return chosen, (f"{graded} was graded: no exercise is written in the {what} beside it.",)


def both_of(sources: Sequence[Source], stub: StubTexts) -> BothFiles | None:
    """Return what a `.py` and a notebook come to where each can be read and has an answer; None otherwise."""
    if len(sources) != 2 or any(each.problem or work_in(each, stub) is not Work.ANSWER for each in sources):
        return None
    py, notebook = sorted(sources, key=lambda source: source.kind != "py")
    return compare_files(py, notebook, _answers(py, stub), _answers(notebook, stub))


def choose_beside(
    chosen: Source, others: Mapping[str, Source], unread: Sequence[str], stub: StubTexts, stem: str
) -> tuple[Source, tuple[str, ...]]:
    """Return what counts of a file without an answer and of what is beside it, and what to say of the choice.

    The only answer beside it is graded in its place. Where there are several, or something that may be one and cannot
    be looked at, nothing is graded: 0 points would be for an answer that nobody saw.

    Args:
        chosen: The file with the assignment's name, which has no answer.
        others: The programs beside it, by the names to call them.
        unread: The names of what else is there and may be the work.
        stem: The name that the file should have, without suffix.
    """
    idle = _why_no_answer(chosen, stub)
    answers = {name: each for name, each in others.items() if not each.problem and work_in(each, stub) is Work.ANSWER}
    if len({bare_code(each.cells) for each in answers.values()}) == 1:
        name, only = next(iter(answers.items()))
        left = [*(each for each in others if each != name), *unread]
        return only, (f"{name_shown(name)} was graded: {idle}.", *beside_note(left))
    unsure = [*(name for name, each in others.items() if name in answers or each.problem), *unread]
    if not unsure:
        return chosen, (f"{_first(idle)}. {beside_note(list(others))[0]}",)
    wanted = f"Hand in one file with the answers, named {stem}.py."
    there = "what is beside it and may be the work was not graded either"
    problem = f"{_first(idle)}, and {there}: {all_names(unsure)}. {wanted}"
    return msgspec.structs.replace(chosen, cells=[], marks=(), problem=problem), ()


def work_in(source: Source, stub: StubTexts) -> Work:
    """Return what was done in a file that could be read."""
    if bare_code(source.cells) == _stub_essence(stub.py if source.kind == "py" else stub.ipynb, source.kind):
        return Work.NONE
    return Work.ANSWER if _answers(source, stub) or not _exercises(stub) else Work.NO_ANSWER


def _exercises(stub: StubTexts) -> Collection[str]:
    return stub.exercises or _unwritten(stub.py) | _unwritten(stub.ipynb, "ipynb")


def _answers(source: Source, stub: StubTexts) -> list[str]:
    """Return the exercises that are written in a file, in its order."""
    exercises = _exercises(stub)
    found = definitions("\n".join(cell.source for cell in source.cells))
    return list(dict.fromkeys(name for name, written in found if written and name in exercises))


def _why_no_answer(source: Source, stub: StubTexts) -> str:
    name = name_shown(source.file_name)
    if work_in(source, stub) is Work.NONE:
        return f"{name} is as it was handed out"
    return f"no exercise is written in {name}"


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]


def definitions(text: str) -> Iterator[tuple[str, bool]]:
    """Yield every name that a text defines, and whether the definition is more than a stub.

    A stub raises NotImplementedError before it returns anything, or does nothing at all; a class with a stub in it, or
    with a `forward` that does nothing, is one too. The text is gone through once, from its end, however deep it nests.
    """
    text = COMMENT.sub("", LONG_STRING.sub('""', text))
    found = list(DEFINED.finditer(text))
    ends = [*(each.start() for each in found), len(text)][1:]
    found_names: list[tuple[str, bool]] = []
    below: list[tuple[int, bool]] = []  # what comes later: its indentation, and whether it makes what it is in a stub
    for each, end in zip(reversed(found), reversed(ends), strict=True):
        indentation, name = len(each[1]), each[2]
        first = ENDS.search(text, each.end(), end)
        is_stub, is_alone = first is not None and first[1] is None, True
        while below and below[-1][0] > indentation:
            is_stub, is_alone = below.pop()[1] or is_stub, False
        idle = is_alone and _does_nothing(text[each.start() : end])
        found_names.append((name, not (is_stub or idle)))
        below.append((indentation, is_stub or (idle and name in CALLED)))
    yield from reversed(found_names)
    for assigned in ASSIGNED.finditer(text):
        yield assigned[1], True


def _does_nothing(text: str) -> bool:
    """Return whether a definition in which there is no other is a function with nothing but `pass` and such in it."""
    _, colon, body = COMMENT_END.sub("", BODY_ENDS.split(text, 1)[0]).rpartition(":")
    statements = [each.strip() for each in re.split(r"[;\n]", body) if each.strip()]
    idle = bool(colon and statements) and all(map(IDLE.fullmatch, statements))
    return idle and not text.lstrip().startswith("class")


def bare_code(cells: list[Cell]) -> str:
    """Return code without comment lines and white space, in which a file as handed out equals the stub."""
    return "".join(COMMENT.sub("", "\n".join(cell.source for cell in cells)).split())


def _stub_cells(text: str, kind: str) -> list[Cell]:
    return [Cell(1, text)] if kind == "py" else released_notebook(text)[0]


@lru_cache(maxsize=64)
def _stub_essence(text: str, kind: str) -> str:
    return bare_code(_stub_cells(text, kind))


@lru_cache(maxsize=64)
def _unwritten(text: str, kind: str = "py") -> frozenset[str]:
    """Return what students were given to write."""
    code = "\n".join(cell.source for cell in _stub_cells(text, kind))
    return frozenset(name for name, written in definitions(code) if not written)
