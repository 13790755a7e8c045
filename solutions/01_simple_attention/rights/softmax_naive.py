"""Right answers to `softmax_naive` in other styles than the solution's, which must have full marks."""

import math

import torch

from grader.course.variants import right


@right(why="the library's function stands in a branch that never runs")
def naive_with_a_flag(x):
    def weights(by_library):
        if by_library:
            return torch.softmax(x, dim=0)
        powers = torch.exp(x)
        return powers / powers.sum()

    return weights(by_library=False)


@right(why="the shift by the largest score is allowed, only not asked for")
def shifted_by_largest(x):
    powers = torch.exp(x - x.max())
    return powers / powers.sum()


@right(why="the exponential of a difference of logarithms")
def difference_of_logarithms(x):
    return torch.exp(x - torch.log(torch.sum(torch.exp(x))))


@right(why="a power of e, and Python's sum")
def power_of_e(x):
    powers = [math.e**score for score in x]
    return torch.stack([power / sum(powers) for power in powers])


@right(why="float64 inside, the dtype given back")
def naive_in_float64(x):
    powers = x.double().exp()
    return (powers / powers.sum()).to(x.dtype)


@right(why="prints, and a nested function that is called softmax")
def chatty_softmax(x):
    def softmax(scores):
        print("scores", scores)
        return scores.exp() / scores.exp().sum()

    weights = softmax(x)
    print("weights", weights)
    return weights
