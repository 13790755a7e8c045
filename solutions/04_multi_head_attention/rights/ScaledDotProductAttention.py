"""Right answers to `ScaledDotProductAttention` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, right


@helper
def hide(scores, mask, fill=float("-inf")):
    return scores if mask is None else scores.masked_fill(mask == 0, fill)


@helper
def softmax_of(Q, K, mask, divisor=None, dim=-1, fill=float("-inf")):
    return torch.softmax(hide(Q @ K.mT / (math.sqrt(Q.shape[-1]) if divisor is None else divisor), mask, fill), dim=dim)


@right(why="dropout by F.dropout, -1e9 in the masked places, bmm")
class module_functional_dropout(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.p = dropout

    def forward(self, Q, K, V, mask=None):
        scores = torch.bmm(Q, K.transpose(1, 2)) * Q.size(-1) ** -0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        weights = F.dropout(F.softmax(scores, dim=-1), p=self.p, training=self.training)
        return torch.bmm(weights, V), weights


@right(why="nn.Identity where nothing is dropped, einsum, a buffer of its own")
class module_identity(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout) if dropout > 0 else nn.Identity()
        self.softmax = nn.Softmax(dim=2)
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))

    def forward(self, Q, K, V, mask=None):
        self.calls += 1
        scores = torch.einsum("bid,bjd->bij", Q, K) / math.sqrt(K.shape[-1])
        if mask is not None:
            scores = torch.where(mask.bool(), scores, -torch.inf)
        weights = self.dropout(self.softmax(scores))
        return torch.einsum("bij,bjv->biv", weights, V), weights


@right(why="a draw of uniform numbers for every weight, an additive mask of -1e9")
class module_uniform_draw(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.p = dropout

    def forward(self, Q, K, V, mask=None):
        scores = Q @ K.mT / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores + (mask == 0).to(scores.dtype) * -1e9
        weights = torch.softmax(scores, dim=-1)
        if self.training:
            weights = weights * (torch.rand_like(weights) >= self.p) / (1 - self.p)
        return weights @ V, weights


@right(why="a Bernoulli draw of its own, scaled by hand")
class module_bernoulli(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.keep = 1.0 - dropout

    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        if self.training and self.keep < 1.0:
            weights = weights * torch.bernoulli(torch.full_like(weights, self.keep)) / self.keep
        return weights.matmul(V), weights
