"""Hidden checks of `FeedForward`: each token by itself."""

import torch

from grader.suite import checks, exercise

feed_forward = exercise("FeedForward")
feed_forward.contract(
    init="d_model d_ff",
    x="B T d_model",
    result="B T d_model",
    draws={"x": lambda draw, *shape, dtype=torch.float32: 10 * draw.normal(*shape, dtype=dtype)},
    without={"mixing": "with a ReLU too many some numbers of a token stay zero"},
)


@feed_forward.check("property", ko="한 토큰이 바뀌어도 다른 토큰의 결과는 그대로입니다.")
def test_tokens_are_apart(student, draw):
    """Another token leaves the results of all others as they were."""
    module, x = student.FeedForward.built(3, 8), draw.normal(2, 4, 3)
    other = torch.cat([x[:, :1] + draw.normal(2, 1, 3), x[:, 1:]], dim=1)
    before, after = (checks.has_shape(module(tokens), (2, 4, 3)) for tokens in (x, other))
    checks.close(after[:, 1:], before[:, 1:])
