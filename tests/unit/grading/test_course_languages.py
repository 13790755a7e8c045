"""Reports are in a language that the course is written in."""

import pytest

from grader.errors import UsageError
from grader.grading import GradeOptions, run

from ...support.courses import hand_in, write_course
from ...support.workers.pretended_engine import RIGHT, pretended


def test_a_language_that_the_course_does_not_have_is_refused_before_anything_is_written(tmp_path):
    settings = {"course.toml": 'languages = ["en"]\n', "tests/golden/N0.json": "[]"}
    course = write_course(tmp_path / "course", settings)
    hand_in(tmp_path / "class", "ann", RIGHT)
    options = GradeOptions([tmp_path / "class"], tmp_path / "reports", course, language="ko")
    with pytest.raises(UsageError, match=r"'ko'"):
        run(options, judge=pretended)
    assert not (tmp_path / "reports").exists()
