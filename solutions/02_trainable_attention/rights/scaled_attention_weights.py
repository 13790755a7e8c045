"""Right answers to `scaled_attention_weights` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import right


@right(why="the softmax written out, the maximum subtracted before the root is taken")
def weights_written_out(scores, d_k):
    powers = ((scores - scores.max(dim=-1, keepdim=True).values) / d_k**0.5).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


@right(why="the root as a tensor, the method softmax")
def weights_by_tensor_root(scores, d_k):
    return (scores / torch.sqrt(torch.tensor(d_k))).softmax(-1)


@right(why="multiplied by the inverse root, log_softmax and exp")
def weights_by_logarithm(scores, d_k):
    return F.log_softmax(scores * d_k**-0.5, dim=scores.dim() - 1).exp()


@right(why="a module, float64 inside")
def weights_by_module(scores, d_k):
    return nn.Softmax(dim=-1)(scores.double() / math.sqrt(d_k)).to(scores.dtype)


@right(why="row by row, the largest score subtracted first")
def weights_by_loop(scores, d_k):
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        powers = ((row - row.max()) / math.sqrt(d_k)).exp()
        rows.append(powers / powers.sum())
    return torch.stack(rows).view(scores.shape)
