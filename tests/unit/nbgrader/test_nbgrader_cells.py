"""Marks of nbgrader are written anew, and what is handed in is read as data."""

import json
import os
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from grader.limits import DEFAULT_LIMITS
from grader.results.redact import student_copy
from grader.results.report import SourceLine

from ...support.reports.lms_reports import report_of

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
pytest.importorskip("nbgrader", reason="nbgrader is not installed")

from grader.nbgrader.cells import marked_cells, read_cells  # noqa: E402  # where nbgrader is installed
from grader.nbgrader.preprocessors import comment_on, enter  # noqa: E402

SOURCES = [
    SimpleNamespace(name="shares", cell_type="code", source="def shares(x):\n    raise NotImplementedError()",
                    locked=False, checksum="a" * 32),
    SimpleNamespace(name="shares-check", cell_type="code", source='check("shares")', locked=True, checksum="b" * 32),
    SimpleNamespace(name="why", cell_type="markdown", source="YOUR ANSWER HERE", locked=False, checksum="c" * 32),
]  # fmt: skip
ANSWER, CHECK, ESSAY = SOURCES
NOTEBOOK = SimpleNamespace(
    source_cells=SOURCES,
    grade_cells=[SimpleNamespace(name="shares-check", max_score=2.5), SimpleNamespace(name="why", max_score=4)],
    solution_cells=[ANSWER, ESSAY],
    task_cells=[],
)
"""What a gradebook knows of a notebook."""


def cell(source, grade_id=None, kind="code", **more):
    metadata = {} if grade_id is None else {"nbgrader": {"grade_id": grade_id}}
    return {"cell_type": kind, "metadata": metadata, "source": source, **more}


@pytest.fixture
def marked(tmp_path):
    """Reads and marks cells, and returns all of them, and those with a grade id by it."""

    def run(*cells):
        place = tmp_path / "a.ipynb"
        place.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))
        read, problem = read_cells(place, DEFAULT_LIMITS)
        assert problem == ""
        made = marked_cells(read, NOTEBOOK, "en")
        nbformat.validate(nbformat.v4.new_notebook(cells=made))
        return made, {node.metadata.get("nbgrader", {}).get("grade_id"): node for node in made}

    return run


def test_marks_come_from_the_gradebook_and_not_from_the_file(marked):
    lying = {"nbgrader": {"grade_id": "shares-check", "points": 1000, "grade": True, "locked": False}}
    _, named = marked({"cell_type": "code", "metadata": lying, "source": "1000.0"})
    assert named["shares-check"].source == CHECK.source
    marks = {"schema_version": 3, "grade": True, "grade_id": "shares-check", "locked": True, "solution": False}
    more = {"task": False, "cell_type": "code", "points": 2.5, "checksum": "b" * 32}
    assert named["shares-check"].metadata == {"nbgrader": {**marks, **more}}


def test_of_copies_the_last_that_was_written_carries_the_marks(marked):
    answers = [cell("def shares(x):\n    return 1", "shares"), cell("def shares(x):\n    return 2", "shares")]
    made, named = marked(*answers, cell(ANSWER.source, "shares"))
    assert named["shares"].source.endswith("return 2")
    assert len([node for node in made if node.metadata.get("nbgrader", {}).get("grade_id") == "shares"]) == 1


def test_an_answer_that_is_gone_is_not_taken_for_an_empty_one(marked):
    made, named = marked(cell("x = 1"))
    assert made[0].source == "x = 1"
    assert named["why"].source != ESSAY.source
    assert named["shares-check"].source == CHECK.source


def test_a_cell_of_another_kind_becomes_what_it_was(marked):
    _, named = marked(cell("text", "shares", kind="markdown", attachments={}), cell("a = 1", "why"))
    assert (named["shares"].cell_type, named["shares"].source, named["shares"].outputs) == ("code", "text", [])
    assert (named["why"].cell_type, named["why"].source) == ("markdown", "a = 1")


def test_a_picture_in_an_answer_stays(marked):
    picture = {"a.png": {"image/png": "iVBORw0KGgo="}}
    _, named = marked(cell("![a](attachment:a.png)", "why", kind="markdown", attachments=picture))
    assert named["why"].attachments == picture


@pytest.mark.parametrize("odd", [None, 7, "text", [], {}, {"metadata": 5}, {"cell_type": ["x"], "source": {"a": 1}},
                                 {"metadata": {"nbgrader": 7}}, {"metadata": {"nbgrader": {"grade_id": [1]}}},
                                 {"cell_type": "code", "source": "x", "id": "same", "outputs": 3}])  # fmt: skip
