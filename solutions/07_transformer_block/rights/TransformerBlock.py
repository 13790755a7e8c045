"""Right answers to `TransformerBlock` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, right


@helper
def heads_of(projected, num_heads):
    return projected.unflatten(-1, (num_heads, -1)).transpose(1, 2)


@helper
def joined(context):
    return context.transpose(1, 2).flatten(2)


@helper
class Block(nn.Module):
    bias = False

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads, self.causal = num_heads, causal
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=self.bias) for _ in range(4))
        self.widen, self.narrow = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def projected(self, x):
        return tuple(heads_of(layer(x), self.num_heads) for layer in (self.W_q, self.W_k, self.W_v))

    def scores(self, q, k):
        return q @ k.mT / math.sqrt(q.shape[-1])

    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return scores.masked_fill(future, float("-inf")) if self.causal else scores

    def weigh(self, scores):
        return torch.softmax(self.hide(scores), dim=-1)

    def attend(self, x):
        q, k, v = self.projected(x)
        return self.W_o(joined(self.weigh(self.scores(q, k)) @ v))

    def feed(self, x):
        return self.narrow(torch.relu(self.widen(x)))

    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(self.norm2(x)))


@right(
    why="modules of its own for the parts, biases everywhere, dropout in four places, a mask that grows",
)
class block_of_modules(nn.Module):
    class Heads(nn.Module):
        def __init__(self, d_model, num_heads, p, causal):
            super().__init__()
            assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
            self.num_heads, self.causal = num_heads, causal
            self.qkv = nn.Linear(d_model, 3 * d_model)
            self.proj = nn.Linear(d_model, d_model)
            self.attn_drop, self.proj_drop = nn.Dropout(p), nn.Dropout(p)
            self.register_buffer("mask", torch.tril(torch.ones(1024, 1024)).view(1, 1, 1024, 1024), persistent=False)

        def forward(self, x):
            B, T, d = x.shape
            if self.mask.shape[-1] < T:
                self.mask = torch.tril(torch.ones(T, T, device=x.device)).view(1, 1, T, T)
            q, k, v = self.qkv(x).reshape(B, T, 3, self.num_heads, d // self.num_heads).permute(2, 0, 3, 1, 4)
            scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            if self.causal:
                scores = scores.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
            weights = self.attn_drop(F.softmax(scores, dim=-1))
            return self.proj_drop(self.proj((weights @ v).transpose(1, 2).contiguous().view(B, T, d)))

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        self.ln_1 = nn.LayerNorm(d_model)
        self.attn = self.Heads(d_model, num_heads, dropout, causal)
        self.ln_2 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model), nn.Dropout(dropout)
        )

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


@right(why="one module for each head, dropout on the weights alone, a layer norm of its own")
class block_of_heads(nn.Module):
    class Norm(nn.Module):
        def __init__(self, d):
            super().__init__()
            self.beta, self.gamma = nn.Parameter(torch.zeros(1, 1, d)), nn.Parameter(torch.ones(1, 1, d))

        def forward(self, x):
            centred = x - x.mean(dim=-1, keepdim=True)
            return self.gamma * centred / torch.sqrt((centred**2).mean(dim=-1, keepdim=True) + 1e-6) + self.beta

    class Head(nn.Module):
        def __init__(self, d, size, p, causal):
            super().__init__()
            self.value, self.key, self.query = (nn.Linear(d, size, bias=False) for _ in range(3))
            self.drop, self.causal = nn.Dropout(p), causal

        def forward(self, x):
            scores = torch.einsum("bid,bjd->bij", self.query(x), self.key(x)) * self.key.out_features**-0.5
            if self.causal:
                scores = scores + torch.full(scores.shape[1:], -1e9, dtype=x.dtype, device=x.device).triu(1)
            return self.drop(scores.softmax(-1)) @ self.value(x)

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.second, self.first = nn.Linear(d_ff, d_model), nn.Linear(d_model, d_ff)
        self.mix = nn.Linear(d_model, d_model)
        size = d_model // num_heads
        self.heads = nn.ModuleList([self.Head(d_model, size, dropout, causal) for _ in range(num_heads)])
        self.after, self.before = self.Norm(d_model), self.Norm(d_model)

    def forward(self, x):
        y = self.before(x)
        x = x + self.mix(torch.cat([head(y) for head in self.heads], dim=-1))
        return x + self.second(self.first(self.after(x)).clamp(min=0))


@right(why="plain matrices multiplied from the right, queries, keys and values of a head side by side")
class block_of_matrices(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.h, self.p, self.causal = num_heads, dropout, causal
        self.W = nn.Parameter(torch.randn(d_model, 3 * d_model) / d_model**0.5)
        self.W_out = nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model, eps=1e-6) for _ in range(2))
        self.ff = nn.ModuleList([nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)])

    def forward(self, x):
        q, k, v = (self.norms[0](x) @ self.W).unflatten(-1, (self.h, -1)).transpose(1, 2).chunk(3, dim=-1)
        scores = (q @ k.mT / q.size(-1) ** 0.5).double()
        weights = (scores - scores.amax(-1, keepdim=True)).exp()
        if self.causal:
            weights = weights.tril()
        weights = (weights / weights.sum(-1, keepdim=True)).to(x.dtype)
        attended = (weights @ v).transpose(1, 2).flatten(2) @ self.W_out
        x = x + F.dropout(attended, self.p, self.training)
        return x + self.ff[1](
            F.dropout(
                F.relu(self.ff[0](F.layer_norm(x, x.shape[-1:], *self.norms[1].parameters()))), self.p, self.training
            )
        )


@right(why="a layer for each head, every second of them with a bias")
class block_of_uneven_heads(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        size = d_model // num_heads
        self.scale, self.causal = size**-0.5, causal
        self.heads = nn.ModuleList(nn.Linear(d_model, 3 * size, bias=bool(h % 2)) for h in range(num_heads))
        self.out = nn.Linear(d_model, d_model)
        self.n1, self.n2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.l1, self.l2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        y, found = self.n1(x), []
        for head in self.heads:
            q, k, v = head(y).chunk(3, dim=-1)
            scores = q @ k.mT * self.scale
            if self.causal:
                scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
            found.append(self.drop(scores.softmax(-1)) @ v)
        x = x + self.out(torch.cat(found, dim=-1))
        return x + self.drop(self.l2(self.drop(self.l1(self.n2(x)).relu())))


@right(why="biases of queries, keys and values in the rows of one matrix")
class block_with_biases_in_rows(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.rows = nn.Parameter(torch.zeros(3, d_model))

    def projected(self, x):
        layers = zip((self.W_q, self.W_k, self.W_v), self.rows, strict=True)
        return tuple(heads_of(layer(x) + row, self.num_heads) for layer, row in layers)


@right(why="one fused map whose bias is kept by head")
class block_with_biases_by_head(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.heads, self.causal = num_heads, causal
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.b = nn.Parameter(torch.zeros(3, num_heads, d_model // num_heads))
        self.proj = nn.Linear(d_model, d_model)
        self.ln_1, self.ln_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model), nn.Dropout(dropout))

    def forward(self, x):
        B, T, C = x.shape
        parts = self.qkv(self.ln_1(x)).view(B, T, 3, self.heads, C // self.heads) + self.b
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) * (C // self.heads) ** -0.5
        if self.causal:
            scores = scores.masked_fill(torch.ones(T, T, device=x.device).tril() == 0, float("-inf"))
        x = x + self.proj((F.softmax(scores, dim=-1) @ v).transpose(1, 2).reshape(B, T, C))
        return x + self.mlp(self.ln_2(x))


@right(
    why="interleaved heads, keys and values in one layer, the library's mask, a bias on the last map",
)
class block_of_interleaved_heads(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads, self.causal = num_heads, causal
        self.to_kv = nn.Linear(d_model, 2 * d_model, bias=False)
        self.to_q = nn.Linear(d_model, d_model, bias=False)
        self.to_out = nn.Sequential(nn.Linear(d_model, d_model), nn.Dropout(dropout))
        self.norm_b, self.norm_a = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.net = nn.Sequential(nn.Linear(d_model, d_ff), nn.Dropout(dropout), nn.ReLU(), nn.Linear(d_ff, d_model))

    def forward(self, x):
        residual = x
        y = self.norm_a(x)
        q, k, v = (part.unflatten(-1, (-1, self.num_heads)) for part in (self.to_q(y), *self.to_kv(y).chunk(2, -1)))
        scores = torch.einsum("bidh,bjdh->bhij", q, k) / math.sqrt(q.shape[2])
        if self.causal:
            scores = scores + nn.Transformer.generate_square_subsequent_mask(x.shape[1], x.device, x.dtype)
        y = torch.einsum("bhij,bjdh->bidh", torch.softmax(scores, dim=-1), v).flatten(2)
        residual = residual + self.to_out(y)
        return residual + self.net(self.norm_b(residual))


@right(why="three-dimensional parameters for the heads, log_softmax, a result that is a view")
class block_of_einsum_heads(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        assert not d_model % num_heads
        size = d_model // num_heads
        self.query, self.key, self.value = (nn.Parameter(torch.randn(num_heads, d_model, size) * 0.1) for _ in range(3))
        self.out = nn.Parameter(torch.randn(num_heads, size, d_model) * 0.1)
        self.out_bias = nn.Parameter(torch.zeros(d_model))
        self.l1, self.l2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.n1, self.n2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout) if dropout else nn.Identity()
        self.causal = causal

    def forward(self, x):
        y = self.n1(x)
        q, k, v = (torch.einsum("btd,hde->bhte", y, part) for part in (self.query, self.key, self.value))
        scores = torch.einsum("bhie,bhje->bhij", q / q.shape[-1] ** 0.25, k / q.shape[-1] ** 0.25)
        if self.causal:
            order = torch.arange(x.shape[1], device=x.device)
            scores = torch.where(order[:, None] >= order, scores, torch.finfo(x.dtype).min)
        weights = torch.log_softmax(scores, dim=-1).exp()
        x = x + self.drop(torch.einsum("bhij,bhje,hed->bid", weights, v, self.out) + self.out_bias)
        return (x + self.drop(self.l2(self.l1(self.n2(x)).relu_()))).mT.contiguous().mT


@right(why="a loop over the queries, its own norm, in-place additions to tensors of its own")
class block_by_loop(Block):
    bias = True

    def attend(self, x):
        q, k, v = self.projected(x)
        rows = []
        for i in range(x.shape[1]):
            seen = i + 1 if self.causal else x.shape[1]
            scores = (q[:, :, i : i + 1] * k[:, :, :seen]).sum(-1) / math.sqrt(q.shape[-1])  # (B, H, seen)
            rows.append((torch.softmax(scores, dim=-1).unsqueeze(-1) * v[:, :, :seen]).sum(2))  # (B, H, head_dim)
        return self.W_o(torch.stack(rows, dim=1).flatten(2))

    def forward(self, x):
        out = x.clone()
        out += self.dropout(self.attend(self.norm1(x)))
        return out + self.dropout(self.feed(self.norm2(out)))
