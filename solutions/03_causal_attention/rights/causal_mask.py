"""Right answers to `causal_mask` in other styles than the solution's, which must have full marks."""

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
def mask_by_positions(context_length):
    position = torch.arange(context_length)
    return position.unsqueeze(0) > position.unsqueeze(1)


@right(why="the opposite of what is visible")
def mask_by_opposite(context_length):
    return torch.tril(torch.ones(context_length, context_length)) == 0


@right(why="a loop over all pairs")
def mask_by_pairs(context_length):
    mask = torch.empty(context_length, context_length, dtype=torch.bool)
    for i in range(context_length):
        for j in range(context_length):
            mask[i, j] = j > i
    return mask


@right(why="nested lists")
def mask_by_lists(context_length):
    return torch.tensor([[j > i for j in range(context_length)] for i in range(context_length)])


@right(why="a callable object, and a view of another tensor that is not contiguous")
@Answering
def mask_as_a_view(context_length):
    return torch.ones(context_length, context_length + 1).tril(-1).bool()[:, :context_length].T
