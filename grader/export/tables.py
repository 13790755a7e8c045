"""Reads tables as platforms and spreadsheets write them, and writes them back in the same encoding and form."""

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.results.scoring import plain
from grader.text import composed, name_shown

MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
SEPARATORS = ",;\t"
QUOTED = re.compile(r'"[^"]*"')
NUMBER = re.compile(r"\s*(\d{1,9})(?:[.,](\d{1,9}))?\s*")
AS_CSV = "Export it again from the platform, or save it as CSV in UTF-8."


@dataclass(frozen=True)
class Table:
    """A table, and how it was written.

    Attributes:
        name: The file, for sentences.
        rows: The rows as lists of cells, the headings first.
        encoding: As Python calls it; with a byte-order mark where there was one.
        separator, end: What is between cells, and between rows.
    """

    name: str
    rows: list[list[str]]
    encoding: str
    separator: str
    end: str

    @property
    def headings(self) -> list[str]:
        """The texts of the first row, without blanks around them."""
        return [cell.strip() for cell in self.rows[0]]

    @property
    def below(self) -> Sequence[int]:
        """The numbers of the rows below the headings."""
        return range(1, len(self.rows))

    def cell(self, row: int, column: int) -> str:
        """Return the text of a cell without blanks around it; a row that ends early has empty cells."""
        return self.rows[row][column].strip() if column < len(self.rows[row]) else ""

    def column_of(self, headings: str) -> int | None:
        """Return the first column with one of the headings, which a bar divides."""
        fits = (column for column, text in enumerate(self.headings) if key_of(text) in headings.split("|"))
        return next(fits, None)

    def to_bytes(self) -> bytes:
        """Return the table in its encoding, with its line ends, and every cell in quotation marks.

        The first heading has none where it needs none: Canvas takes no such mark behind a byte-order mark.
        """
        form = {"delimiter": self.separator, "lineterminator": self.end, "quoting": csv.QUOTE_ALL}
        text, first = written(self.rows, **form), self.rows[0][0]
        if not {*first} & {*SEPARATORS, '"', "\r", "\n"}:
            text = first + text[len(first) + 2 :]
        return text.encode(self.encoding)


def read_table(path: Path) -> Table:
    """Read a table in UTF-8, UTF-16 or CP949, with commas, semicolons or tabs between the cells.

    Raises:
        UsageError: It cannot be read, is no text in one of these encodings, is empty, or a quote is not closed.
    """
    name = name_shown(path.name)
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise UsageError(f"{name} cannot be read: {problem.strerror}.") from None
    text, encoding = _decoded(data, name)
    text = text.lstrip("\r\n")
    heading, end, *_ = [*re.split("(\r\n|\r|\n)", QUOTED.sub("", text), maxsplit=1), "\n"]
    separator = max(SEPARATORS, key=heading.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        rows = list(reader)
    except csv.Error as problem:
        raise UsageError(f"{name} is broken in line {reader.line_num}: {problem}.", hint=AS_CSV) from None
    if not rows or not "".join(rows[0]).strip():
        raise UsageError(f"{name} has no headings.", hint=AS_CSV)
    return Table(name, rows, encoding, separator, end)


def written(rows: Sequence[list[str]], **form: Any) -> str:
    """Return rows as the text of a table, in a form of the module csv."""
    text = io.StringIO(newline="")
    csv.writer(text, **form).writerows(rows)
    return text.getvalue()


def key_of(text: str) -> str:
    """Return what all ways to write one identity share: capitals, accents, wide signs and a `#` in front aside."""
    return unicodedata.normalize("NFKC", " ".join(composed(text).split())).casefold().removeprefix("#")


def number_in(text: str) -> Decimal | None:
    """Return the points that a cell holds, written with a point or a comma; None where it holds something else."""
    match = NUMBER.fullmatch(text)
    return plain(Decimal(f"{match[1]}.{match[2] or 0}")) if match else None


def _decoded(data: bytes, name: str) -> tuple[str, str]:
    known = [encoding for mark, encoding in MARKS.items() if data.startswith(mark)] or ["utf-8", "cp949"]
    for encoding in known:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, encoding
    raise UsageError(f"{name} is not a table in UTF-8, UTF-16 or CP949.", hint=AS_CSV)