def test_whatever_stands_for_a_cell_is_shown_or_said(tmp_path, odd):
    answer = cell("def shares(x): pass", "shares", id="same")
    text = json.dumps({"nbformat": 4, "nbformat_minor": 5, "cells": [odd, answer, cell("", id="same")]})
    (tmp_path / "a.ipynb").write_text(text)
    read, problem = read_cells(tmp_path / "a.ipynb", DEFAULT_LIMITS)
    assert bool(problem) != bool(read)
    nbformat.validate(nbformat.v4.new_notebook(cells=marked_cells(read, NOTEBOOK, "en")))


@pytest.mark.parametrize("odd", ['"source": "x", "outputs": [NaN]', '"source": "x \\ud83d"', '"source": null'])
def test_what_is_shown_of_a_cell_that_is_no_json_can_be_written(tmp_path, odd):
    cells = f'[{{"cell_type": "code", {odd}}}]'
    (tmp_path / "a.ipynb").write_text(f'{{"nbformat": 4, "nbformat_minor": 5, "cells": {cells}}}')
    read, problem = read_cells(tmp_path / "a.ipynb", DEFAULT_LIMITS)
    assert (len(read), problem) == (1, "")
    json.dumps(read, ensure_ascii=False, allow_nan=False).encode()


def test_a_link_and_a_deep_notebook_are_not_read(tmp_path):
    (tmp_path / "secret.ipynb").write_text(json.dumps({"nbformat": 4, "cells": [cell("secret")]}), encoding="utf-8")
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "secret.ipynb")
    (tmp_path / "deep.ipynb").write_text('{"nbformat": 4, "cells": ' + "[" * 100_000, encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.ipynb")
    for name in ("link", "deep", "pipe"):
        read, problem = read_cells(tmp_path / f"{name}.ipynb", DEFAULT_LIMITS)
        assert problem and not read


def test_a_comment_holds_no_word_of_the_student():
    """nbgrader shows comments as Markdown."""
    hostile = "<script>alert(1)</script>"
    report = report_of(statuses={"shares.open": "error", "shares.shut": "failed"})
    first, *others = report.exercises[0].checks
    detail = replace(first.detail, found=hostile, exception_text=hostile)
    checks = [replace(first, line=SourceLine(number=1, cell=2, text=hostile), detail=detail, output=hostile), *others]
    exercise = replace(report.exercises[0], checks=checks)
    assert "script" not in comment_on(student_copy(replace(report, exercises=[exercise])).exercises[0])


def row_of(**grades):
    """Return a submitted notebook, its grades by the name of their cell."""
    known = [SimpleNamespace(name=name, cell_type="code") for name in ("shares-check", "mine")]
    known.append(SimpleNamespace(name="why", cell_type="markdown"))
    notebook = SimpleNamespace(grade_cells=known, solution_cells=[ANSWER, ESSAY])
    comments = [SimpleNamespace(name=name, auto_comment="old", manual_comment="seen") for name in ("shares", "why")]
    rows = [SimpleNamespace(name=name.replace("_", "-"), **fields) for name, fields in grades.items()]
    return SimpleNamespace(notebook=notebook, grades=rows, comments=comments)


def test_entering_leaves_alone_what_is_not_the_kits():
    graded = {"auto_score": 2.0, "manual_score": None, "extra_credit": 1.0, "needs_manual_grade": True}
    essay = {"auto_score": None, "manual_score": 3.0, "needs_manual_grade": False}
    row = row_of(shares_check=graded, why=essay)
    report = report_of(statuses={"shares.open": "failed"})
    entered = enter(row, student_copy(report), {}, {"shares", "Shift"})
    assert entered == {"shares", "shares-check", "Shift", "Shift-check", "mine"}
    shares = float(report.exercises[0].score)
    assert vars(row.grades[0]) == {**graded, "name": "shares-check", "auto_score": shares, "needs_manual_grade": False}
    assert vars(row.grades[1]) == {**essay, "name": "why"}
    assert [comment.auto_comment == "old" for comment in row.comments] == [False, True]
    assert {comment.manual_comment for comment in row.comments} == {"seen"}


def test_a_test_without_points_waits_for_a_person():
    ran = {"auto_score": 2.0, "manual_score": None, "needs_manual_grade": False}
    row = row_of(shares_check=dict(ran), mine=dict(ran))
    enter(row, None, {}, {"shares"})
    assert [(grade.auto_score, grade.needs_manual_grade) for grade in row.grades] == [(None, True)] * 2
    assert row.comments[0].auto_comment is None
