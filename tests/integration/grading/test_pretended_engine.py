"""The table of the pretended engine says what a real run says of the same answers."""

import json

import pytest

from grader.grading import ClassRun, GradeOptions, run

from ...support.courses import hand_in, write_course
from ...support.workers.pretended_engine import RIGHT, RIGHT_SHIFT, WRONG, pretended


@pytest.mark.usefixtures("kept_jails")
def test_the_table_gives_the_points_and_checks_of_a_real_run(tmp_path):
    course = write_course(tmp_path / "course", {"tests/golden/N0.json": "[]"})
    answers = {"right": RIGHT, "wrong": WRONG, "whole": RIGHT + RIGHT_SHIFT, "stub": "import torch\n"}
    for student, text in answers.items():
        hand_in(tmp_path / "class", student, text)
    outcomes = []
    for output, judge in (("real", ClassRun.in_jails), ("table", pretended)):
        graded = run(GradeOptions([tmp_path / "class"], tmp_path / output, course, fresh=True), judge=judge)
        points = {row.student: (row.score, row.max_score) for row in graded.rows}
        reports = {
            student: json.loads((tmp_path / output / student / "01_tiny.json").read_bytes()) for student in points
        }
        exercises = {
            student: [(part["id"], part["score"], part["status"]) for part in report["exercises"]]
            for student, report in reports.items()
        }
        outcomes.append((points, exercises))
    assert outcomes[0] == outcomes[1]
