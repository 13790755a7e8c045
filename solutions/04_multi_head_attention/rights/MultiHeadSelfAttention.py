"""Right answers to `MultiHeadSelfAttention` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, right, solution


@helper
def hide(scores, mask, fill=float("-inf")):
    return scores if mask is None else scores.masked_fill(mask == 0, fill)


@helper
def heads_of(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


@helper
def joined(heads):
    return heads.transpose(-3, -2).flatten(-2)


@helper
def layers_of(module, x):
    return tuple(heads_of(layer(x), module.num_heads) for layer in (module.W_q, module.W_k, module.W_v))


@right(why="parts of its own, layers made in another order, items and heads folded for bmm")
class mhsa_folded(nn.Module):
    class Attention(nn.Module):
        def __init__(self, p):
            super().__init__()
            self.dropout = nn.Dropout(p)

        def forward(self, q, k, v, mask):
            scores = torch.bmm(q, k.transpose(1, 2)) / q.size(-1) ** 0.5
            if mask is not None:
                scores = scores.masked_fill(mask == 0, float("-inf"))
            weights = self.dropout(F.softmax(scores, dim=-1))
            return torch.bmm(weights, v), weights

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
        self.h, self.d = num_heads, d_model // num_heads
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.attention = self.Attention(dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        B, T, d_model = x.shape
        q, k, v = (
            layer(x).view(B, T, self.h, self.d).permute(0, 2, 1, 3).reshape(B * self.h, T, self.d)
            for layer in (self.W_q, self.W_k, self.W_v)
        )
        if mask is not None:
            mask = mask.expand(B, self.h, mask.size(-2), mask.size(-1)).reshape(
                B * self.h, mask.size(-2), mask.size(-1)
            )
        output, weights = self.attention(q, k, v, mask)
        merged = output.view(B, self.h, T, self.d).permute(0, 2, 1, 3).contiguous().view(B, T, d_model)
        return self.dropout(self.W_o(merged)), weights.view(B, self.h, T, T)


@right(why="einsum, an additive mask, F.dropout")
class mhsa_by_einsum(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads, self.p = num_heads, dropout
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
            nn.init.xavier_uniform_(getattr(self, name).weight)

    def forward(self, x, mask=None):
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)) for layer in (self.W_q, self.W_k, self.W_v))
        scores = torch.einsum("bihd,bjhd->bhij", q, k) * (1.0 / math.sqrt(q.shape[-1]))
        if mask is not None:
            scores = scores + (1.0 - mask.to(scores.dtype)) * -1e9
        weights = F.dropout(torch.softmax(scores, dim=-1), p=self.p, training=self.training)
        return self.W_o(torch.einsum("bhij,bjhd->bihd", weights, v).flatten(2)), weights


@right(why="dropout on the merged heads too, a fill of -1e4")
class mhsa_merged_heads_dropped(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask, -1e4)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.W_o(self.dropout(joined(weights @ v))), weights


@right(why="a loop over the heads with chunks of the layers' results")
class mhsa_by_loop(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.drop = nn.Dropout(p=dropout)

    def forward(self, x, mask=None):
        queries, keys, values = (layer(x).chunk(self.num_heads, dim=-1) for layer in (self.W_q, self.W_k, self.W_v))
        if mask is not None:
            mask = mask.bool().expand(len(x), 1, x.size(1), x.size(1)).squeeze(1)
        outputs, weights = [], []
        for q, k, v in zip(queries, keys, values, strict=True):
            scores = (q / math.sqrt(q.size(-1))) @ k.transpose(1, 2)
            if mask is not None:
                scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
            weights.append(self.drop(scores.softmax(dim=-1)))
            outputs.append(weights[-1] @ v)
        return self.W_o(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


@right(why="loops over the items, the heads and the pairs of tokens")
class mhsa_by_loops(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads, self.dropout = num_heads, nn.Dropout(dropout)
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, mask=None):
        (B, T, _), H = x.shape, self.num_heads
        seen = torch.ones(B, T, T) if mask is None else (mask != 0).reshape(-1, *mask.shape[-2:]).expand(B, T, T)
        seen, outputs, weights = seen.bool().tolist(), [], []
        for item, (queries, keys, values) in enumerate(zip(self.W_q(x), self.W_k(x), self.W_v(x), strict=True)):
            for query, key, value in zip(*(part.chunk(H, dim=-1) for part in (queries, keys, values)), strict=True):
                for row, one in enumerate(query):
                    scores = [(one * other).sum() / math.sqrt(len(one)) for other in key]
                    top = max(score.item() for score, is_seen in zip(scores, seen[item][row], strict=True) if is_seen)
                    powers = [
                        torch.exp(s - top) if ok else 0 * s for s, ok in zip(scores, seen[item][row], strict=True)
                    ]
                    shares = self.dropout(torch.stack(powers) / sum(powers))
                    weights.append(shares)
                    outputs.append(sum(share * each for share, each in zip(shares, value, strict=True)))
        heads = torch.stack(outputs).reshape(B, H, T, -1).transpose(1, 2).flatten(2)
        return self.W_o(heads), torch.stack(weights).reshape(B, H, T, T)
