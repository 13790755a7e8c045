"""Reads and writes the tables that learning platforms exchange, so that a name stays the name that it was.

Text comes in as UTF-8 or, with its mark, as UTF-16; which it was is remembered, so that a table goes back as it came.
Nothing here depends on the machine's locale, and a broken table is refused.
"""

import codecs
import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Literal

from grader.errors import UsageError
from grader.results.scoring import nearest
from grader.results.spreadsheet import formula_safe
from grader.text import name_shown, one_line

LARGEST = 64 << 20
SEPARATORS = (",", ";", "\t")
QUOTES = re.compile(r'"[^"]*(?:"|\Z)')
HEADINGS = re.compile(rf'(?:{QUOTES.pattern}|[^"\r\n]+)*')  # the first line, line ends in quotes included
MARKS = {
    "utf-8-sig": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}
SAVE = "Export it again from the platform, or save it as CSV in UTF-8."


def read_bytes(path: Path, what: str) -> bytes:
    """Return a file's bytes.

    Raises:
        UsageError: It cannot be read, or is too large to be what is looked for.
    """
    shown = name_shown(str(path), 200)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as problem:
        raise UsageError(f"{what} was looked for.", f"{shown} cannot be read: {problem.strerror}.") from None
    if len(data) > LARGEST:
        raise UsageError(f"{what} was looked for.", f"{shown} is larger than {LARGEST >> 20} MiB.")
    return data


def decode_table(data: bytes, name: str) -> tuple[str, str]:
    """Return the text of a table without its mark, and its encoding.

    Raises:
        UsageError: It is neither UTF-8 nor marked UTF-16.
    """
    encoding = next((name for name, mark in MARKS.items() if data.startswith(mark)), "utf-8")
    mark = MARKS.get(encoding, b"")
    try:
        text = data[len(mark) :].decode("utf-8" if encoding == "utf-8-sig" else encoding)
    except UnicodeDecodeError:
        raise UsageError(f"A table was looked for in {name_shown(name)}.", "It is not UTF-8 text.", SAVE) from None
    if "\0" in text:
        raise UsageError(f"A table was looked for in {name_shown(name)}.", "It holds a null character.", SAVE)
    return text, encoding


def encode_table(text: str, encoding: str) -> bytes:
    """Return text as the bytes of that encoding, with its mark."""
    return MARKS.get(encoding, b"") + text.encode("utf-8" if encoding == "utf-8-sig" else encoding)


def separator_of(text: str) -> str:
    """Return the separator that the headings have most of, outside of quotes; a comma where there is none."""
    head = HEADINGS.match(text.lstrip("\r\n"))
    bare = QUOTES.sub("", head[0]) if head else ""
    return max(SEPARATORS, key=bare.count)


def line_end_of(text: str) -> str:
    r"""Return what ends the first line: `\r\n`, `\n` or `\r`; `\n` where there is only one."""
    found = re.search("\r\n|\n|\r", text)
    return found[0] if found else "\n"


def table_bytes(
    rows: Iterable[Sequence[str]],
    *,
    separator: str = ",",
    line_end: str = "\r\n",
    quote_all: bool = False,
) -> bytes:
    """Return rows as the bytes of a table in UTF-8."""
    text = io.StringIO(newline="")
    quoting: Literal[0, 1] = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    csv.writer(text, delimiter=separator, lineterminator=line_end, quoting=quoting).writerows(rows)
    return text.getvalue().encode()


def safe_cell(text: str) -> str:
    """Return a text for people (a name, a comment) that no spreadsheet runs as a formula, on one line."""
    return formula_safe(one_line(text, 2000))


def number_text(score: Decimal) -> str:
    """Return an exact decimal with a point, whatever the locale: `8.5`, never `8,5` or `8.5E+0`."""
    return f"{score:f}"


def rounded(score: Decimal | Fraction, maximum: Decimal | Fraction, places: int) -> Decimal:
    """Return a score with so many decimal places, half up, never above the maximum and never full or 0 by rounding.

    The nearest number that the platform keeps; below full points it stays below them, and above 0 above 0, as long as
    there is a step between.
    """
    step = Decimal(1).scaleb(-places)
    steps = Fraction(maximum) / Fraction(step)
    if score >= maximum:
        return step * math.floor(steps)
    if score <= 0:
        return Decimal(0)
    most = math.ceil(steps) - 1  # the last step below all points
    return step * min(max(nearest(Fraction(score) / Fraction(step)), 1), most)
