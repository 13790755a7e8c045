"""Changes single cells of a table that a platform wrote, and leaves every other byte as it is.

A gradebook that goes back to its platform should differ in the scores and in nothing else: not in quoting, line ends,
encoding or the columns that this kit knows nothing of. So the table is not written anew; the places of its cells are
found, and new text is put in those places.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError
from grader.lms.tables import SAVE, decode_table, encode_table, read_bytes, separator_of
from grader.text import name_shown

END = ("\r", "\n")


@dataclass(frozen=True)
class Cell:
    """A cell and its place: the text's half-open range from `start` to `end`, quotes included."""

    value: str
    start: int
    end: int
    quoted: bool


@dataclass(frozen=True)
class Row:
    """A row: its cells and the line of the file that it begins in."""

    cells: list[Cell]
    line: int

    def __getitem__(self, column: int) -> str:
        """Return a cell's text; a row that ends early has empty cells."""
        return self.cells[column].value if column < len(self.cells) else ""

    @property
    def blank(self) -> bool:
        """Whether it is empty."""
        return not any(cell.value.strip() for cell in self.cells)


@dataclass(frozen=True)
class Sheet:
    """A table as a platform wrote it.

    Attributes:
        name: The file, for sentences.
        text: Its whole text without the mark of the encoding.
        encoding: How it was written.
        separator: What is between two cells.
        rows: Its rows, blank ones included, so that a row's place in the list is that in the file.
    """

    name: str
    text: str
    encoding: str
    separator: str
    rows: list[Row]

    @property
    def headings(self) -> list[str]:
        """The cells of the first row."""
        return [cell.value for cell in self.rows[0].cells]

    @property
    def student_rows(self) -> list[int]:
        """The numbers of the rows below the headings that are not empty."""
        return [number for number, row in enumerate(self.rows) if number and not row.blank]

    def columns_of(self, identities: Mapping[str, str]) -> dict[str, int]:
        """Return the column of each identity that the file has.

        Args:
            identities: The identity by the heading of its column.
        """
        heads = [text.strip() for text in self.headings]
        return {identity: heads.index(name) for name, identity in identities.items() if name in heads}

    def headings_like(self, pattern: re.Pattern[str]) -> dict[int, re.Match[str]]:
        """Return the headings that a pattern matches as a whole, by their columns."""
        found = {column: pattern.fullmatch(text.strip()) for column, text in enumerate(self.headings)}
        return {column: match for column, match in found.items() if match}

    def filled(self, changes: Mapping[tuple[int, int], str]) -> bytes:
        """Return the file's bytes with other text in some cells.

        Args:
            changes: The new text by row and column, both counted from 0. A cell beyond the end of its row is added.

        A cell is quoted if it was quoted before or must be; a cell that has the text already stays as it is.
        """
        edits: list[tuple[int, int, str]] = []
        for (number, column), value in sorted(changes.items()):
            cells = self.rows[number].cells
            if column < len(cells):
                cell = cells[column]
                if cell.value != value:
                    edits.append((cell.start, cell.end, self._written(value, cell.quoted)))
            else:
                gap = self.separator * (column - len(cells) + 1)
                edits.append((cells[-1].end, cells[-1].end, gap + self._written(value, False)))
        parts, done = [], 0
        for start, end, new in edits:
            parts += [self.text[done:start], new]
            done = end
        return encode_table("".join([*parts, self.text[done:]]), self.encoding)

    def _written(self, value: str, quoted: bool) -> str:
        if quoted or any(sign in value for sign in (self.separator, '"', *END)):
            return '"' + value.replace('"', '""') + '"'
        return value


def read_sheet(path: Path, what: str, *, separator: str = "") -> Sheet:
    """Read a table that is to be filled in.

    Args:
        path: The file.
        what: What it is, for sentences, such as `A gradebook of Canvas`.
        separator: What is between cells; taken from the headings when empty.

    Raises:
        UsageError: It cannot be read, is not text, or its quotes do not close.
    """
    text, encoding = decode_table(read_bytes(path, what), path.name)
    separator = separator or separator_of(text)
    rows = list(_rows(text, separator, path.name))
    if not rows or rows[0].blank:
        raise UsageError(f"{what} was looked for.", f"{name_shown(path.name)} has no headings.", SAVE)
    return Sheet(path.name, text, encoding, separator, rows)


def _rows(text: str, separator: str, name: str) -> Iterator[Row]:
    at, line = 0, 1
    while at < len(text):
        cells: list[Cell] = []
        first = line
        while True:
            cell = _cell(text, at, separator, name, line)
            cells.append(cell)
            line += _line_ends(text[cell.start : cell.end])
            at = cell.end
            if at >= len(text) or text[at] != separator:
                break
            at += 1
        if at < len(text):
            at += 2 if text.startswith("\r\n", at) else 1
            line += 1
        yield Row(cells, first)


def _cell(text: str, start: int, separator: str, name: str, line: int) -> Cell:
    if not text.startswith('"', start):
        end = start
        while end < len(text) and text[end] != separator and text[end] not in END:
            end += 1
        return Cell(text[start:end], start, end, False)
    at = start + 1
    while True:
        at = text.find('"', at)
        if at < 0:
            raise _broken(name, line, "a double quote is not closed.")
        if not text.startswith('"', at + 1):
            break
        at += 2
    end = at + 1
    if end < len(text) and text[end] != separator and text[end] not in END:
        raise _broken(name, line, "something follows a closed double quote.")
    return Cell(text[start + 1 : at].replace('""', '"'), start, end, True)


def _line_ends(text: str) -> int:
    return text.replace("\r\n", "\n").replace("\r", "\n").count("\n")


def _broken(name: str, line: int, fault: str) -> UsageError:
    return UsageError(f"A table was looked for in {name_shown(name)}.", f"In line {line} {fault}", SAVE)
