"""Says which exercises are written in a file, and makes one submission of a `.py` and a notebook.

Files are compared as text: what is handed in is parsed as Python nowhere but in the jail, where
`grader.inside.source.duplicate_definitions` asks the same of the parsed code.
"""

import hashlib
import re
from collections.abc import Collection

import msgspec

from grader.inside.protocol.messages import PY_BESIDE, Cell
from grader.language import translation
from grader.source_cells import Source
from grader.text import name_shown

LONG = r'"""[^"\\]*(?:(?:\\(?:.|\Z)|"(?!""))[^"\\]*)*(?:"""|\Z)|' + (
    r"'''[^'\\]*(?:(?:\\(?:.|\Z)|'(?!''))[^'\\]*)*(?:'''|\Z)"
)
STRING = LONG + r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|' + r"'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
SAYS_NOTHING = re.compile(
    rf"(?P<doc>^[ \t]*(?:{STRING})[ \t]*$)|{STRING}|(?P<comment>#[^\n]*)", re.DOTALL | re.MULTILINE
)
STATEMENT = re.compile(r"^(?=[^\s)\]}])", re.MULTILINE)
NAMED = re.compile(r"(?:(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|(\w+)[ \t]*=(?!=)(?![ \t]*None[ \t]*$))", re.MULTILINE)
FUNCTION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(?=\w)", re.MULTILINE)
ENDS = re.compile(r"(?:^|[:;])[ \t]*(?:(return|yield)\b|raise[ \t]+NotImplementedError\b)", re.MULTILINE)
IDLE = re.compile(r"pass|\.\.\.|return(?:[ \t]+None)?")
CALLED = ("forward", "__call__")


def answers_in(source: Source, exercises: Collection[str]) -> dict[str, str]:
    """Return the exercises that are written in a file, each with its code without comments, docstrings and blanks."""
    return {name: code for name, code in written_in(source).items() if name in exercises}


def joined(py: Source, notebook: Source, exercises: Collection[str], language: str) -> Source:
    """Return the one source of a `.py` and a notebook that both hold answers, with a note, or the problem with it.

    Each exercise counts from the file in which it is written. Where one file has all, it counts alone; else the two are
    run as one source, in which a stub never takes the place of an answer. Two answers to one exercise that differ are
    nobody's to choose between, and so are two helpers of one name where both files are run.
    """
    ours, theirs = answers_in(py, exercises), answers_in(notebook, exercises)
    names = {"py": name_shown(py.file_name), "notebook": name_shown(notebook.file_name)}
    differ = _different(ours, theirs)
    alone = next(
        (source for source, its, other in ((py, ours, theirs), (notebook, theirs, ours)) if its.keys() >= other.keys()),
        None,
    )
    if alone is None:
        differ = differ or _different(written_in(py), written_in(notebook))
    _ = translation(language).gettext
    if differ:
        problem = _(
            "{py} and {notebook} give different answers to {names}, so nobody can tell which of them counts. Hand in "
            "one file, or make these alike."
        ).format(names=", ".join(differ), **names)
        return msgspec.structs.replace(py, cells=[], problem=problem)
    note = _(
        "{py} and {notebook} both hold answers. Each exercise counts from the file in which it is written. Work in one "
        "file, and hand in only that one."
    ).format(**names)
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


def written_in(source: Source) -> dict[str, str]:
    """Return what is defined at the margin and more than a stub, as `answers_in` does; of two of one name the last."""
    text = "\n".join(cell.source for cell in source.cells)
    text = SAYS_NOTHING.sub(lambda match: "" if match["doc"] or match["comment"] else match[0], text)
    written, decorators = {}, ""
    for block in STATEMENT.split(text):
        if block.startswith("@"):
            decorators += block
            continue
        if (named := NAMED.match(block)) and _is_written(block):
            lines = [line.rstrip() for line in (decorators + block).split("\n") if line.strip()]
            written[named[1] or named[2]] = "\n".join(lines)
        decorators = ""
    return written


def _is_written(block: str) -> bool:
    """Return whether a definition is more than a stub.

    A stub raises NotImplementedError before it returns anything, or does nothing at all; a class with such a method, or
    with a `forward` that does nothing, is one too.
    """
    functions = FUNCTION.split(block)[1:]
    if any((first := ENDS.search(function)) and not first[1] for function in functions):
        return False
    must_do = functions if FUNCTION.match(block) else [method for method in functions if method.startswith(CALLED)]
    return not any(map(_does_nothing, must_do))


def _does_nothing(function: str) -> bool:
    _, colon, body = function.rpartition(":")
    statements = [statement.strip() for statement in re.split(r"[;\n]", body) if statement.strip()]
    return bool(colon and statements) and all(map(IDLE.fullmatch, statements))


def bare_code(cells: list[Cell]) -> str:
    """Return code without white space."""
    return "".join("".join(cell.source for cell in cells).split())
