"""A new exercise or assignment is refused a name that cannot be one, is taken, or is easily taken for another."""

import pytest

from grader.course.scaffold.names import check_exercise_name, new_assignment_id, one_slip_apart
from grader.errors import UsageError

from ...support.courses import small_course


def test_an_exercise_is_refused_a_bad_name_with_what_to_try(subtests, tmp_path, refuses):
    course = small_course(tmp_path)
    taken, taken_for_another = ("shares",), ("share", "SHARES", "sahres")
    for name in (*taken, *taken_for_another, "class", "mean-token", "../up", "_hidden", "평균", "", "student"):
        with subtests.test(name=name), refuses(UsageError):
            check_exercise_name(course, name)


def test_an_assignment_is_refused_a_bad_name_with_what_to_try(subtests, tmp_path, refuses):
    course = small_course(tmp_path)
    for name in ("tiny", "tinny", "02_masks", "Masks", "lambda", "torch", "random"):
        with subtests.test(name=name), refuses(UsageError):
            new_assignment_id(course, name)


def test_a_new_assignment_has_the_number_after_the_last(tmp_path):
    assert new_assignment_id(small_course(tmp_path), "masks") == "02_masks"


@pytest.mark.parametrize(("one", "other"), [("shares", "mean_token"), ("layer_v1", "layer_v2"), ("mask1", "mask")])
def test_names_that_differ_by_a_number_or_by_more_than_a_slip_are_both_allowed(one, other):
    assert not one_slip_apart(one, other)
    assert not one_slip_apart(other, one)
