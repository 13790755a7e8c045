"""Reads tables as platforms and spreadsheets write them, and changes single cells of one.

A gradebook goes back to its platform with every other byte as it was. So a table is not written anew: new text is put
in the places of cells.
"""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from grader.errors import UsageError
from grader.text import name_shown

LARGEST = 64 << 20
MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
SEPARATORS = ",;\t"
QUOTED = re.compile(r'"[^"]*(?:""[^"]*)*("?)')
FIRST_LINE = re.compile(r'(?:"[^"]*(?:"|\Z)|[^"\r\n])*')
LINE_END = re.compile("\r\n|\r|\n")
AS_CSV = "Export it again from the platform, or save it as CSV in UTF-8."


class Cell(NamedTuple):
    """A cell and its place in the text, quotes included."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Table:
    """A table as it was written.

    Attributes:
        name: The file, for sentences.
        text: The whole text without its byte-order mark.
        mark: The byte-order mark; empty where there is none.
        encoding: The name of the encoding.
        separator: What is between two cells.
        rows: The rows that are not empty, the headings first.
    """

    name: str
    text: str
    mark: bytes
    encoding: str
    separator: str
    rows: list[list[Cell]]

    @property
    def headings(self) -> list[str]:
        """The texts of the first row, without blanks around them."""
        return [cell.text.strip() for cell in self.rows[0]]

    def cell(self, row: int, column: int) -> str:
        """Return the text of a cell without blanks around it; a row that ends early has empty cells."""
        cells = self.rows[row]
        return cells[column].text.strip() if column < len(cells) else ""

    def line(self, row: int) -> int:
        """Return the line of the file in which a row begins, counted from 1."""
        return 1 + len(LINE_END.findall(self.text, 0, self.rows[row][0].start))

    def with_cells(self, changes: Mapping[tuple[int, int], str]) -> bytes:
        """Return the file with other texts in some cells.

        Args:
            changes: The new texts by row and column, counted from 0. A cell beyond the end of its row is added.
        """
        parts, done = [], 0
        for (row, column), new in sorted(changes.items()):
            cells = self.rows[row]
            if column < len(cells):
                _, start, end = cells[column]
                new = f'"{new}"' if self.text[start:end].startswith('"') else new
            else:
                start = end = cells[-1].end
                new = self.separator * (column - len(cells) + 1) + new
            parts += [self.text[done:start], new]
            done = end
        return self.mark + "".join([*parts, self.text[done:]]).encode(self.encoding)


def read_table(path: Path) -> Table:
    """Read a table in UTF-8, UTF-16 or CP949, with commas, semicolons or tabs between the cells.

    Raises:
        UsageError: It cannot be read, is no text in one of these encodings, is empty, or a quote is not closed.
    """
    name = name_shown(path.name)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as problem:
        raise UsageError(f"{name} cannot be read: {problem.strerror}.") from None
    if len(data) > LARGEST:
        raise UsageError(f"{name} is larger than {LARGEST >> 20} MiB.", hint=AS_CSV)
    if data.startswith((b"PK\3\4", b"\xd0\xcf\x11\xe0")):
        raise UsageError(f"{name} is a workbook and not CSV.", hint=AS_CSV)
    text, mark, encoding = _decoded(data, name)
    first = FIRST_LINE.match(text.lstrip("\r\n"))
    heading = re.sub(r'"[^"]*"?', "", first[0] if first else "")
    separator = max(SEPARATORS, key=heading.count)
    rows = [row for row in _rows(text, separator, name) if any(cell.text.strip() for cell in row)]
    if not rows:
        raise UsageError(f"{name} is empty.", hint=AS_CSV)
    return Table(name, text, mark, encoding, separator, rows)


def _decoded(data: bytes, name: str) -> tuple[str, bytes, str]:
    """Return the text, its byte-order mark and the encoding."""
    mark = next((each for each in MARKS if data.startswith(each)), b"")
    known = [MARKS[mark]] if mark else ["utf-8", "cp949"]
    if not mark and b"\0" in data[:2]:  # UTF-16 whose mark was lost; a heading begins with an ASCII sign
        known = ["utf-16-be" if data[0] == 0 else "utf-16-le"]
    for encoding in known:
        try:
            text = data[len(mark) :].decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, mark, encoding
    raise UsageError(f"{name} is not text in UTF-8, UTF-16 or CP949.", hint=AS_CSV)


def _rows(text: str, separator: str, name: str) -> list[list[Cell]]:
    bare = re.compile(f"[^{separator}\r\n]*")
    rows, cells, at = [], list[Cell](), 0
    while at < len(text) or cells:
        found = QUOTED.match(text, at)
        if found is None:
            found = bare.match(text, at)
            assert found is not None  # it matches an empty cell too
            cells.append(Cell(found[0], at, found.end()))
        else:
            cells.append(Cell(found[0][1:-1].replace('""', '"'), at, found.end()))
            if not found[1] or text[found.end() : found.end() + 1] not in ("", separator, "\r", "\n"):
                line = 1 + len(LINE_END.findall(text, 0, at))
                raise UsageError(f"{name} has a double quote in line {line} that is not closed.", hint=AS_CSV)
        at = found.end()
        if text[at : at + 1] == separator:
            at += 1
            continue
        rows.append(cells)
        cells = []
        end = LINE_END.match(text, at)
        at = end.end() if end else at
    return rows
