"""A new exercise or assignment is refused a name that cannot be one, is taken, or is easily taken for another."""

import pytest

from grader.course.scaffold.names import check_exercise_name, new_assignment_id, one_slip_apart
from grader.errors import UsageError

from ...support.courses import small_course


def test_an_exercise_is_refused_a_bad_name_with_what_to_try(subtests, tmp_path):
    for name, words in [
        ("shares", "The exercise `shares` exists already, in 01_tiny."),
        ("share", "`share` would be taken for `shares`"),
        ("SHARES", "`SHARES` would be taken for `shares`"),
        ("sahres", "`sahres` would be taken for `shares`"),
        ("class", "Python keeps it for itself: 'class'."),
        ("mean-token", "Found 'mean-token'."),
        ("../up", "Found '../up'."),
        ("_hidden", "Found '_hidden'."),
        ("평균", "letters, digits and `_`"),
        ("", "Found ''."),
        ("student", "`student` means something else"),
    ]:
        with subtests.test(name=name, words=words):
            with pytest.raises(UsageError) as caught:
                check_exercise_name(small_course(tmp_path), name)
            assert words in str(caught.value) and "Choose" in caught.value.hint


def test_an_assignment_is_refused_a_bad_name_with_what_to_try(subtests, tmp_path):
    for name, words in [
        ("tiny", "The assignment `tiny` exists already"),
        ("tinny", "`tinny` would be taken for `tiny`"),
        ("02_masks", "Leave out the number; it is added."),
        ("Masks", "small letters, digits and `_`. Found 'Masks'."),
        ("lambda", "Found 'lambda'."),
        ("torch", "would hide the module `torch`"),
        ("random", "would hide the module `random`"),
    ]:
        with subtests.test(name=name, words=words):
            with pytest.raises(UsageError) as caught:
                new_assignment_id(small_course(tmp_path), name)
            assert words in str(caught.value) and caught.value.hint


def test_a_new_assignment_has_the_number_after_the_last(tmp_path):
    assert new_assignment_id(small_course(tmp_path), "masks") == "02_masks"


@pytest.mark.parametrize(("one", "other"), [("shares", "mean_token"), ("layer_v1", "layer_v2"), ("mask1", "mask")])
def test_names_that_differ_by_a_number_or_by_more_than_a_slip_are_both_allowed(one, other):
    assert not one_slip_apart(one, other)
    assert not one_slip_apart(other, one)
