"""A class that may have been given other stubs than the sources make now is told of once, and graded all the same."""

import pytest

from grader.course.handed_out.given import out_of_step
from grader.release.build import build

from ...support.courses import SOURCE, small_course

CHANGED = SOURCE.replace("Divide every entry", "Divide each entry")
WARNING = "01_tiny in assignments/ is out of step with solutions/, so students may have got other stubs; `grader build`"


def warned(root, replaced=None):
    """Return what is said of a tiny course that was built before some of its files were replaced."""
    build(small_course(root))
    return out_of_step(small_course(root, replaced).assignments.values())


def test_files_that_are_in_step_need_no_word(tmp_path):
    assert warned(tmp_path) == []


@pytest.mark.parametrize("name", ["solutions/01_tiny/tiny.py", "tests/visible/test_tiny.py"])
def test_a_source_that_changed_since_the_build_is_told_of_in_one_sentence(tmp_path, name):
    text = CHANGED if name.endswith("tiny/tiny.py") else None
    (warning,) = warned(tmp_path, {name: text or '"""Other checks."""\n'})
    assert warning.startswith(WARNING)


def test_a_source_that_cannot_be_built_is_told_of_too(tmp_path):
    (warning,) = warned(tmp_path, {"solutions/01_tiny/tiny.py": SOURCE.replace("### END SOLUTION", "", 1)})
    assert warning.startswith(WARNING)


def test_an_assignment_of_which_only_the_stubs_are_there_needs_no_word(tmp_path):
    course = small_course(tmp_path)
    build(course)
    for assignment in course.assignments.values():
        (assignment.released / assignment.visible.name).unlink()
    assert out_of_step(course.assignments.values()) == []
