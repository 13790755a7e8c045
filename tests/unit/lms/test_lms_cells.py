"""Cells of a platform's own table are changed, and no other byte of it."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import UsageError
from grader.lms.sheets import Sheet, read_sheet

CELLS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\ufeff"), max_size=6) | st.sampled_from(
    ["a,b", '"', 'a"b', "", "\r\n", "x\ny", "=1+1", "김철수", "🦊", ";", "\t"]
)
SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)


def sheet_of(tmp_path: Path, data: bytes, separator: str = "") -> Sheet:
    (tmp_path / "book.csv").write_bytes(data)
    return read_sheet(tmp_path / "book.csv", "A gradebook", separator=separator)


def cell_text(value: str, quoted: bool, separator: str) -> str:
    must = any(sign in value for sign in (separator, '"', "\r", "\n"))
    return '"' + value.replace('"', '""') + '"' if quoted or must else value


@SHARED
@given(
    st.lists(st.lists(st.tuples(CELLS, st.booleans()), min_size=3, max_size=3), min_size=2, max_size=5),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.booleans(),
    CELLS,
)
def test_only_the_cell_changes(
    tmp_path: Path,
    rows: list[list[tuple[str, bool]]],
    separator: str,
    end: str,
    encoding: str,
    last: bool,
    new: str,
) -> None:
    """Whatever the quoting, separator, line ends and encoding are, the rest stays byte for byte."""
    rows[0] = [("head", True)] * 3

    texts = [[cell_text(value, quoted, separator) for value, quoted in row] for row in rows]

    def joined() -> bytes:
        return (end.join(separator.join(row) for row in texts) + (end if last else "")).encode(encoding)

    before = joined()
    sheet = sheet_of(tmp_path, before, separator)
    assert [[cell.value for cell in row.cells] for row in sheet.rows] == [[value for value, _ in row] for row in rows]
    assert sheet.filled({}) == before
    texts[1][1] = cell_text(new, texts[1][1].startswith('"'), separator)
    assert sheet.filled({(1, 1): new}) == joined()


@SHARED
@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=4))
def test_cells_are_those_of_the_standard_library(tmp_path: Path, rows: list[list[str]]) -> None:
    rows = [["head"], *[row for row in rows if row != [""]]]
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    sheet = sheet_of(tmp_path, text.getvalue().encode(), ",")
    assert [[cell.value for cell in row.cells] for row in sheet.rows] == rows


def test_a_short_row_gets_its_cell_at_its_end(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, b"a,b,c\r\n1\r\n2,3,4")
    assert sheet.filled({(1, 2): "x", (2, 2): "y"}) == b"a,b,c\r\n1,,x\r\n2,3,y"
    assert sheet.rows[1][2] == ""


def test_the_line_of_a_row_counts_line_ends_in_cells(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, b'a,b\n"x\ny",1\n\nz,2\n')
    assert [(row.line, row.blank) for row in sheet.rows] == [(1, False), (2, False), (4, True), (5, False)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'a,b\n"x,1\n', "In line 2 a double quote is not closed"),
        (b'a,b\n"x"y,1\n', "In line 2 something follows"),
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"\na,b\n", "has no headings"),
        (b"a,b\xff\n", "is not UTF-8"),
        (b"a,b\0\n", "null character"),
    ],
)
def test_a_broken_table_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        sheet_of(tmp_path, data)
    assert words in str(caught.value)
