# %%
import math

import torch
from torch import nn
from torch.nn import functional as F

from grader import check

# %%
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads != 0:
        raise ValueError(f"{d_model} features cannot be shared equally by {num_heads} heads")
    blocks = x.reshape(B, T, num_heads, d_model // num_heads)  # (B, T, H, head_dim)
    return blocks


# %%
check("split_heads")


# %%
def merge_heads(x):
    B, H, T, head_dim = x.shape
    tokens_first = x.transpose(1, 2).contiguous()  # (B, T, H, head_dim)
    return tokens_first.view(B, T, H * head_dim)  # (B, T, d_model)


# %%
check("merge_heads")


# %%
def multi_head_scores(queries, keys):
    return queries @ keys.transpose(-2, -1)  # (..., H, T, T)


# %%
check("multi_head_scores")


# %%
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)  # (..., Tq, Tk)
    return weights @ value, weights  # (..., Tq, dv), (..., Tq, Tk)


# %%
check("scaled_dot_product_attention")


# %%
def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    T, d_model = x.shape[-2:]
    if d_model % num_heads != 0:
        raise ValueError(f"{d_model} features cannot be shared equally by {num_heads} heads")
    head_dim = d_model // num_heads

    def heads(projected):
        return projected.unflatten(-1, (num_heads, head_dim)).transpose(-3, -2)  # (..., H, T, head_dim)

    queries, keys, values = heads(x @ W_Q), heads(x @ W_K), heads(x @ W_V)
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(head_dim)  # (..., H, T, T)
    if causal:
        future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)  # (T, T)
        scores = scores.masked_fill(future, float("-inf"))
    context = torch.softmax(scores, dim=-1) @ values  # (..., H, T, head_dim)
    return context.transpose(-3, -2).flatten(-2) @ W_O  # (..., T, d_model)


# %%
check("multi_head_attention")


# %%
class ScaledDotProductAttention(nn.Module):

    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, Q, K, V, mask=None):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])  # (B, Tq, Tk)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))  # (B, Tq, Tk)
        return weights @ V, weights  # (B, Tq, dv), (B, Tq, Tk)


# %%
check("ScaledDotProductAttention")


# %%
class MultiHeadSelfAttention(nn.Module):

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"{d_model} features cannot be shared equally by {num_heads} heads")
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        B, T, d_model = x.shape

        def heads(projected):
            return projected.view(B, T, self.num_heads, self.head_dim).transpose(1, 2)  # (B, H, T, head_dim)

        queries, keys, values = heads(self.W_q(x)), heads(self.W_k(x)), heads(self.W_v(x))
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(self.head_dim)  # (B, H, T, T)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))  # (B, H, T, T)
        merged = (weights @ values).transpose(1, 2).reshape(B, T, d_model)  # (B, T, d_model)
        return self.W_o(merged), weights  # (B, T, d_model), (B, H, T, T)


# %%
check("MultiHeadSelfAttention")


# %%
class SelfAttention(nn.Module):

    def __init__(self, embedding_dim, attention_dim):
        super().__init__()
        self.q = nn.Linear(embedding_dim, attention_dim)
        self.k = nn.Linear(embedding_dim, attention_dim)
        self.v = nn.Linear(embedding_dim, attention_dim)

    def forward(self, x):
        queries, keys, values = self.q(x), self.k(x), self.v(x)  # (B, T, attention_dim)
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])  # (B, T, T)
        weights = F.softmax(scores, dim=-1)  # (B, T, T)
        return weights @ values, weights


class MultiHeadAttention(nn.Module):

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads != 0:
            raise ValueError(f"{embed_dim} features cannot be shared equally by {num_heads} heads")
        self.attentions = nn.ModuleList(SelfAttention(embed_dim, embed_dim // num_heads) for _ in range(num_heads))
        self.fc = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        outputs = [head(x)[0] for head in self.attentions]  # H times (B, T, head_dim)
        return self.fc(torch.cat(outputs, dim=-1))  # (B, T, embed_dim)


# %%
check("MultiHeadAttention")
