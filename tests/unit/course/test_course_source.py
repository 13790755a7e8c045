"""The percent format is read cell by cell, the way jupytext reads it."""

from decimal import Decimal
from pathlib import Path

import jupytext
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.course.content.percent_format import split_cells
from grader.errors import CourseError

PATH = Path("solutions/01_tiny/tiny.py")


def read(text):
    return [(cell.kind, cell.source) for cell in split_cells(text, PATH)]


def test_header_of_jupytext_is_no_cell():
    header = "# ---\n# jupyter:\n#   kernelspec:\n#     name: python3\n# ---\n\n"
    assert read(header + "# %%\nx = 1\n") == [("code", "x = 1")]


def test_header_that_is_not_closed_is_refused(refuses):
    with refuses(CourseError):
        read("# ---\n# jupyter:\nx = 1\n")


def test_metadata_is_json_with_exact_numbers():
    (cell,) = split_cells('# %% nbgrader={"points": 0.1, "task": false} tags=["a b", "c=d"]\n', PATH)
    assert cell.metadata == {"nbgrader": {"points": Decimal("0.1"), "task": False}, "tags": ["a b", "c=d"]}


def test_marker_with_something_else_is_refused_with_its_line(refuses):
    for words in ("A title", "[raw]", "tag=[]", "tags=[] tags=[]", "tags=[1, 2", "tags=", f"tags={'[' * 100_000}"):
        with refuses(CourseError):
            read(f"# %%\nx = 1\n# %% {words}\ny = 2\n")


LINES = st.sampled_from(["x = 1", "    y = 2", "", "# a comment", "def f():", "# %%", "# %% [markdown]"])


@settings(max_examples=60)
@given(st.lists(LINES, max_size=12))
def test_any_mix_of_lines_is_read_as_jupytext_reads_it_or_refused(lines):
    text = "# %%\nstart = 0\n" + "\n".join(lines) + "\n"
    try:
        ours = [(kind, source.strip()) for kind, source in read(text)]
    except CourseError as problem:
        assert "of a markdown cell does not begin" in str(problem)
        return
    assert ours == [(cell.cell_type, cell.source.strip()) for cell in jupytext.reads(text, fmt="py:percent").cells]
