"""Files that older versions read are refused with a word on what to do, and not passed over."""

import pytest

from grader.errors import CourseError
from grader.grading import GradeOptions, run

from ...support.courses import hand_in, write_course
from ...support.pretended_engine import RIGHT, pretended


def test_rules_for_late_work_in_the_course_are_refused_before_anything_is_written(tmp_path):
    course = write_course(tmp_path / "course", {"policy.toml": "", "tests/golden/N0.json": "[]"})
    hand_in(tmp_path / "class", "ann", RIGHT)
    options = GradeOptions([tmp_path / "class"], tmp_path / "reports", course)
    with pytest.raises(CourseError, match=r"policy\.toml"):
        run(options, judge=pretended)
    assert not (tmp_path / "reports").exists()
