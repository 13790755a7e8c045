"""The marks of this course: each exercise's weights read as percentages, and every kind of mistake proves them."""

import re

import pytest

from grader.course.layout import find_course
from grader.course.variants.read_variants import load_variants
from grader.grading.suite_run import course_side
from grader.suite.runner.collect import collected

from ..support.classes.grading_runs import ROOT

COURSE = find_course(ROOT)
every_assignment = pytest.mark.parametrize("assignment", COURSE.assignments.values(), ids=lambda each: each.id)


POINTS = ("gradient", "purity", "stability")

NOWHERE = {"causal_mask", "causal_mask_simple", "positional_encoding", "embed_tokens"}
"""Three are given no tensor, and the last one makes its ids on the CPU."""


def checks_of(assignment):
    """Return the checks of an assignment, as pytest collects them."""
    names = [each.id for each in assignment.exercises]
    folders = [assignment.visible, assignment.hidden]
    with collected(course_side(COURSE, assignment, "cpu"), names, folders, assignment.visible) as suite:
        return list(suite.manifest.checks)


@every_assignment
def test_the_weights_of_an_exercise_sum_to_100(assignment):
    weights = dict.fromkeys([each.id for each in assignment.exercises], 0)
    for check in checks_of(assignment):
        weights[check.spec.exercise] += check.spec.weight
    assert {name: weight for name, weight in weights.items() if weight != 100} == {}


@every_assignment
def test_what_a_text_names_as_its_point_weighs_15_percent(assignment):
    """Gradients, an input that stays as it was and stability, wherever an exercise is asked for them at all."""
    weights = {}
    for check in checks_of(assignment):
        if check.spec.category in POINTS:
            at = (check.spec.exercise, check.spec.category)
            weights[at] = weights.get(at, 0) + check.spec.weight
    assert {at: weight for at, weight in weights.items() if weight < 15} == {}


@every_assignment
def test_every_exercise_that_takes_tensors_is_asked_on_another_device_for_5_percent(assignment):
    found = [check for check in checks_of(assignment) if check.spec.category == "device"]
    wanted = {each.id for each in assignment.exercises} - NOWHERE
    assert {check.spec.exercise for check in found} == wanted and len(found) == len(wanted)
    assert {check.spec.weight for check in found} == {5}
    assert [check.visibility for check in found].count("visible") == 1


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


def test_no_suite_watches_a_call_by_itself():
    """A suite that passes `trace` or `forbids` on its own could forget to ask for the answer."""
    suites = {suite: suite.read_text(encoding="utf-8") for suite in (ROOT / "tests" / "hidden").glob("*/*.py")}
    assert suites
    assert [suite.name for suite, text in suites.items() if re.search(r"\b(trace|forbids)=", text)] == []
