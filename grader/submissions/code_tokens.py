"""Splits code into tokens that stay the same when names, comments, docstrings or the layout are changed.

A regular expression does it, and nothing is parsed or run. It never gives up on a broken file, finds the same under
every version of Python, and takes time in proportion to the file whatever a student put into it. (`tokenize` gives up
at the first thing that is not Python; Pygments needs minutes for some hundred kilobytes of blank lines.)
"""

import builtins
import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.inside.protocol.messages import Cell

TOKEN = re.compile(
    r'''
    (?P<string>[a-zA-Z]{0,2}(?:
        """(?:[^"\\]|\\.|"(?!""))*(?:"""|\\?\Z)
        |\'\'\'(?:[^'\\]|\\.|'(?!\'\'))*(?:\'\'\'|\\?\Z)
        |"(?:[^"\\\n]|\\.)*"?
        |'(?:[^'\\\n]|\\.)*'?))
    |(?P<skipped>\#[^\n]*|\\\n)
    |(?P<number>\.?\d[\w.]*)
    |(?P<called>[^\W\d]\w*(?=[ \t]*\())
    |(?P<name>\w+)
    |(?P<line>\n)
    |(?P<sign>\S)
    ''',
    re.VERBOSE | re.DOTALL,
)
OWN = re.compile(r"\bself\s*\.\s*(\w+)|\b(?:def|class)\s+(\w+)")
BUILTINS = frozenset(dir(builtins))


@dataclass
class Block:
    """The body of a function, or a stretch of code outside of functions.

    Attributes:
        begins: The line with its `def` or `class`; None outside of functions.
        words: Its tokens as they are compared.
        lines: The line of each token, from 0.
    """

    begins: int | None
    words: list[str]
    lines: list[int]


@dataclass(frozen=True)
class Code:
    """A submission's code in tokens.

    Attributes:
        lines: The lines of all its cells.
        numbers: What to call each: its number, behind that of its cell where there are several cells.
    """

    lines: list[str]
    numbers: list[str]
    blocks: list[Block]

    @property
    def size(self) -> int:
        """How many tokens there are."""
        return sum(len(block.words) for block in self.blocks)


def tokens_of(cells: Sequence[Cell]) -> Code:
    """Split the cells of a submission into tokens."""
    code = Code([], [], [])
    own = {name for cell in cells for found in OWN.findall(cell.source) for name in found if name}
    for cell in cells:
        code.blocks.extend(_blocks(cell.source, own, len(code.lines)))
        lines = cell.source.split("\n")
        mark = f"{cell.number}:" if len(cells) > 1 else ""
        code.lines.extend(lines)
        code.numbers.extend(f"{mark}{number}" for number in range(1, len(lines) + 1))
    return code


def _blocks(text: str, own: set[str], line: int) -> Iterator[Block]:
    """Yield the blocks of a text whose first line has this number; what stands in a `def` or `class` line is left out.

    Args:
        own: Names after a dot that the student chose.
    """
    block = Block(None, [], [])
    depth, row = 0, 0  # of brackets; where the line begins
    begins = True  # whether the next token begins a statement
    heading = dotted = False
    for match in TOKEN.finditer(text):
        kind, word = match.lastgroup or "", match[0]
        if kind == "line":
            line, row = line + 1, match.end()
            if depth == 0:
                begins, heading = True, False
            continue
        here, line = line, line + word.count("\n")
        if kind == "skipped":
            continue
        first, begins = begins, False
        if word in ("def", "class") and not dotted:
            yield block
            block, depth, heading = Block(here, [], []), 0, True
        elif first and match.start() == row and block.begins is not None:
            yield block
            block = Block(None, [], [])
        depth = max(0, depth + (word in ("(", "[", "{")) - (word in (")", "]", "}")))
        if heading:
            begins = word == ":" and depth == 0
            heading = not begins
        elif not (first and kind == "string") and word != ";":
            block.words.append(_compared(kind, word, own, dotted))
            block.lines.append(here)
        dotted = word == "."
    yield block


def _compared(kind: str, word: str, own: set[str], dotted: bool) -> str:
    """Return a token as it is compared: a name that the student chose, and any string, is as good as another."""
    if kind == "string":
        return '""'
    if kind not in ("name", "called") or keyword.iskeyword(word):
        return word
    if dotted:
        return "own" if word in own else word
    return word if kind == "called" and word in BUILTINS else "name"
