"""An author's hints in three levels: what is wrong with the file is a sentence, and students get it as it is."""

import pytest

from grader.course.handed_out.hint_levels import levels_of
from grader.errors import CourseError
from grader.release.build import build

from ...support.courses import HINT_LEVELS, small_course

PLACE = "solutions/01_tiny/hints.toml"
FAULTS = {
    "an unknown exercise": HINT_LEVELS.replace("[shares]", "[sharse]"),
    "a missing level": HINT_LEVELS.replace('idea = "This is idea."\n', ""),
    "an empty text": HINT_LEVELS.replace("This is idea.", " "),
    "a number": HINT_LEVELS.replace('"This is idea."', "3"),
    "a misspelt level": HINT_LEVELS + 'nearyl = "x"\n',
    "no table": 'shares = "a hint"\n',
    "no TOML": "[shares\n",
}


def test_a_slip_in_the_file_stops_the_build_with_a_sentence(subtests, tmp_path, refuses):
    for case, text in FAULTS.items():
        with subtests.test(case=case):
            with refuses(CourseError):
                build(small_course(tmp_path, {PLACE: text}))
            assert not (tmp_path / "assignments").exists()


def test_students_get_the_file_as_it_is_and_an_exercise_may_have_none(tmp_path):
    course = small_course(tmp_path, {PLACE: HINT_LEVELS})
    build(course)
    given = course.assignments["01_tiny"].released / "hints.toml"
    assert given.read_text(encoding="utf-8") == HINT_LEVELS
    levels = levels_of(given, "shares")
    assert [levels.text(level, "en") for level in (1, 2, 3)] == ["This is where.", "This is idea.", "This is nearly."]
    assert levels.text(3, "ko") == "힌트 nearly."
    assert levels_of(given, "Shift") is None


@pytest.mark.parametrize("text", ["[shares", "[shares]\nwhere = 3\n", "shares = 1\n", "\xff"])
def test_a_broken_file_in_a_students_folder_is_as_good_as_none(tmp_path, text):
    (tmp_path / "hints.toml").write_bytes(text.encode("latin-1"))
    assert levels_of(tmp_path / "hints.toml", "shares") is None
