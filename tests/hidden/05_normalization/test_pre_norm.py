"""Hidden checks of `pre_norm`: it is handed layers of torch with random parameters, and the solution their twins."""

from grader.suite import exercise, layer

pre_norm = exercise("pre_norm")
pre_norm.contract(
    x="... d",
    sublayer=layer("Linear", "d d"),
    norm=layer("LayerNorm", "d"),
    result="... d",
    without={"gradients_flow": "the gradients themselves are asked for"},
)
