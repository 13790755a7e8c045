"""Says what is written in a file, such as an answer to an exercise.

Files are compared as text: what is handed in is parsed as Python nowhere but in the jail, where
`grader.inside.source.duplicate_definitions` asks the same of the parsed code.
"""

import re
from collections.abc import Collection

from grader.source_cells import Source

LONG = r'"""[^"\\]*(?:(?:\\(?:.|\Z)|"(?!""))[^"\\]*)*(?:"""|\Z)|' + (
    r"'''[^'\\]*(?:(?:\\(?:.|\Z)|'(?!''))[^'\\]*)*(?:'''|\Z)"
)
STRING = LONG + r'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?|' + r"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?"
"""An open one ends with its line, so that no text is searched twice."""
SAYS_NOTHING = re.compile(
    rf"(?P<doc>^[ \t]*[rRuU]?(?:{STRING})[ \t]*$)|{STRING}|(?P<comment>#[^\n]*)", re.DOTALL | re.MULTILINE
)
STATEMENT = re.compile(r"^(?=[^\s)\]}])", re.MULTILINE)
NAMED = re.compile(r"(?:(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|(\w+)[ \t]*=(?!=)(?![ \t]*None[ \t]*$))", re.MULTILINE)
FUNCTION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(?=\w)", re.MULTILINE)
ENDS = re.compile(r"(?:^|[:;])[ \t]*(?:(return|yield)\b|raise[ \t]+NotImplementedError\b)", re.MULTILINE)
IDLE = re.compile(r"pass|\.\.\.|return(?:[ \t]+None)?")
CALLED = ("forward", "__call__")


def names_any(source: Source, exercises: Collection[str]) -> bool:
    """Return whether a file defines or imports one of the exercises anywhere, a stub of it too, or has it as a text."""
    names = "|".join(map(re.escape, exercises))
    defined = rf"\b(?:def|class)[ \t]+(?:{names})\b|\b(?:{names})[ \t]*=|[\"'](?:{names})[\"']"
    imported = rf"^[ \t]*(?:from|import)\b.*\b(?:{names})\b"  # only from a line's begin, so that no text takes long
    named = re.compile(f"{defined}|{imported}", re.MULTILINE)
    return any(named.search(cell.source) for cell in source.cells)


def written_in(source: Source) -> dict[str, str]:
    """Return what is defined at the margin and more than a stub, each with its code; of two of one name the last.

    Comments, docstrings and blank lines are left out.
    """
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
