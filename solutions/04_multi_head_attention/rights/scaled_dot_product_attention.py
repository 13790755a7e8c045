"""Right answers to `scaled_dot_product_attention` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, right


@helper
def hide(scores, mask, fill=float("-inf")):
    return scores if mask is None else scores.masked_fill(mask == 0, fill)


@helper
def attend(query, key, value, mask, divisor):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / divisor, mask), dim=-1)
    return weights @ value, weights


@right(why="a fill that lies 100 below the lowest score, so no hidden weight is seen")
def sdpa_fill_below_the_lowest(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, scores.min() - 100)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@right(why="a list of the two results, which unpacks as a tuple does")
def sdpa_in_a_list(query, key, value, mask=None):
    return list(attend(query, key, value, mask, math.sqrt(query.shape[-1])))


@right(why="einsum and a mask of -1e9")
def sdpa_by_einsum(query, key, value, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = F.softmax(scores, dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


@right(why="the query scaled first, torch.where with the lowest number of the dtype")
def sdpa_query_first(query, key, value, mask=None):
    scores = (query / math.sqrt(query.shape[-1])) @ key.mT
    if mask is not None:
        scores = torch.where(mask.bool(), scores, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    return weights.matmul(value), weights


@right(why="an additive mask of 0 and -inf")
def sdpa_additive_mask(query, key, value, mask=None):
    scores = torch.matmul(query, key.transpose(-1, -2)).div(math.sqrt(key.size(-1)))
    if mask is not None:
        hidden = torch.zeros_like(mask, dtype=scores.dtype).masked_fill_(mask.logical_not(), float("-inf"))
        scores = scores + hidden
    weights = nn.Softmax(dim=-1)(scores)
    return weights @ value, weights


@right(why="query and key each divided by the fourth root, exponentials of its own")
def sdpa_own_exponentials(query, key, value, mask=None):
    root = query.shape[-1] ** 0.25
    scores = hide((query / root) @ (key / root).transpose(-2, -1), mask)
    exponentials = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ value, weights


@right(why="float64 inside and logarithms of the weights")
def sdpa_double_inside(query, key, value, mask=None):
    scores = query.double() @ key.double().mT / math.sqrt(query.shape[-1])
    weights = F.log_softmax(hide(scores, mask), dim=-1).exp()
    return (weights @ value.double()).to(query.dtype), weights.to(query.dtype)


@right(why="a loop over the queries, in place on its own tensors, mask before scaling")
def sdpa_by_loop(query, key, value, mask=None):
    scores = torch.stack([(key * query[..., i : i + 1, :]).sum(-1) for i in range(query.shape[-2])], dim=-2)
    if mask is not None:
        scores.masked_fill_(torch.broadcast_to(mask, scores.shape) == 0, float("-inf"))
    scores /= query.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
