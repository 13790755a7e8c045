"""Right answers to `causal_mask_simple` in other styles than the solution's, which must have full marks."""

import torch

from grader.course.variants import helper, right


@helper
class Answering:
    """A callable object around a function."""

    def __init__(self, compute):
        self.compute = compute

    def __call__(self, *parts):
        return self.compute(*parts)


@right(why="positions compared with each other")
def simple_by_positions(context_length):
    position = torch.arange(context_length)
    return (position[:, None] >= position).float()


@right(why="a loop over the rows of zeros")
def simple_by_rows(context_length):
    mask = torch.zeros(context_length, context_length)
    for i in range(context_length):
        mask[i, : i + 1] = 1
    return mask


@right(why="nested lists")
def simple_by_lists(context_length):
    return torch.tensor([[1.0 if j <= i else 0.0 for j in range(context_length)] for i in range(context_length)])


@right(why="ones less the future")
def simple_less_the_future(context_length):
    return 1 - torch.triu(torch.ones((context_length, context_length)), diagonal=1)


@right(why="a running sum of the identity")
def simple_by_running_sum(context_length):
    return torch.eye(context_length).cumsum(dim=0)


@right(why="a callable object, and indices of the triangle")
@Answering
def simple_by_indices(context_length):
    mask = torch.zeros(context_length, context_length)
    rows, columns = torch.tril_indices(context_length, context_length)
    mask[rows, columns] = 1.0
    return mask
