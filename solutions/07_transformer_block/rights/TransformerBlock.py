"""Right answers to `TransformerBlock` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, right


@helper
class Network(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(self.linear1(x).clamp(min=0))


@helper
class Heads(nn.Module):
    def __init__(self, d_model, num_heads, p, causal):
        super().__init__()
        assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
        self.num_heads, self.causal, self.drop = num_heads, causal, nn.Dropout(p)
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def split(self, x):
        parts = (layer(x).unflatten(-1, (self.num_heads, -1)) for layer in (self.W_q, self.W_k, self.W_v))
        return tuple(part.transpose(1, 2) for part in parts)

    def mix(self, q, k, v):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if self.causal:
            scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), float("-inf"))
        return self.drop(scores.softmax(-1)) @ v

    def forward(self, x):
        return self.W_o(self.mix(*self.split(x)).transpose(1, 2).flatten(2))


@helper
class Block(nn.Module):
    kind, norm = Heads, nn.LayerNorm

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        self.attention = self.kind(d_model, num_heads, dropout, causal)
        self.feed_forward = Network(d_model, d_ff)
        self.norm2, self.norm1 = self.norm(d_model), self.norm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        x = x + self.drop(self.attention(self.norm1(x)))
        return x + self.drop(self.feed_forward(self.norm2(x)))


@right(why="modules of its own for the parts, made in another order")
class block_of_modules(Block):
    pass


@right(why="a mask that is a buffer and grows, ValueError, dropout on the weights alone")
class block_with_a_growing_mask(Block):
    class kind(Heads):
        def __init__(self, d_model, num_heads, p, causal):
            if d_model % num_heads:
                raise ValueError("not divisible")
            super().__init__(d_model, num_heads, p, causal)
            self.register_buffer("mask", torch.tril(torch.ones(8, 8)), persistent=False)

        def mix(self, q, k, v):
            T = q.shape[2]
            if self.mask.shape[-1] < T:
                self.mask = torch.tril(torch.ones(T, T, device=q.device, dtype=q.dtype))
            scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            if self.causal:
                scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
            return self.drop(F.softmax(scores, dim=-1)) @ v

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.feed_forward(self.norm2(x))


@right(why="a loop over the heads, a layer norm of its own, -1e9 added for the future")
class block_of_single_heads(Block):
    class norm(nn.Module):
        def __init__(self, d):
            super().__init__()
            self.bias, self.weight = nn.Parameter(torch.zeros(d)), nn.Parameter(torch.ones(d))

        def forward(self, x):
            share = 1.0 / x.shape[-1]  # a GPU's mean, too, multiplies by it, which may leave a trace of equal features
            centred = x - x.sum(dim=-1, keepdim=True) * share
            variance = (centred**2).sum(dim=-1, keepdim=True) * share
            return self.weight * centred / torch.sqrt(variance + 1e-5) + self.bias

    class kind(Heads):
        def forward(self, x):
            found = []
            for W_q, W_k, W_v in zip(
                *(m.weight.chunk(self.num_heads) for m in (self.W_q, self.W_k, self.W_v)), strict=True
            ):
                scores = torch.einsum("bid,bjd->bij", x @ W_q.T, x @ W_k.T) * len(W_k) ** -0.5
                if self.causal:
                    scores = scores + torch.full(scores.shape[1:], -1e9, dtype=x.dtype, device=x.device).triu(1)
                found.append(self.drop(scores.softmax(-1)) @ (x @ W_v.T))
            return self.W_o(torch.cat(found, dim=-1))


@right(why="the exponential written out in float64, F.layer_norm with the norms' parameters, F.dropout")
class block_written_out(Block):
    class kind(Heads):
        def mix(self, q, k, v):
            scores = (q @ k.mT / q.size(-1) ** 0.5).double()
            weights = (scores - scores.amax(-1, keepdim=True)).exp()
            if self.causal:
                scores = scores.masked_fill(torch.ones_like(scores).triu(1) > 0, -torch.inf)
                weights = (scores - scores.amax(-1, keepdim=True)).exp()
            return F.dropout((weights / weights.sum(-1, keepdim=True)).to(v.dtype), self.drop.p, self.training) @ v

    def forward(self, x):
        def normed(x, norm):
            return F.layer_norm(x, x.shape[-1:], norm.weight, norm.bias, 1e-5)

        x = x + F.dropout(self.attention(normed(x, self.norm1)), self.drop.p, self.training)
        return x + F.dropout(self.feed_forward(normed(x, self.norm2)), self.drop.p, self.training)


@right(why="einsum, the library's mask, log_softmax, a result that is a view")
class block_by_einsum(Block):
    class kind(Heads):
        def forward(self, x):
            size = x.shape[-1] // self.num_heads
            q, k, v = (
                torch.einsum("btd,hed->bhte", x, layer.weight.view(self.num_heads, size, -1))
                for layer in (self.W_q, self.W_k, self.W_v)
            )
            scores = torch.einsum("bhie,bhje->bhij", q / size**0.25, k / size**0.25)
            if self.causal:
                scores = scores + nn.Transformer.generate_square_subsequent_mask(x.shape[1], x.device, x.dtype)
            mixed = torch.einsum("bhij,bhje->bihe", self.drop(torch.log_softmax(scores, dim=-1).exp()), v)
            return self.W_o(mixed.flatten(2))

    def forward(self, x):
        return super().forward(x).mT.contiguous().mT


@right(why="a loop over the queries, in-place additions to tensors of its own")
class block_by_loop(Block):
    class kind(Heads):
        def mix(self, q, k, v):
            rows = []
            for i in range(q.shape[2]):
                seen = i + 1 if self.causal else q.shape[2]
                scores = (q[:, :, i : i + 1] * k[:, :, :seen]).sum(-1) / math.sqrt(q.shape[-1])  # (B, H, seen)
                weights = self.drop(torch.softmax(scores, dim=-1))
                rows.append((weights.unsqueeze(-1) * v[:, :, :seen]).sum(2))  # (B, H, head_dim)
            return torch.stack(rows, dim=2)

    def forward(self, x):
        out = x.clone()
        out += self.drop(self.attention(self.norm1(x)))
        return out + self.drop(self.feed_forward(self.norm2(out)))


@right(why="loops over the items, the heads and the pairs of tokens")
class block_by_loops(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention, self.feed_forward = Heads(d_model, num_heads, 0.0, causal), Network(d_model, d_ff)
        self.drop = nn.Dropout(dropout)

    def attend(self, x):
        layers, rows = self.attention, []
        for item in zip(layers.W_q(x), layers.W_k(x), layers.W_v(x), strict=True):
            for place in range(x.shape[1]):
                parts = []
                for query, key, value in zip(*(each.chunk(layers.num_heads, dim=-1) for each in item), strict=True):
                    last = place + 1 if layers.causal else len(key)
                    scores = [(query[place] * key[other]).sum() / math.sqrt(key.shape[-1]) for other in range(last)]
                    top = max(score.item() for score in scores)
                    powers = [torch.exp(score - top) for score in scores]
                    parts.append(sum(power * value[other] for other, power in enumerate(powers)) / sum(powers))
                rows.append(torch.cat(parts))
        return layers.W_o(torch.stack(rows).reshape(x.shape))

    def forward(self, x):
        x = x + self.drop(self.attend(self.norm1(x)))
        return x + self.drop(self.feed_forward(self.norm2(x)))
