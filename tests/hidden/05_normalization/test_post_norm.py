"""Hidden checks of `post_norm`: it is handed layers of torch with random parameters, and the solution their twins."""

from grader.suite import exercise, layer

post_norm = exercise("post_norm")
post_norm.contract(
    x="... d",
    sublayer=layer("Linear", "d d"),
    norm=layer("LayerNorm", "d"),
    result="... d",
    without={"gradients_flow": "the gradients themselves are asked for"},
)
