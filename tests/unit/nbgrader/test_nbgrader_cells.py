"""Marks of nbgrader are written anew, reports are shown without acting, and what is handed in is read as data."""

import json
import os

import msgspec
import pytest

from grader.limits import DEFAULT_LIMITS
from grader.nbgrader.entering import enter
from grader.nbgrader.notebooks.grade_cells import Expected, arrange, plain_cells
from grader.nbgrader.notebooks.graded_notebook import comment_on, notes_of, output_of
from grader.nbgrader.notebooks.handed_in import read_cells
from grader.results.student_report import read_student_report

ANSWER = Expected(
    "shares", "code", "def shares(x):\n    raise NotImplementedError()", False, "a" * 32, None, True, False
)
CHECK = Expected("shares-check", "code", 'check("shares")', True, "b" * 32, 2.5, False, False)
ESSAY = Expected("why", "markdown", "YOUR ANSWER HERE", False, "c" * 32, 4.0, True, False)
EXPECTED = [ANSWER, CHECK, ESSAY]


def cell(source, grade_id=None, kind="code", **more):
    """Return a cell as a file has it."""
    metadata = {} if grade_id is None else {"nbgrader": {"grade_id": grade_id}}
    return {"cell_type": kind, "metadata": metadata, "source": source, **more}


def arranged(*cells):
    """Return the marked cells by their grade id, and the notes."""
    done = arrange(plain_cells(cells), EXPECTED)
    return {each["metadata"].get("nbgrader", {}).get("grade_id"): each for each in done.cells}, done.notes


def test_marks_come_from_the_gradebook_and_not_from_the_file():
    lying = {"nbgrader": {"grade_id": "shares-check", "points": 1000, "grade": True, "locked": False}}
    marked, _ = arranged({"cell_type": "code", "metadata": lying, "source": "1000.0"})
    check = marked["shares-check"]
    assert check["source"] == CHECK.source
    assert check["metadata"]["nbgrader"] == {
        "schema_version": 3,
        "grade": True,
        "grade_id": "shares-check",
        "locked": True,
        "solution": False,
        "task": False,
        "cell_type": "code",
        "points": 2.5,
        "checksum": "b" * 32,
    }


def test_of_copies_the_last_that_was_written_carries_the_marks():
    answers = [cell("def shares(x):\n    return 1", "shares"), cell("def shares(x):\n    return 2", "shares")]
    marked, notes = arranged(*answers, cell(ANSWER.source, "shares"))
    assert marked["shares"]["source"].endswith("return 2")
    assert notes[0] == "The cell shares is there 3 times; one of them carries its marks."


def test_without_marks_a_cell_is_known_by_its_id_or_by_what_it_defines():
    marked, _ = arranged(cell("x = 1", id="why", kind="markdown"), cell("import torch\ndef shares(x):\n    return x"))
    assert marked["shares"]["source"].endswith("return x")
    assert marked["why"]["source"] == "x = 1"


def test_an_answer_that_is_gone_is_not_taken_for_an_empty_one():
    marked, notes = arranged(cell("x = 1"))
    assert marked["why"]["source"] != ESSAY.source
    assert marked["shares"]["source"].startswith("# ")
    assert marked["shares-check"]["source"] == CHECK.source
    assert notes == ["Not in what was handed in, and put back: shares, shares-check, why."]


def test_a_cell_of_another_kind_becomes_what_it_was():
    marked, _ = arranged(cell("text", "shares", kind="markdown", attachments={}), cell("a = 1", "why"))
    assert (marked["shares"]["cell_type"], marked["shares"]["outputs"]) == ("code", [])
    assert marked["why"]["cell_type"] == "markdown"
    assert "outputs" not in marked["why"]


