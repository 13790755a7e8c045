"""Hands in every plain fault of `support/classes/submission_faults.py` and compares score and sentence with the table.

The student is told what was found and what to do.
"""

import json
import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ...support.classes.grading_runs import ASSIGNMENT, FILE, REFUSED, Graded, grade
from ...support.classes.submission_faults import COSTLY, FAULTS, FREE, UNREADABLE

MIB = 1024 * 1024


def a_sparse_file(place: Path) -> None:
    """Lay down a file of 200 MiB that takes no space."""
    with place.open("wb") as file:
        file.truncate(200 * MIB)


def a_deep_notebook(place: Path) -> None:
    """Lay down a notebook whose metadata nests 100,000 deep."""
    text = '{"nbformat": 4, "nbformat_minor": 5, "cells": [], "metadata": ' + '{"a": ' * 100_000 + "1" + "}" * 100_001
    place.with_suffix(".ipynb").write_text(text)


MADE: dict[str, tuple[Callable[[Path], None], list[str]]] = {
    "a_fifo": (os.mkfifo, ["not a file"]),
    "a_link": (
        lambda place: place.symlink_to(place.parents[2] / "plain" / ASSIGNMENT / f"{FILE}.ipynb"),
        ["symbolic link"],
    ),
    "a_file_of_200_mib": (a_sparse_file, ["209,715,200 bytes", "at most 1,048,576"]),
    "a_deep_notebook": (a_deep_notebook, ["not a whole notebook"]),
    "another_file": (lambda place: place.with_suffix(".docx").write_text("x") and None, [f"{FILE}.docx"]),
}


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Grade one class of all faults."""
    folder = tmp_path_factory.mktemp("faults")
    for name, fault in FAULTS.items():
        hand_in(folder / "class", name, fault.data)
    for name, (make, _) in MADE.items():
        place = folder / "class" / name / ASSIGNMENT
        place.mkdir(parents=True)
        make(place / f"{FILE}.py")
    run = grade(folder / "reports", folder / "class", "--jobs", "2", before=("--language", "en"))
    if run.code == REFUSED:
        pytest.skip(run.stderr.strip())
    return run


def hand_in(classroom: Path, name: str, data: bytes) -> Path:
    """Lay down a file as the submission of the student whose name is its stem."""
    place = classroom / Path(name).stem / ASSIGNMENT / f"{FILE}{Path(name).suffix}"
    place.parent.mkdir(parents=True)
    place.write_bytes(data)
    return place


def test_a_fault_costs_its_own_exercise_at_most(graded):
    """The points of every other exercise stay whole."""
    wrong = []
    for name, fault in (FREE | COSTLY).items():
        report = graded.report(Path(name).stem)
        points = {exercise["id"]: exercise["score"] for exercise in report["exercises"]}
        due = {
            exercise["id"]: Decimal(0) if fault.costs in (exercise["id"], "all") else exercise["max_score"]
            for exercise in report["exercises"]
        }
        if points != due or len(points) != 4 or report["problem"] is not None:
            wrong.append((name, points, report["problem"]))
    assert wrong == []


def test_the_student_is_told_what_was_found(graded):
    """The words of the table are in the student's own copy."""
    texts = {name: "\n".join(strings(graded.copy(Path(name).stem))) for name in FREE | COSTLY}
    assert [(name, words) for name, text in texts.items() for words in FAULTS[name].says if words not in text] == []


def strings(value: Any) -> list[str]:
    """Return every text in a report."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in strings(item)]
    if isinstance(value, list):
        return [text for item in value for text in strings(item)]
    return [value] if isinstance(value, str) else []


def test_what_cannot_be_read_has_no_score_and_its_student_is_told_why(graded):
    """No program; or folders, pipes, links and giants, which are neither opened nor followed, and get a report too."""
    wrong = []
    declared = {Path(name).stem: fault.problem for name, fault in UNREADABLE.items()}
    for student, problem in (declared | {student: words for student, (_, words) in MADE.items()}).items():
        copy = graded.copy(student)
        same = copy["score"] is None and graded.report(student)["problem"] == copy["problem"]
        if not same or not copy["problem"].endswith(".") or any(words not in copy["problem"] for words in problem):
            wrong.append((student, copy["score"], copy["problem"]))
    assert wrong == []


def test_the_run_says_who_could_not_be_graded(graded):
    """It ends with 1, names them, and shows no traceback."""
    ungraded = [Path(name).stem for name in UNREADABLE] + list(MADE)
    assert graded.code == 1
    assert f"{len(FREE | COSTLY)} of {len(FAULTS) + len(MADE)} submissions" in graded.stdout
    assert "Traceback" not in graded.stdout + graded.stderr
    grades = json.loads(graded.written["grades.json"])["grades"]
    assert sorted(row["student"] for row in grades if row["status"] == "not graded") == sorted(ungraded)
