"""Right answers to `context_vector` in other styles than the solution's, which must have full marks."""

import torch

from grader.course.variants import helper, right


@helper
class Mixer:
    """A callable object in place of a function."""

    def __init__(self, spread=0):
        self.spread = spread

    def __call__(self, weights, inputs):
        return torch.matmul(weights, inputs) + self.spread


@right(why="a loop that adds to its own zeros")
def loop_of_weighted_tokens(weights, inputs):
    result = torch.zeros(inputs.shape[1], dtype=inputs.dtype, device=inputs.device)
    for index in range(len(weights)):
        result += weights[index] * inputs[index]
    return result


@right(why="einsum")
def einsum_of_weights(weights, inputs):
    return torch.einsum("t,td->d", weights, inputs)


@right(why="the transposed tokens times the weights")
def transposed_tokens(weights, inputs):
    return inputs.T @ weights


@right(why="Python's sum over a comprehension")
def python_sum(weights, inputs):
    return sum(weight * token for weight, token in zip(weights, inputs, strict=True))


@right(why="bmm with dimensions added and taken away, float64 inside")
def bmm_of_one(weights, inputs):
    wide = torch.bmm(weights.double()[None, None, :], inputs.double()[None])
    return wide[0, 0].to(inputs.dtype)


@right(why="vecmat, products and a sum")
def broadcast_products(weights, inputs):
    return torch.mul(weights.view(-1, 1), inputs).sum(0)


callable_object = right(why="an object that can be called")(Mixer())


bound_method = right(why="a bound method")(Mixer(0).__call__)
