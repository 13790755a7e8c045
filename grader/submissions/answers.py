"""Says which exercises are written in a file, and makes one submission of a `.py` and a notebook.

Files are compared as text: what is handed in is parsed as Python nowhere but in the jail, where
`grader.inside.source.duplicate_definitions` asks the same of the parsed code.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from grader.inside.protocol.messages import PY_BESIDE, Cell
from grader.source_cells import Source, StubTexts
from grader.text import name_shown
from grader.words import say

from .notebook_file import released_notebook

COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
LONG = r'"""[^"\\]*(?:(?:\\(?:.|\Z)|"(?!""))[^"\\]*)*(?:"""|\Z)|' + (
    r"'''[^'\\]*(?:(?:\\(?:.|\Z)|'(?!''))[^'\\]*)*(?:'''|\Z)"
)
SHORT = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|' + r"'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
LONG_STRING = re.compile(LONG, re.DOTALL)
SAYS_NOTHING = re.compile(
    rf"(?P<doc>^[ \t]*(?:{LONG}|{SHORT})[ \t]*$)|{LONG}|{SHORT}|(?P<comment>#[^\n]*)", re.DOTALL | re.MULTILINE
)
DEFINED = re.compile(r"^([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
ASSIGNED = re.compile(r"^(\w+)[ \t]*=(?!=)(?![ \t]*None[ \t]*$)", re.MULTILINE)
STATEMENT = re.compile(r"^(?=[^\s)\]}#])", re.MULTILINE)
IDLE = re.compile(r'pass|\.\.\.|""|return(?:[ \t]+None)?')
COMMENT_END = re.compile(r"#[^\n]*")
BODY_ENDS = re.compile(r"\n(?=[^\s)#])")
CALLED = ("forward", "__call__")
ENDS = re.compile(r"(?:^|[:;])[ \t]*(?:(return|yield)\b|raise[ \t]+NotImplementedError\b)", re.MULTILINE)


def answers_in(source: Source, stub: StubTexts) -> dict[str, str]:
    """Return the exercises that are written in a file, each with its code without comments, docstrings and blanks."""
    exercises = stub.exercises or _unwritten(stub.py) | _unwritten(stub.ipynb, "ipynb")
    return {name: code for name, code in _written(source).items() if name in exercises}


def is_untouched(source: Source, stub: StubTexts) -> bool:
    """Return whether a file is as it was handed out, but for comments and white space."""
    return bare_code(source.cells) == _stub_essence(stub.py if source.kind == "py" else stub.ipynb, source.kind)


def joined(py: Source, notebook: Source, stub: StubTexts, language: str) -> Source:
    """Return the one source of a `.py` and a notebook that both hold answers, with a note, or the problem with it.

    Each exercise counts from the file in which it is written. Where one file has all, it counts alone; else the two are
    run as one source, in which a stub never takes the place of an answer. Two answers to one exercise that differ are
    nobody's to choose between, and so are two helpers of one name where both files are run.
    """
    ours, theirs = answers_in(py, stub), answers_in(notebook, stub)
    names = {"py": name_shown(py.file_name), "notebook": name_shown(notebook.file_name)}
    differ = _different(ours, theirs)
    alone = next(
        (each for each, its, other in ((py, ours, theirs), (notebook, theirs, ours)) if its.keys() >= other.keys()),
        None,
    )
    if alone is None:
        differ = differ or _different(_written(py), _written(notebook))
    if differ:
        problem = say("both_differ", language, names=", ".join(differ), **names)
        return msgspec.structs.replace(py, cells=[], problem=problem)
    note = say("both_files", language, **names)
    if alone is not None:
        return msgspec.structs.replace(alone, notes=(note, *alone.notes))
    return msgspec.structs.replace(
        notebook,
        cells=[*(Cell(PY_BESIDE, cell.source) for cell in py.cells), *notebook.cells],
        digest=hashlib.sha256(f"{py.digest}{notebook.digest}".encode()).hexdigest(),
        notes=(note, *py.notes, *notebook.notes),
    )


def _different(ours: dict[str, str], theirs: dict[str, str]) -> list[str]:
    return [name for name, code in ours.items() if theirs.get(name, code) != code]


def _written(source: Source) -> dict[str, str]:
    """Return every function and class that is more than a stub, as `answers_in` does; of two of a name the last."""
    text = SAYS_NOTHING.sub(lambda found: "" if found["doc"] or found["comment"] else found[0], _text(source.cells))
    written = {}
    decorators = ""
    for block in STATEMENT.split(text):
        if block.startswith("@"):
            decorators += block
            continue
        first = next(definitions(block), None) if DEFINED.match(block) or ASSIGNED.match(block) else None
        if first is not None and first[1]:
            written[first[0]] = "\n".join(line.rstrip() for line in (decorators + block).split("\n") if line.strip())
        decorators = ""
    return written


def _text(cells: Sequence[Cell]) -> str:
    return "\n".join(cell.source for cell in cells)


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
    return [Cell(1, text)] if kind == "py" else released_notebook(text)


@lru_cache(maxsize=64)
def _stub_essence(text: str, kind: str) -> str:
    return bare_code(_stub_cells(text, kind))


@lru_cache(maxsize=64)
def _unwritten(text: str, kind: str = "py") -> frozenset[str]:
    """Return what students were given to write."""
    code = "\n".join(cell.source for cell in _stub_cells(text, kind))
    return frozenset(name for name, written in definitions(code) if not written)
