"""Reads tables cell by cell, and changes single cells of one that a platform wrote, with every other byte as it is.

A gradebook that goes back to its platform should differ in the scores and in nothing else: not in quoting, line ends,
encoding or the columns that this kit knows nothing of. So the table is not written anew; the places of its cells are
found, and new text is put in those places.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError
from grader.text import name_shown

from .tables import SAVE, decode_table, encode_table, read_bytes, separator_of

END = ("\r", "\n")
QUOTED = re.compile(r'"([^"]*(?:""[^"]*)*)("?)')


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
    """A table as it was written.

    Attributes:
        name: The file, for sentences.
        text: Its whole text without the mark of the encoding.
        encoding: How it was written: `utf-8`, `utf-8-sig`, `utf-16-le` or `utf-16-be`, the last three with their mark.
        separator: What is between two cells.
        rows: Its rows, the headings first.
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
        """Return the column of each identity that the file has, given the identity by its heading."""
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
        parts, done = [], 0
        for (number, column), value in sorted(changes.items()):
            cells = self.rows[number].cells
            if column < len(cells):
                cell = cells[column]
                if cell.value == value:
                    continue
                start, end, new = cell.start, cell.end, self._written(value, cell.quoted)
            else:
                start = end = cells[-1].end
                new = self.separator * (column - len(cells) + 1) + self._written(value, False)
            parts += [self.text[done:start], new]
            done = end
        return encode_table("".join([*parts, self.text[done:]]), self.encoding)

    def _written(self, value: str, quoted: bool) -> str:
        if quoted or any(sign in value for sign in (self.separator, '"', *END)):
            return '"' + value.replace('"', '""') + '"'
        return value


def read_sheet(path: Path, what: str, *, separator: str = "", skip_blank: bool = False) -> Sheet:
    """Read a table.

    Args:
        what: What it is, for sentences, such as `A gradebook of Canvas`.
        separator: What is between cells; taken from the headings when empty.
        skip_blank: Whether empty rows are left out, also above the headings; else a row's place in the list is that
            in the file.

    Raises:
        UsageError: It cannot be read, is not text, is empty, or its quotes do not close.
    """
    text, encoding = decode_table(read_bytes(path, what), path.name)
    separator = separator or separator_of(text)
    rows = [row for row in _rows(text, separator, path.name) if not (skip_blank and row.blank)]
    if not rows or rows[0].blank:
        found = "has no headings" if text.strip() else "is empty"
        raise UsageError(f"{what} was looked for.", f"{name_shown(path.name)} {found}.", SAVE)
    return Sheet(path.name, text, encoding, separator, rows)


def _rows(text: str, separator: str, name: str) -> Iterator[Row]:
    at, line = 0, 1
    while at < len(text):
        cells: list[Cell] = []
        first = line
        while True:
            cell = _cell(text, at, separator, name, line)
            cells.append(cell)
            line += len(re.findall("\r\n|\r|\n", text[cell.start : cell.end]))
            at = cell.end
            if at >= len(text) or text[at] != separator:
                break
            at += 1
        if at < len(text):
            at += 2 if text.startswith("\r\n", at) else 1
            line += 1
        yield Row(cells, first)


def _cell(text: str, start: int, separator: str, name: str, line: int) -> Cell:
    quoted = QUOTED.match(text, start)
    if quoted is None:
        bare = re.compile(f"[^{separator}\r\n]*").match(text, start)
        assert bare is not None  # it matches an empty cell too
        return Cell(bare[0], start, bare.end(), False)
    end = quoted.end()
    fault = "" if quoted[2] else "a double quote is not closed"
    if not fault and end < len(text) and text[end] not in (separator, *END):
        fault = "something follows a closed double quote"
    if fault:
        raise UsageError(f"A table was looked for in {name_shown(name)}.", f"In line {line} {fault}.", SAVE)
    return Cell(quoted[1].replace('""', '"'), start, end, True)
