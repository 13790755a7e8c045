"""Right answers to `causal_attention_weights` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import helper, right


@helper
def future_of(scores):
    """Return a bool tensor like the scores, True where a position is to be hidden."""
    return torch.ones_like(scores, dtype=torch.bool).triu(1)


@right(why="scaled first, a fill of -1e9")
def weights_fill_of_minus_1e9(scores, d_k):
    return torch.softmax((scores / d_k**0.5).masked_fill(future_of(scores), -1e9), dim=-1)


@right(why="an exponential of its own, less the largest visible score of each row")
def weights_by_exponential(scores, d_k):
    scaled = scores.masked_fill(future_of(scores), -1e30) / math.sqrt(d_k)
    exponentials = (scaled - scaled.max(dim=-1, keepdim=True).values).exp()
    return exponentials / exponentials.sum(dim=-1, keepdim=True)


@right(why="a loop over the rows")
def weights_by_rows(scores, d_k):
    weights = torch.zeros_like(scores)
    for i in range(scores.shape[-1]):
        weights[..., i, : i + 1] = torch.softmax(scores[..., i, : i + 1] / math.sqrt(d_k), dim=-1)
    return weights


@right(why="an additive mask of the smallest number, the root as a tensor")
def weights_by_smallest_number(scores, d_k):
    T = scores.shape[-1]
    mask = torch.full((T, T), torch.finfo(scores.dtype).min, dtype=scores.dtype, device=scores.device).triu(1)
    return torch.softmax(scores / torch.sqrt(torch.tensor(d_k, dtype=scores.dtype, device=scores.device)) + mask, -1)


@right(why="log_softmax, float64 inside, the transposed problem")
def weights_by_log_softmax(scores, d_k):
    columns = scores.double().transpose(-2, -1) * d_k**-0.5
    hidden = torch.ones_like(columns, dtype=torch.bool).tril(-1)
    return columns.masked_fill(hidden, -torch.inf).log_softmax(dim=-2).exp().mT.to(scores.dtype)
