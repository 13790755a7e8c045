"""A student's own run: what it asks of the examples needs no solution, and a spoilt answer loses what it breaks."""

import pytest

from grader.suite.examples.checks import CHECK, OWN_RUN

from ....support.exercises.ruled_exercises import (
    ANSWERED_BY,
    BY_NUMBER,
    FIRST_MATRIX,
    MODULES,
    answer,
    by_rules,
    edited,
    right,
)

LAYERS = "nn.Linear(d_in, d_out, bias=bias), nn.Linear(d_in, d_out, bias=bias)"
DROPPED = "self.dropout(raised / raised.sum(dim=-1, keepdim=True))"

SPOILT = {
    "of twice the scores": (answer("mix", "return mixed(2 * scores, tokens)"), {CHECK}),
    "of another shape": (answer("mix", "return mixed(scores, tokens)[None]"), {CHECK}),
    "that raises": (answer("mix", "return scores @ tokens"), {CHECK}),
    "wrong in the second result": (
        answer("heads", "first, second = parted(tokens, count)\nreturn first, 2 * second"),
        {CHECK},
    ),
    "squeezed": (answer("mix", "return mixed(scores, tokens).squeeze()"), {"sizes"}),
    "in float32": (answer("mix", "return mixed(scores, tokens).float()"), {"dtype", "float64"}),
    "by way of float32": (answer("mix", "return mixed(scores.float(), tokens.float()).to(tokens.dtype)"), {"float64"}),
    "written in place": (
        answer("mix", "mix = mixed(scores, tokens)\ntokens.data.zero_()\nreturn mix"),
        {"inputs_unchanged"},
    ),
    "detached": (answer("mix", "return mixed(scores, tokens).detach()"), {"gradients_flow", "gradients"}),
    "with half of the gradients": (
        answer("mix", "mix = mixed(scores, tokens)\nreturn mix / 2 + mix.detach() / 2"),
        {"gradients"},
    ),
    "of the first call with a tensor": (
        answer("mix", "return known(scores, tokens)", BY_NUMBER),
        {"computed_anew"},
    ),
    "added to zeros on the CPU": (
        answer("mix", "return mixed(scores, tokens) + torch.zeros(1, dtype=tokens.dtype)"),
        {"another_device"},
    ),
    "a class of twice the scores": (edited("Mixer", ("scores = (query", "scores = (2 * query")), {CHECK}),
    "a class without the biases that are asked for": (
        edited("Mixer", (LAYERS, LAYERS.replace("bias=bias", "bias=False"))),
        {CHECK},
    ),
    "a class with a parameter more": (
        edited("Mixer", ("self.dropout = nn", "self.more = nn.Linear(2, 2)\n        self.dropout = nn")),
        {"parameters"},
    ),
    "a class that drops nothing": (
        edited("Mixer", (DROPPED, "raised / raised.sum(dim=-1, keepdim=True)")),
        {"dropout"},
    ),
    "a class that drops in eval": (
        edited("Mixer", (DROPPED, f"nn.functional.dropout({DROPPED[13:]}, self.dropout.p)")),
        {CHECK},
    ),
    "a class with the matrix of its first call": (edited("Mixer", FIRST_MATRIX), {"state_dict"}),
    "a class that leaves a mask out": (edited("Heads", ("if mask is not None", "if False")), {CHECK}),
    "a class of twice the mean in training": (edited("Mean", ("mean = x.mean(0)", "mean = 2 * x.mean(0)")), {CHECK}),
    "a class of random numbers": (
        edited("Mean", ("return self.weight", "return torch.rand(1) * self.weight")),
        {CHECK},
    ),
    "a class that remembers nothing": (edited("Mean", ("self.kept = (0.5", "kept = (0.5")), {CHECK}),
}


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """What came of each answer, by name."""
    answers = {f"right {exercise}": right(exercise) for exercise in (*ANSWERED_BY, *MODULES)}
    answers |= {name: spoilt for name, (spoilt, _) in SPOILT.items()}
    return by_rules(tmp_path_factory.mktemp("examples"), answers, own_run=True)


@pytest.mark.parametrize("exercise", [*ANSWERED_BY, *MODULES])
def test_a_right_answer_passes_all_that_is_asked(checked, exercise):
    statuses = checked[f"right {exercise}"].statuses
    assert set(statuses.values()) == {"passed"}
    assert [CHECK, *(rule for rule in OWN_RUN if rule in statuses)] == list(statuses)


def test_functions_and_classes_are_asked_for_what_they_can_have(checked):
    functions, drops, remembers = (set(checked[f"right {exercise}"].statuses) for exercise in ("mix", "Mixer", "Mean"))
    every = {CHECK, *OWN_RUN} - {"layers_unchanged"}
    assert functions == every - {"parameters", "state_dict", "dropout"}
    assert drops == every
    assert remembers == every - {"dropout"}
    layers = set(checked["right residual"].statuses)
    assert layers == functions - {"inputs_unchanged"} | {"layers_unchanged"}


def test_a_wrong_class_that_remembers_is_not_taken_for_one_that_draws(checked):
    """A second try makes the earlier calls again, each in its mode."""
    assert checked["a class of twice the mean in training"].lost == {CHECK}
    assert "second time" not in checked["a class of twice the mean in training"].found[CHECK]
    assert "second time" in checked["a class of random numbers"].found[CHECK]


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_answer_loses_what_it_breaks(checked, name):
    assert checked[name].lost == SPOILT[name][1]
