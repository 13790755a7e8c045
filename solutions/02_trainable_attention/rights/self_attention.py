"""Right answers to `self_attention` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import right


@right(why="einsum throughout")
def attention_by_einsum(x, W_query, W_key, W_value):
    q, k, v = (torch.einsum("...td,de->...te", x, W) for W in (W_query, W_key, W_value))
    weights = F.softmax(torch.einsum("...ie,...je->...ij", q, k) * q.size(-1) ** -0.5, dim=-1)
    return torch.einsum("...ij,...je->...ie", weights, v)


@right(why="a loop over the queries, the softmax written out")
def attention_by_loop(x, W_query, W_key, W_value):
    k, v = x @ W_key, x @ W_value
    rows = []
    for t in range(x.shape[-2]):
        scores = (k @ (x[..., t, :] @ W_query).unsqueeze(-1)).squeeze(-1) / math.sqrt(k.shape[-1])
        powers = (scores - scores.amax(-1, keepdim=True)).exp()
        rows.append(((powers / powers.sum(-1, keepdim=True)).unsqueeze(-2) @ v).squeeze(-2))
    return torch.stack(rows, dim=-2)


@right(
    why="the matrices of queries and keys multiplied first, the tokens mixed before they are projected",
)
def attention_reordered(x, W_query, W_key, W_value):
    scores = x @ (W_query @ W_key.T / W_key.shape[1] ** 0.5) @ x.mT
    return (scores.softmax(dim=-1) @ x) @ W_value


@right(why="bmm over flattened sequences, float64 inside")
def attention_by_bmm(x, W_query, W_key, W_value):
    flat = x.double().reshape(-1, *x.shape[-2:])
    q, k, v = (flat @ W.double() for W in (W_query, W_key, W_value))
    weights = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[2]), 2)
    return torch.bmm(weights, v).reshape(*x.shape[:-1], W_value.shape[1]).to(x.dtype)


@right(why="queries and keys each divided by the fourth root, log_softmax")
def attention_by_fourth_roots(x, W_query, W_key, W_value):
    root = W_query.shape[1] ** 0.25
    scores = torch.matmul(F.linear(x, W_query.T) / root, (F.linear(x, W_key.T) / root).transpose(-1, -2))
    return torch.matmul(torch.exp(F.log_softmax(scores, -1)), F.linear(x, W_value.T))


@right(why="sequence by sequence, written into a tensor of its own")
def attention_by_sequence(x, W_query, W_key, W_value):
    if x.dim() > 2:
        return torch.stack([attention_by_sequence(sequence, W_query, W_key, W_value) for sequence in x])
    scores = (x @ W_query) @ (x @ W_key).T
    scores *= 1 / math.sqrt(W_key.shape[-1])
    return torch.softmax(scores, 1) @ (x @ W_value)