@pytest.mark.parametrize("odd", [None, 7, "text", [], {}, {"metadata": 5}, {"cell_type": ["x"], "source": {"a": 1}}])
def test_whatever_stands_for_a_cell_is_read(odd):
    done = arrange(plain_cells([odd, cell("def shares(x): pass", "shares", id="same"), cell("", id="same")]), EXPECTED)
    ids = [each["id"] for each in done.cells]
    assert len(set(ids)) == len(ids)
    assert all(isinstance(each["source"], str) and isinstance(each["metadata"], dict) for each in done.cells)


def test_a_link_and_a_deep_notebook_are_not_read(tmp_path):
    (tmp_path / "secret.ipynb").write_text(json.dumps({"nbformat": 4, "cells": [cell("secret")]}), encoding="utf-8")
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "secret.ipynb")
    (tmp_path / "deep.ipynb").write_text('{"nbformat": 4, "cells": ' + "[" * 100_000, encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.ipynb")
    for name in ("link", "deep", "pipe"):
        found = read_cells(tmp_path / f"{name}.ipynb", DEFAULT_LIMITS)
        assert found.problem
        assert not found.cells


def student_report(**changes):
    """Return a student's copy with a text that would act in a page in every place of it."""
    hostile = "<script>alert(1)</script>"
    check = {
        "id": "shares.one",
        "visibility": "visible",
        "status": "error",
        "category": "value",
        "weight": 1,
        "message": "It works.",
        "outcome": "Your code raised an exception.",
        "diagnosis": None,
        "exception": "ValueError",
        "line": {"number": 1, "cell": 2, "text": hostile},
        "detail": {"found": hostile, "exception_text": hostile, "output": hostile, "duration_s": 0.1},
    }
    late = {"id": "shares.late", "visibility": "hidden", "status": "failed"}
    exercise = {
        "id": "shares", "title": "Shares", "score": 1.5, "max_score": 2, "status": "partial", "checks": [check, late],
    }  # fmt: skip
    report = {
        "schema_version": "1.4", "kit_version": "0", "student": "ann", "assignment": "01_tiny", "language": "en",
        "submission": {"files": [], "graded": None, "sha256": {}}, "score": 1.5, "max_score": 2, "problem": None,
        "notes": [hostile], "device": "cpu", "started": "2026-01-01T00:00:00Z",
        "limits": msgspec.to_builtins(DEFAULT_LIMITS), "exercises": [exercise], **changes,
    }  # fmt: skip
    return read_student_report(json.dumps(report).encode())


def test_nothing_of_a_student_acts_in_a_page():
    copy = student_report()
    for output in (output_of(copy.exercises[0], "en"), notes_of(copy)):
        assert "<script>" not in output["data"]["text/html"]
        assert "&lt;script&gt;" in output["data"]["text/html"]
    assert "script" not in comment_on(copy.exercises[0], "en")


def test_a_korean_report_is_shown_in_korean():
    copy = student_report(language="ko", problem="The file is empty.")
    assert "2점 중 1.5점" in output_of(copy.exercises[0], "ko")["data"]["text/html"]
    assert "사람이 확인해야 합니다" in notes_of(copy)["data"]["text/html"]


class Row:
    """Something with the fields that are given."""

    def __init__(self, **fields):
        vars(self).update(fields)


def test_entering_leaves_alone_what_is_not_the_kits():
    own = Row(name="shares-check", auto_score=2.0, manual_score=None, extra_credit=1.0, needs_manual_grade=True)
    other = Row(name="why", auto_score=None, manual_score=3.0, extra_credit=None, needs_manual_grade=False)
    row = Row(grades=[own, other], comments=[], notebook=Row(grade_cells=[], solution_cells=[]))
    entered = enter(row, {"shares-check": 1.5}, {})
    assert entered.lowered == ["shares 2 to 1.5"]
    assert vars(own) | {"name": ""} == {
        "name": "", "auto_score": 1.5, "manual_score": None, "extra_credit": 1.0, "needs_manual_grade": False,
    }  # fmt: skip
    assert vars(other)["manual_score"] == 3.0
    assert not enter(row, {"shares-check": 1.5}, {}).changed
