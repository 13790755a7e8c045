"""The marks of this course: each exercise's weights read as percentages, and every kind of mistake proves them."""

import pytest

from grader.course.layout import find_course
from grader.course.variants.read_variants import load_variants
from grader.grading.suite_run import course_side
from grader.suite.runner.collect import collected

from ..kit.support.grading_runs import ROOT

COURSE = find_course(ROOT)
every_assignment = pytest.mark.parametrize("assignment", COURSE.assignments.values(), ids=lambda each: each.id)


@every_assignment
def test_the_weights_of_an_exercise_sum_to_100(assignment):
    names = [each.id for each in assignment.exercises]
    weights = dict.fromkeys(names, 0)
    folders = [assignment.visible, assignment.hidden]
    with collected(course_side(COURSE, assignment, "cpu"), names, folders, assignment.visible) as suite:
        for check in suite.manifest.checks:
            weights[check.spec.exercise] += check.spec.weight
    assert {name: weight for name, weight in weights.items() if weight != 100} == {}


@every_assignment
def test_every_exercise_has_mistakes_that_prove_its_marks(assignment):
    """`grader verify` grades them and asks that a slip keeps 25 to 60 %, a library call 30 at most, and so on."""
    kinds = {}
    for each in load_variants(assignment).mistakes:
        kinds.setdefault(each.exercise, set()).add(each.marks)
    wanted = {
        each.id: {"slip", "point", "trivial"} | ({"library"} if each.forbids else set())
        for each in assignment.exercises
    }
    missing = {name: kinds_wanted - kinds[name] for name, kinds_wanted in wanted.items()}
    assert {name: sorted(lacking) for name, lacking in missing.items() if lacking} == {}
