"""Right answers to `CausalAttention` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import right


@right(why="a mask of ones that marks what is visible, not in state_dict, layers in another order")
class module_visible_mask(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.register_buffer("tril", torch.tril(torch.ones(context_length, context_length)), persistent=False)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.p = dropout

    def forward(self, x):
        T = x.shape[1]
        if self.tril.size(0) < T:
            raise ValueError(f"at most {self.tril.size(0)} tokens")
        scores = torch.bmm(self.W_query(x), self.W_key(x).transpose(1, 2)) * self.W_key.out_features**-0.5
        weights = F.softmax(scores.masked_fill(self.tril[:T, :T] == 0, -1e9), dim=-1)
        return torch.bmm(F.dropout(weights, p=self.p, training=self.training), self.W_value(x))


@right(why="an additive mask with a batch axis, einsum, an error class of its own")
class module_additive_mask(nn.Module):
    class TooLong(ValueError):
        pass

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.context_length, self.scale = context_length, math.sqrt(d_out)
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.attn_dropout = nn.Dropout(p=dropout)
        self.register_buffer("bias", torch.full((1, context_length, context_length), -torch.inf).triu(diagonal=1))

    def forward(self, x):
        tokens = x.size(-2)
        if tokens > self.context_length:
            raise self.TooLong(tokens)
        scores = torch.einsum("bid,bjd->bij", self.W_query(x) / self.scale, self.W_key(x))
        weights = (scores + self.bias[:, :tokens, :tokens]).softmax(dim=-1)
        return torch.einsum("bij,bjd->bid", self.attn_dropout(weights), self.W_value(x))


@right(why="in place on its own scores, as the note does it; the length and other numbers as buffers")
class module_in_place(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
        self.register_buffer("limit", torch.tensor(context_length))

    def forward(self, x):
        num_tokens = x.shape[1]
        if num_tokens > self.limit:
            raise ValueError("too many tokens")
        keys, queries, values = self.W_key(x), self.W_query(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        return self.dropout(torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)) @ values


@right(why="a loop over the items and tokens, the mask inside a part of its own")
class module_by_loop(nn.Module):
    class Mask(nn.Module):
        def __init__(self, context_length):
            super().__init__()
            position = torch.arange(context_length)
            self.register_buffer("visible", position[:, None] >= position[None, :])

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.causal = self.Mask(context_length)
        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
        self.W_query, self.W_key, self.W_value = self.layers
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        if len(x[0]) > len(self.causal.visible):
            raise ValueError("too many tokens")
        items = []
        for item in x:
            queries, keys, values = (layer(item) for layer in self.layers)
            rows = []
            for t, query in enumerate(queries):
                seen = self.causal.visible[t, : len(item)]
                weights = torch.zeros(len(item), dtype=x.dtype, device=x.device)
                weights[seen] = torch.softmax(keys[seen] @ query / math.sqrt(len(query)), dim=0)
                rows.append(self.drop(weights) @ values)
            items.append(torch.stack(rows))
        return torch.stack(items)


@right(why="scores struck out by multiplication and addition, dropout by a drawn mask, float64 inside")
class module_in_float64(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.keep = 1 - dropout
        self.register_buffer("visible", torch.ones(context_length, context_length, dtype=torch.int8).tril())

    def forward(self, x):
        T = x.shape[1]
        if self.visible.shape[0] < T:
            raise ValueError("too many tokens")
        queries, keys, values = (layer(x).double() for layer in (self.W_query, self.W_key, self.W_value))
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores - (1 - self.visible[:T, :T]) * 1e9, dim=-1) * self.visible[:T, :T]
        if self.training:
            weights = weights * (torch.rand_like(weights) < self.keep) / self.keep
        return (weights @ values).to(x.dtype)


@right(why="loops over the items and over the pairs of tokens")
class module_by_loops(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        if x.shape[1] > len(self.mask):
            raise ValueError("too many tokens")
        hidden, contexts = self.mask.tolist(), []
        for queries, keys, values in zip(self.W_query(x), self.W_key(x), self.W_value(x), strict=True):
            for row, query in zip(hidden, queries, strict=False):
                seen = [place for place in range(len(keys)) if not row[place]]
                scores = torch.stack([(query * keys[place]).sum() for place in seen]) / math.sqrt(len(query))
                weights = self.dropout(torch.exp(scores - scores.max()) / torch.exp(scores - scores.max()).sum())
                contexts.append(sum(weight * values[place] for weight, place in zip(weights, seen, strict=True)))
        return torch.stack(contexts).reshape(*x.shape[:2], -1)
