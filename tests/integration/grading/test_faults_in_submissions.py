"""Hands in every plain fault of `faults/` and compares score and sentence with what `faults/expected.toml` declares.

Half of them must cost nothing: a byte-order mark, prints, warnings, magics or a plot say nothing about attention. The
others cost what cannot be graded, and the student is told what was found and what to do.
"""

import os
import shutil
import socket
import stat
import sys
import tempfile
import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ...support.grading_runs import ASSIGNMENT, FILE, REFUSED, ROOT, Graded, copy_frozen_course, grade

FAULTS = Path(__file__).with_name("faults")
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((FAULTS / "expected.toml").read_text(encoding="utf-8"))
FULL = Decimal(11)
MIB = 1024 * 1024


def a_sparse_file(place: Path) -> None:
    """Lay down a file of 200 MiB that takes no space."""
    with place.open("wb") as file:
        file.truncate(200 * MIB)


def a_socket(place: Path) -> None:
    """Lay down a socket."""
    with socket.socket(socket.AF_UNIX) as made:
        here = os.open(place.parent, os.O_RDONLY)
        try:
            made.bind(f"/proc/self/fd/{here}/{place.name}")
        finally:
            os.close(here)


def a_notebook_that_grows(place: Path) -> None:
    """Lay down a notebook of 30 MiB of spaces."""
    place.with_suffix(".ipynb").write_bytes(b'{"cells": []' + b" " * (30 * MIB) + b"}")


def a_deep_notebook(place: Path) -> None:
    """Lay down a notebook whose metadata nests 100,000 deep."""
    text = '{"nbformat": 4, "nbformat_minor": 5, "cells": [], "metadata": ' + '{"a": ' * 100_000 + "1" + "}" * 100_001
    place.with_suffix(".ipynb").write_text(text)


MADE: dict[str, tuple[Callable[[Path], None], list[str]]] = {
    "a_fifo": (os.mkfifo, ["a named pipe"]),
    "a_socket": (a_socket, ["a socket"]),
    "a_link": (lambda place: place.symlink_to(FAULTS / "plain.py"), ["symbolic link"]),
    "a_link_to_nowhere": (lambda place: place.symlink_to("nowhere.py"), ["symbolic link"]),
    "a_file_of_200_mib": (a_sparse_file, ["209,715,200 bytes", "at most 1,048,576"]),
    "a_notebook_of_200_mib": (
        lambda place: a_sparse_file(place.with_suffix(".ipynb")),
        ["209,715,200 bytes", "at most 20,971,520"],
    ),
    "a_notebook_that_grows": (a_notebook_that_grows, ["at most 20,971,520"]),
    "a_deep_notebook": (a_deep_notebook, ["nested deeper than any notebook"]),
    "another_file": (lambda place: place.with_suffix(".docx").write_text("x") and None, [f"{FILE}.docx"]),
}


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Grade one class of all faults."""
    folder = tmp_path_factory.mktemp("faults")
    for name in EXPECTED:
        source = next(path for path in (FAULTS / f"{name}.py", FAULTS / f"{name}.ipynb") if path.exists())
        place = folder / "class" / name / ASSIGNMENT
        place.mkdir(parents=True)
        shutil.copyfile(source, place / f"{FILE}{source.suffix}")
    for name, (make, _) in MADE.items():
        place = folder / "class" / name / ASSIGNMENT
        place.mkdir(parents=True)
        make(place / f"{FILE}.py")
    run = grade(folder / "reports", folder / "class", "--jobs", "2", "--language", "en")
    if run.code == REFUSED:
        pytest.skip(run.stderr.strip())
    return run


def test_every_fault_is_declared():
    """Each file has a line in the table, and each line a file."""
    found = {path.stem for path in FAULTS.iterdir() if path.suffix in (".py", ".ipynb")}
    assert found == set(EXPECTED)


@pytest.mark.parametrize("fault", [name for name, row in EXPECTED.items() if "problem" not in row])
def test_a_fault_costs_its_own_exercise_at_most(graded, fault):
    """The points of every other exercise stay whole."""
    cost = EXPECTED[fault].get("costs", "")
    for exercise in graded.report(fault)["exercises"]:
        lost = cost in (exercise["id"], "all")
        assert exercise["score"] == (Decimal(0) if lost else exercise["max_score"]), exercise["id"]
    assert graded.report(fault)["problem"] is None


@pytest.mark.parametrize("fault", [name for name, row in EXPECTED.items() if row.get("says")])
def test_the_student_is_told_what_was_found(graded, fault):
    """The words of the table are in the student's own copy."""
    text = "\n".join(strings(graded.copy(fault)))
    for words in EXPECTED[fault]["says"]:
        assert words in text


