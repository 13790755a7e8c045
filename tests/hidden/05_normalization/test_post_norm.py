"""Hidden checks of `post_norm`: it is handed layers of torch with random parameters, and the solution their twins.

The layers are tried in several kinds and both modes, since code that fits one pair of layers only is wrong.
"""

from grader.suite import checks, exercise, layer

post_norm = exercise("post_norm")
post_norm.contract(
    x="... d",
    sublayer=layer("Linear", "d d"),
    norm=layer("LayerNorm", "d"),
    result="... d",
    without={
        "gradients_flow": "the gradients themselves are asked for",
        "inputs_unchanged": "it is asked with layers that hand x on, too",
    },
)

NAME = "post_norm"


def linear_and_norm(student, draw, features):
    """Return a linear sublayer and a layer norm for tokens of so many features."""
    linear = checks.torch_layer(student, draw, "Linear", features, features)
    return linear, checks.torch_layer(student, draw, "LayerNorm", features)


@post_norm.check("value", ko="두 층이 무엇이든 먼저 준 것이 서브레이어이고, 나중에 준 것은 합에 적용합니다.")
def test_other_layers(student, reference, draw):
    """Whatever the two layers are, the first one given is the sublayer and the second one is applied to the sum."""
    x = draw.normal(2, 3, 5)
    tanh, softplus = (checks.torch_layer(student, draw, name) for name in ("Tanh", "Softplus"))
    first, second = (checks.torch_layer(student, draw, "Linear", 5, 5) for _ in range(2))
    for sublayer, norm in ((tanh, first), (first, second), (second, softplus), (softplus, tanh)):
        checks.layers_match(student.post_norm, reference.post_norm, x, sublayer, norm)


@post_norm.check(
    "property",
    row="point",
    ko="서브레이어와 정규화를 받은 모드 그대로 한 번씩만 부릅니다.",
)
def test_each_is_called_once(student, reference, draw):
    """The sublayer and the norm are each called once, in the mode in which they come, and stay in it."""
    layers = [checks.torch_layer(student, draw, "BatchNorm1d", 4) for _ in range(2)]
    same_in_both = linear_and_norm(student, draw, 4)
    for training in (True, False):
        checks.layers_run_once(
            student.post_norm, reference.post_norm, draw.normal(6, 4), layers, same_in_both, training=training
        )


@post_norm.check(
    "purity",
    needs="test_the_gate",
    ko="호출한 뒤에도 x와 두 층의 매개변수는 `.grad`까지 그대로입니다.",
)
def test_nothing_changes(student, draw):
    """x and the parameters of both layers, their `.grad` too, are the same after the call."""
    layers = linear_and_norm(student, draw, 5)
    given = draw.normal(2, 3, 5), *(layer.handle for layer in layers)
    checks.layers_left_alone(lambda: checks.inputs_unchanged(student.post_norm, *given), draw, *layers)
    identity = checks.torch_layer(student, draw, "Identity").handle  # what it gives is x itself
    checks.inputs_unchanged(student.post_norm, draw.normal(2, 3, 5), identity, identity)
