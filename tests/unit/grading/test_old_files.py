"""Files that older versions read are refused with a word on what to do, and not passed over."""

import json

import pytest

from grader.errors import CourseError, UsageError
from grader.grading import GradeOptions, run

from ...support.courses import hand_in, write_course
from ...support.workers.pretended_engine import RIGHT, pretended


def test_rules_for_late_work_in_the_course_are_refused_before_anything_is_written(tmp_path):
    course = write_course(tmp_path / "course", {"policy.toml": "", "tests/golden/N0.json": "[]"})
    hand_in(tmp_path / "class", "ann", RIGHT)
    options = GradeOptions([tmp_path / "class"], tmp_path / "reports", course)
    with pytest.raises(CourseError, match=r"policy\.toml"):
        run(options, judge=pretended)
    assert not (tmp_path / "reports").exists()


def test_points_set_by_hand_in_the_journal_are_refused_and_the_student_is_named(tmp_path):
    course = write_course(tmp_path / "course", {"tests/golden/N0.json": "[]"})
    hand_in(tmp_path / "class", "ann", RIGHT)
    reports = tmp_path / "reports"
    reports.mkdir()
    line = {"student": "ann", "assignment": "01_tiny", "exercise": "", "points": "5", "reason": "x", "by": "Kim"}
    text = json.dumps({"seal": "", "line": {**line, "at": ""}})
    (reports / "journal.jsonl").write_text(text + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"'ann'.*overrides\.csv"):
        run(GradeOptions([tmp_path / "class"], reports, course), judge=pretended)
