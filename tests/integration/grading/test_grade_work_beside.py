"""A run over a class says at its end what it left aside, and a stub beside it is not 0 points."""

import json
from pathlib import Path

import pytest

from grader.cli import status

from ...support.classes.class_runs import RIGHT
from ...support.classes.submission_folders import put
from ...support.command_line import run_here
from ...support.courses import ASSIGNMENT, write_course

pytestmark = pytest.mark.usefixtures("kept_jails")


def test_what_lies_beside_a_submission_is_said_and_costs_nobody_a_point(tmp_path: Path) -> None:
    course = write_course(tmp_path / "course", {"tests/golden/N0.json": "[]"})
    assert status(["--course", str(course), "build"]) == 0
    stub = (course / "assignments" / ASSIGNMENT / "tiny.py").read_text(encoding="utf-8")
    here = tmp_path / "class"
    put(here, f"ann/{ASSIGNMENT}/tiny.py", f"ann/{ASSIGNMENT}/final/mine.py", "cy/tiny.py", text=RIGHT)
    put(here, *(f"{name}/{ASSIGNMENT}/tiny.py" for name in ("bob", "cy", "dee", "run.json")), text=stub)
    put(here, f"bob/{ASSIGNMENT}/hw.zip", f"dee/{ASSIGNMENT}/README.md", "notes.csv")
    output = tmp_path / "out"
    done = run_here("--course", course, "grade", here, "--output", output, "--no-pages")
    assert done.returncode == 1, done.stdout + done.stderr
    reports = {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in output.glob("*/01_*.json")}
    assert {name: report["score"] for name, report in reports.items()} == {
        "ann": 2, "bob": None, "cy": None, "dee": 0, "run.json (student)": 0,
    }  # fmt: skip
    assert "'hw.zip'" in reports["bob"]["problem"]
    assert "'cy/tiny.py' (in another folder)" in reports["cy"]["problem"]
    assert "Not graded, though handed in beside it: 'final/mine.py'." in reports["ann"]["notes"]
    closing = done.stdout.partition("\n\n")[2]
    assert "'bob', 01_tiny: " in closing
    assert "'cy/tiny.py'" in closing
    assert "dee" not in closing