def strings(value: Any) -> list[str]:
    """Return every text in a report."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in strings(item)]
    if isinstance(value, list):
        return [text for item in value for text in strings(item)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("fault", [name for name, row in EXPECTED.items() if "problem" in row])
def test_a_file_that_is_no_program_has_a_kind_problem(graded, fault):
    """What cannot be read scores 0, and the student's copy says why and what to do."""
    report = graded.copy(fault)
    assert report["score"] is None
    assert graded.report(fault)["problem"] == report["problem"]
    for words in EXPECTED[fault]["problem"]:
        assert words in report["problem"]


@pytest.mark.parametrize("fault", list(MADE))
def test_what_is_no_plain_file_has_a_kind_problem(graded, fault):
    """Folders, pipes, links and giants are neither opened nor followed, and get a report as everybody does."""
    report = graded.copy(fault)
    assert report["score"] is None
    assert report["problem"].endswith(".")
    for words in MADE[fault][1]:
        assert words in report["problem"]


def test_the_run_says_who_could_not_be_graded(graded):
    """It ends with 1, names them, and shows no traceback."""
    ungraded = [name for name, row in EXPECTED.items() if "problem" in row] + list(MADE)
    assert graded.code == 1
    assert f"{len(EXPECTED) + len(MADE) - len(ungraded)} of {len(EXPECTED) + len(MADE)} submissions" in graded.stdout
    assert "Traceback" not in graded.stdout + graded.stderr
    for name in ungraded:
        assert name in graded.written["summary.json"]


def test_nothing_of_a_linked_file_is_read(graded):
    """The link points at a file that would have had full marks."""
    assert graded.report("plain")["score"] == FULL
    assert graded.report("a_link")["score"] is None


def test_a_file_that_may_not_be_read_has_a_kind_problem(tmp_path):
    """A grader without the right to read a file says so; root, who may read all, becomes nobody for this."""
    nobody = 65534 if os.geteuid() == 0 else None
    if nobody is not None:
        if not readable_by_everybody(ROOT) or not readable_by_everybody(Path(sys.executable).resolve()):
            pytest.skip("nobody but root may read this checkout or its Python, so no other user can grade here")
        tmp_path = Path(tempfile.mkdtemp(prefix="grader-faults-"))
        tmp_path.chmod(0o777)
    try:
        for student, mode in (("open", 0o644), ("shy", 0)):
            folder = tmp_path / "class" / student / ASSIGNMENT
            folder.mkdir(parents=True)
            shutil.copyfile(FAULTS / "plain.ipynb", folder / f"{FILE}.ipynb")
            (folder / f"{FILE}.ipynb").chmod(mode)
        env = {"GRADER_SECRET": "a secret that is long enough", "HOME": str(tmp_path)}
        run = grade(
            tmp_path / "reports", tmp_path / "class", cwd=copy_frozen_course(tmp_path / "course"), env=env, user=nobody
        )
        if run.code == REFUSED:
            pytest.skip(run.stderr.strip())
        assert run.code == 1, run.stderr
        assert run.report("open")["score"] == FULL
        assert "may not be read" in run.copy("shy")["problem"]
    finally:
        if nobody is not None:
            shutil.rmtree(tmp_path)


def readable_by_everybody(path: Path) -> bool:
    """Return whether other users may enter every folder above a path and read it."""
    return all(place.stat().st_mode & stat.S_IXOTH for place in (path, *path.parents))
