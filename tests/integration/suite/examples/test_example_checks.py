"""A student's own run: what it asks of the examples needs no solution, and a spoilt answer loses what it breaks."""

import pytest

from grader.suite.examples.checks import CHECK, OWN_RUN

from ....support.exercises import spoilt_classes, spoilt_functions
from ....support.exercises.ruled_exercises import ANSWERED_BY, MODULES, by_rules, mean, right

SPOILT = {
    **{
        f"a function {name}": answer for name, answer in {**spoilt_functions.SPOILT, **spoilt_functions.TRIVIAL}.items()
    },
    **{f"a class {name}": answer for name, answer in spoilt_classes.SPOILT.items()},
    "a class of twice the mean in training": (mean(("mean = x.mean(0)", "mean = 2 * x.mean(0)")), set()),
    "a class of random numbers": (mean(("return self.weight", "return torch.rand(1) * self.weight")), set()),
    "a class with a layer more": (
        mean(
            ("self.register", "self.more = nn.Linear(1, 1)\n        self.register"), ("(x -", "self.more.bias * (x -")
        ),
        set(),
    ),
}
LOST = {
    "a function of the negative scores": {CHECK},
    "a function with a dimension kept": {CHECK},
    "a function an exception": {CHECK},
    "a function wrong in the second result": {CHECK},
    "a function squeezed of every 1": {"sizes"},
    "a function in float32 whatever is given": {"dtype"},
    "a function written in place behind the gradients' back": {"inputs_unchanged"},
    "a function detached": {"gradients_flow", "gradients"},
    "a function with twice the gradient": {"gradients"},
    "a function added to zeros on the CPU": {"another_device"},
    "a class of twice the scores": {CHECK},
    "a class without the biases that are asked for": {CHECK},
    "a class with a parameter more": {"parameters"},
    "a class that drops nothing": {"dropout"},
    "a class that drops in eval as well": {CHECK},
    "a class with the matrix of its first call": {"state_dict"},
    "a class that ignores a mask": {CHECK},
    "a class of twice the mean in training": {CHECK},
    "a class of random numbers": {CHECK},
    "a class with a layer more": {CHECK},
    "a class that remembers nothing": {CHECK},
}


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """What came of each answer, by name."""
    answers = {f"right {exercise}": right(exercise) for exercise in (*ANSWERED_BY, *MODULES)}
    answers |= {name: SPOILT[name][0] for name in LOST}
    return by_rules(tmp_path_factory.mktemp("examples"), answers, own_run=True)


@pytest.mark.parametrize("exercise", [*ANSWERED_BY, *MODULES])
def test_a_right_answer_passes_all_that_is_asked(checked, exercise):
    statuses = checked[f"right {exercise}"].statuses
    assert set(statuses.values()) == {"passed"}
    assert [CHECK, *(rule for rule in OWN_RUN if rule in statuses)] == list(statuses)


def test_functions_and_classes_are_asked_for_what_they_can_have(checked):
    functions, drops, remembers = (set(checked[f"right {exercise}"].statuses) for exercise in ("mix", "Mixer", "Mean"))
    every = {CHECK, *OWN_RUN}
    assert functions == every - {"parameters", "state_dict", "dropout"}
    assert drops == every
    assert remembers == every - {"dropout"}
    assert set(checked["right residual"].statuses) == functions


def test_a_spoilt_answer_loses_what_it_breaks(checked):
    assert {name: checked[name].lost for name in LOST} == LOST
