"""An author writes a course in English alone, or in all languages that it names."""

import re

import pytest

from grader.course.content.student_course import find_student_files
from grader.release.build import build
from grader.verify.text_rules import everything_translated

from ...support.courses import FILES, small_course

KOREAN = re.compile(r', ?ko="[^"]*"|\n    ko="[^"]*",|"title_ko": "[^"]*", ')
ENGLISH = {name: None if ".ko." in name else KOREAN.sub("", text) for name, text in FILES.items()}


@pytest.fixture
def course_of(tmp_path):
    """Return what writes the tiny course without its Korean, and opens it."""

    def write(languages):
        return small_course(tmp_path, {**ENGLISH, "course.toml": f"languages = {languages}\n"})

    return write


def test_a_course_in_english_needs_no_korean_and_students_get_none(course_of):
    course = course_of(["en"])
    build(course)
    tiny = course.assignments["01_tiny"]
    assert not [*tiny.released.glob("*.ko.md")] and tiny.exercises[0].title_ko == tiny.exercises[0].title
    assert find_student_files(tiny.released).exercises[0].title_ko == "Shares of a whole"
    assert [*everything_translated(course, tiny, tiny.names)] == []


def test_a_course_in_korean_too_lacks_what_is_not_translated(course_of):
    course = course_of(["en", "ko"])
    tiny = course.assignments["01_tiny"]
    hints = tiny.source.with_name("hints.toml")
    hints.write_text('[shares]\nwhere = "Here."\nidea = "Divide."\nnearly = "By the sum."\n', encoding="utf-8")
    files = {unmet.file.name for unmet in everything_translated(course, tiny, tiny.names)}
    suites = {"test_tiny.py", "test_shares.py", "test_Shift.py"}
    assert files == {"handout.ko.md", "tiny.py", "hints.toml", "shares.py", "Shift.py", *suites}
