"""Reads tables as platforms and spreadsheets write them, and writes them back in the same encoding and form."""

import codecs
import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grader.errors import UsageError
from grader.text import name_shown

LARGEST = 64 << 20
MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
SEPARATORS = ",;\t"
FIRST_LINE = re.compile(r'((?:"[^"]*(?:"|\Z)|[^"\r\n])*)(\r\n|\r|\n|)')  # line ends in quotes are not its end
AS_CSV = "Export it again from the platform, or save it as CSV in UTF-8."
Quoting = Literal[0, 1]


@dataclass(frozen=True)
class Table:
    """A table, and how it was written.

    Attributes:
        name: The file, for sentences.
        rows: The rows as lists of cells, the headings first.
        lines: The line of the file in which each row ends.
        mark, encoding: The byte-order mark, empty where there is none, and the encoding.
        separator, end, quoting: What is between cells and between rows, and which cells are quoted, in the words of
            the csv module.
        closed: Whether the last row ends with a line end.
    """

    name: str
    rows: list[list[str]]
    lines: list[int]
    mark: bytes
    encoding: str
    separator: str
    end: str
    quoting: Quoting
    closed: bool

    @property
    def headings(self) -> list[str]:
        """The texts of the first row, without blanks around them."""
        return [cell.strip() for cell in self.rows[0]]

    @property
    def below(self) -> Iterable[int]:
        """The numbers of the rows below the headings."""
        return range(1, len(self.rows))

    def cell(self, row: int, column: int) -> str:
        """Return the text of a cell without blanks around it; a row that ends early has empty cells."""
        return self.rows[row][column].strip() if column < len(self.rows[row]) else ""

    def to_bytes(self) -> bytes:
        """Return the table as it was written."""
        text = written(self.rows, self.separator, self.end, self.quoting)
        return self.mark + (text if self.closed else text.removesuffix(self.end)).encode(self.encoding)


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
    text, mark, encoding = _decoded(data, name)
    text = text.lstrip("\r\n")
    first = FIRST_LINE.match(text)
    heading, end = first.groups() if first is not None else ("", "")
    separator = max(SEPARATORS, key=re.sub(r'"[^"]*"?', "", heading).count)
    rows, lines = [], []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            rows.append(row)
            lines.append(reader.line_num)
    except csv.Error as problem:
        raise UsageError(f"{name} is broken in line {reader.line_num}: {problem}.", hint=AS_CSV) from None
    if not heading.strip():
        raise UsageError(f"{name} has no headings.", hint=AS_CSV)
    end, closed = end or "\n", text.endswith(("\r", "\n"))
    is_quoted = written(rows, separator, end, csv.QUOTE_ALL).rstrip("\r\n") == text.rstrip("\r\n")
    quoting: Quoting = csv.QUOTE_ALL if is_quoted else csv.QUOTE_MINIMAL
    return Table(name, rows, lines, mark, encoding, separator, end, quoting, closed)


def written(rows: Iterable[list[str]], separator: str = ",", end: str = "\r\n", quoting: Quoting = 0) -> str:
    """Return rows as the text of a table."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting).writerows(rows)
    return text.getvalue()


def _decoded(data: bytes, name: str) -> tuple[str, bytes, str]:
    """Return the text, its byte-order mark and the encoding."""
    mark = next((each for each in MARKS if data.startswith(each)), b"")
    known = [MARKS[mark]] if mark else ["utf-8", "cp949"]
    if not mark and b"\0" in data[:2]:  # UTF-16 whose mark was lost; a heading begins with an ASCII sign
        known = ["utf-16-be" if data[0] == 0 else "utf-16-le"]
    for encoding in known if len(data) <= LARGEST else ():
        try:
            text = data[len(mark) :].decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, mark, encoding
    raise UsageError(f"{name} is not a table in UTF-8, UTF-16 or CP949.", hint=AS_CSV)
