"""Right answers to `apply_causal_mask` in other styles than the solution's, which must have full marks."""

import functools
import math

import torch

from grader.course.variants import right


@right(why="an additive mask of zeros and -inf")
def apply_by_adding(scores):
    T = scores.size(-1)
    return scores + torch.full((T, T), -torch.inf, dtype=scores.dtype, device=scores.device).triu(diagonal=1)


@right(why="torch.where and compared positions")
def apply_by_where(scores):
    position = torch.arange(scores.shape[-1], device=scores.device)
    return torch.where(position[:, None] >= position, scores, -torch.inf)


@right(why="in place on a copy, with indices")
def apply_on_a_copy(scores):
    masked = scores.clone()
    rows, columns = torch.triu_indices(scores.shape[-1], scores.shape[-1], offset=1)
    masked[..., rows, columns] = float("-inf")
    return masked


@right(why="a loop over the rows, float64 inside")
def apply_by_rows(scores):
    masked = scores.double().clone()
    for i in range(scores.shape[-2]):
        masked[..., i, i + 1 :] = -math.inf
    return masked.to(scores.dtype)


@right(why="a library function bound to its mask")
def apply_by_partial(scores):
    hide = functools.partial(torch.masked_fill, mask=torch.tril(torch.ones_like(scores)) == 0, value=-torch.inf)
    return hide(scores)


@right(why="one over the mask, less one")
def apply_by_division(scores):
    visible = torch.ones_like(scores).tril()
    return scores - (1 / visible - 1)
