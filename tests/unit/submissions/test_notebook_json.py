"""A notebook is read although its writer put into it what no JSON may hold, and code in it stays as it is."""

import json
from pathlib import Path

import pytest

from grader.inside.protocol.messages import Cell
from grader.limits import DEFAULT_LIMITS
from grader.source_cells import Source
from grader.submissions.read import read_file
from tests.support.classes.submission_folders import file_at

CODE = 'x = [NaN, -Infinity]  # "NaN", \\ud83d\ny = "\\\\"\n'


def read(folder: Path, *cells: str) -> Source:
    """Read a notebook of cells that are given as JSON."""
    path = folder / "a.ipynb"
    path.write_text(f'{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": [{", ".join(cells)}]}}')
    return read_file(file_at(path), DEFAULT_LIMITS, exercises=["f"])


def code(source: str, output: str = "") -> str:
    """Return a code cell as JSON; source and output are JSON."""
    return f'{{"cell_type": "code", "metadata": {{}}, "source": {source}, "outputs": [{output}]}}'


@pytest.mark.parametrize(
    "output", ["NaN", "-Infinity", '{"data": {"application/json": [Infinity, 1, NaN]}}', '{"text": "cut \\ud83d"}']
)
def test_an_output_that_is_no_json_costs_nothing(tmp_path, output):
    source = read(tmp_path, code(json.dumps(CODE), output), code('"y = 2"'))
    assert source.problem is None
    assert [cell.source for cell in source.cells] == [CODE, "y = 2"]


def test_half_an_emoji_in_a_comment_becomes_a_question_mark(tmp_path):
    source = read(tmp_path, code('"x = 1  # good \\ud83d\\ude00 cut \\uD83D"'), code('["# \\\\ud83d \\ude00\\n", "y"]'))
    assert source.problem is None
    assert [cell.source for cell in source.cells] == ["x = 1  # good \U0001f600 cut ?", "# \\ud83d ?\ny"]


@pytest.mark.parametrize("cell", ["null", "[]", '""'])
def test_a_scratch_cell_without_text_costs_nothing(tmp_path, cell):
    source = read(tmp_path, code(cell), code('"x = 1"'))
    assert (source.problem, [read_cell.source for read_cell in source.cells]) == (None, ["", "x = 1"])


@pytest.mark.parametrize(
    ("metadata", "grade_id"),
    [
        (
            '{"nbgrader": {"grade_id": "f", "points": {"a": ["lie"]}, "solution": false, "locked": 5, "task": "yes"}}',
            "f",
        ),
        ('{"nbgrader": {"grade_id": "f-check"}}', ""),
        ('{"nbgrader": {"grade_id": 7}}', ""),
        ('{"nbgrader": []}', ""),
        ("[]", ""),
        ("5", ""),
        ("null", ""),
        ('"text"', ""),
        ('{"nbgrader": ' + "[" * 900 + "]" * 900 + "}", ""),
    ],
)
def test_of_a_cells_metadata_a_grade_id_is_read_and_nothing_else(tmp_path, metadata, grade_id):
    source = read(tmp_path, f'{{"cell_type": "code", "metadata": {metadata}, "source": "x = 1"}}')
    assert (source.problem, source.cells) == (None, [Cell(1, "x = 1", grade_id)])


def test_metadata_that_nests_deeply_costs_nothing_or_has_a_sentence(tmp_path):
    deep = "[" * 100_000 + "]" * 100_000
    source = read(tmp_path, f'{{"cell_type": "code", "metadata": {deep}, "source": "x = 1"}}')
    assert [cell.source for cell in source.cells] == ["x = 1"] or "not a whole notebook" in str(source.problem)


@pytest.mark.parametrize("body", ['"",', "NaN,", "[],", '"\\ud83d", '])
def test_a_notebook_that_is_mended_has_a_verdict_whatever_its_outputs_hold(tmp_path, body):
    outputs = "[" * 5 + body * 300_000 + "0" + "]" * 5
    source = read(tmp_path, code('"x = 1"', f"NaN, {outputs}"))
    assert [cell.source for cell in source.cells] == ["x = 1"]


@pytest.mark.parametrize("number", ["9" * 5000, "1e999"])
def test_a_number_that_python_does_not_hold_has_a_sentence_or_costs_nothing(tmp_path, number):
    source = read(tmp_path, code('"x = 1"', f"NaN, {number}"))
    assert [cell.source for cell in source.cells] == ["x = 1"] or "not a whole notebook" in str(source.problem)


def of_exercise(kind: str, source: str) -> str:
    """Return a cell with the grade id `f` as JSON."""
    return json.dumps({"cell_type": kind, "metadata": {"nbgrader": {"grade_id": "f"}}, "source": source})


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize(
    ("beside", "exercises", "counts"),
    [("x = 1", ["f"], True), ("def f(): return 2", ["f"], False), ("x = 1", ["g"], False)],
    ids=["alone", "written in code, too", "no exercise"],
)
def test_an_exercise_whose_cell_became_text_counts_unless_it_is_written_in_code(
    tmp_path, kind, beside, exercises, counts
):
    path, answer = tmp_path / "a.ipynb", "def f(): return 1"
    cells = ", ".join([of_exercise(kind, answer), code(json.dumps(beside))])
    path.write_text(f'{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": [{cells}]}}')
    source = read_file(file_at(path), DEFAULT_LIMITS, exercises=exercises)
    assert source.cells == [Cell(1, beside), *([Cell(2, answer, "f")] if counts else [])]
    assert bool(source.notes) is counts
