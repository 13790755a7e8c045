"""Right answers to `attention_scores` in other styles than the solution's, which must have full marks."""

import torch
from torch.nn import functional as F

from grader.course.variants import right


@right(why="einsum")
def einsum_of_pairs(inputs):
    return torch.einsum("id,jd->ij", inputs, inputs)


@right(why="products by broadcasting, summed over the features")
def broadcast_pairs(inputs):
    return (inputs[:, None, :] * inputs[None, :, :]).sum(dim=-1)


@right(why="baddbmm on a batch of one")
def baddbmm_of_one(inputs):
    batch = inputs.unsqueeze(0)
    zeros = inputs.new_zeros(1, len(inputs), len(inputs))
    return torch.baddbmm(zeros, batch, batch.mT).squeeze(0)


@right(why="a linear layer whose weight is the tokens themselves")
def linear_of_itself(inputs):
    return F.linear(inputs, inputs)


@right(why="a loop over the features, which does not grow with the tokens")
def loop_over_features(inputs):
    return sum(torch.outer(column, column) for column in inputs.unbind(dim=1))


@right(why="float64 inside, the dtype given back")
def wide_product(inputs):
    wide = inputs.to(torch.float64)
    return torch.mm(wide, wide.t()).to(inputs.dtype)


@right(why="vmap instead of a loop")
def vmapped_dots(inputs):
    return torch.vmap(lambda token: torch.mv(inputs, token))(inputs)


@right(why="it prints its rows in a loop, which computes nothing")
def rows_printed(inputs):
    scores = inputs @ inputs.T
    for row in scores.tolist():
        print(row)
    return scores


@right(why="pairs gathered by index, multiplied at once")
def gathered_pairs(inputs):
    count = len(inputs)
    left, other = torch.arange(count).repeat_interleave(count), torch.arange(count).repeat(count)
    return (inputs[left] * inputs[other]).sum(dim=1).reshape(count, count)


@right(why="squares of sums, in which the products are hidden")
def by_polarization(inputs):
    squares = (inputs**2).sum(dim=-1)
    return ((inputs[:, None] + inputs).square().sum(dim=-1) - squares[:, None] - squares) / 2
