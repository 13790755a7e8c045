"""Everything right in another style: loops over heads, chunk and cat, einsum, additive masks, functional dropout."""

import math

import torch
import torch.nn.functional as F
from torch import nn


# %%
def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("the features do not go into the heads")
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


def merge_heads(x):
    return torch.cat([x[:, head] for head in range(x.shape[1])], dim=-1)


def multi_head_scores(queries, keys):
    return torch.einsum("...qd,...kd->...qk", queries, keys)


# %%
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", query / query.shape[-1] ** 0.5, key)
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(mask.bool().logical_not(), -1e9)
    weights = F.softmax(scores, dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


# %%
def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("the features do not go into the heads")
    outputs = []
    for q, k, v in zip(*((x @ W).chunk(num_heads, dim=-1) for W in (W_Q, W_K, W_V))):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if causal:
            visible = torch.ones_like(scores).tril().bool()
            scores = torch.where(visible, scores, torch.finfo(scores.dtype).min)
        outputs.append(scores.softmax(-1) @ v)
    return torch.cat(outputs, dim=-1) @ W_O


# %%
class ScaledDotProductAttention(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.p = dropout

    def forward(self, Q, K, V, mask=None):
        scores = Q.bmm(K.transpose(1, 2)).div(Q.size(-1) ** 0.5)
        if mask is not None:
            scores = scores.masked_fill(~mask.bool(), float("-inf"))
        weights = F.dropout(scores.softmax(-1), self.p, training=self.training)
        return weights.bmm(V), weights


# %%
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        assert d_model % num_heads == 0, "the features do not go into the heads"
        self.H = num_heads
        self.drop = nn.Dropout(dropout)
        for name in ("W_o", "W_v", "W_k", "W_q"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = (layer(x).reshape(B, T, self.H, -1).permute(0, 2, 1, 3) for layer in (self.W_q, self.W_k, self.W_v))
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * (D // self.H) ** -0.5
        if mask is not None:
            scores = torch.where(mask.bool(), scores, torch.tensor(float("-inf"), dtype=scores.dtype))
        weights = self.drop(scores.softmax(dim=-1))
        context = torch.einsum("bhqk,bhkd->bqhd", weights, v).flatten(2)
        return self.W_o(context), weights


# %%
class Head(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.v, self.k, self.q = nn.Linear(d, h), nn.Linear(d, h), nn.Linear(d, h)

    def forward(self, x):
        return (self.q(x) @ self.k(x).mT / self.q.out_features**0.5).softmax(-1) @ self.v(x)


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("the features do not go into the heads")
        self.fc = nn.Linear(embed_dim, embed_dim)
        self.attentions = nn.ModuleList([Head(embed_dim, embed_dim // num_heads) for _ in range(num_heads)])

    def forward(self, x):
        return self.fc(torch.cat([head(x) for head in self.attentions], -1))
