"""What a run cannot take into account is refused with a word on what to do, and not passed over."""

import json

import pytest

from grader.errors import CourseError, UsageError
from grader.grading import GradeOptions, run

from ...support.courses import hand_in, write_course
from ...support.workers.pretended_engine import RIGHT, pretended


def options_of(folder, files=None, **options):
    """Return the order to grade a class of one with a tiny course that has these files, too."""
    course = write_course(folder / "course", {"tests/golden/N0.json": "[]", **(files or {})})
    hand_in(folder / "class", "ann", RIGHT)
    return GradeOptions([folder / "class"], folder / "reports", course, **options)


@pytest.mark.parametrize(
    ("files", "language", "error", "told"),
    [
        ({"course.toml": 'languages = ["en"]\n'}, "ko", UsageError, r"'ko'"),
        ({"policy.toml": ""}, None, CourseError, r"policy\.toml"),
    ],
    ids=["a language that the course does not have", "rules for late work of older versions"],
)
def test_what_the_course_lacks_or_has_no_more_is_refused_before_anything_is_written(
    tmp_path, files, language, error, told
):
    with pytest.raises(error, match=told):
        run(options_of(tmp_path, files, language=language), judge=pretended)
    assert not (tmp_path / "reports").exists()


def test_points_set_by_hand_in_the_journal_are_refused_and_the_student_is_named(tmp_path):
    (tmp_path / "reports").mkdir()
    line = {"student": "ann", "assignment": "01_tiny", "exercise": "", "points": "5", "reason": "x", "by": "Kim"}
    text = json.dumps({"seal": "", "line": {**line, "at": ""}})
    (tmp_path / "reports/journal.jsonl").write_text(text + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"'ann'.*overrides\.csv"):
        run(options_of(tmp_path), judge=pretended)
