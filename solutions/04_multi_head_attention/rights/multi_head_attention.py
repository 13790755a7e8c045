"""Right answers to `multi_head_attention` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import helper, right


@helper
def heads_of(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


@helper
def joined(heads):
    return heads.transpose(-3, -2).flatten(-2)


@helper
def future_of(scores, diagonal=1):
    T = scores.shape[-1]
    return torch.ones(T, T, dtype=torch.bool, device=scores.device).triu(diagonal)


@helper
def projected(x, W_Q, W_K, W_V, num_heads):
    return heads_of(x @ W_Q, num_heads), heads_of(x @ W_K, num_heads), heads_of(x @ W_V, num_heads)


@right(why="a loop over the heads, each with its columns of the matrices")
def mha_by_loop(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    d_model = x.shape[-1]
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    size = d_model // num_heads
    outputs = []
    for h in range(num_heads):
        columns = slice(h * size, (h + 1) * size)
        scores = x @ W_Q[:, columns] @ (x @ W_K[:, columns]).transpose(-2, -1) / size**0.5
        if causal:
            seen = torch.tril(torch.ones(scores.shape[-2:], device=x.device))
            scores = scores.masked_fill(seen == 0, -1e9)
        outputs.append(F.softmax(scores, dim=-1) @ (x @ W_V[:, columns]))
    return torch.cat(outputs, dim=-1) @ W_O


@right(why="the future hidden by adding -1e9")
def mha_additive_mask(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if causal:
        scores = scores + future_of(scores).to(scores.dtype) * -1e9
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@right(why="einsum throughout, heads never moved")
def mha_by_einsum(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    q, k, v = (torch.einsum("...td,de->...te", x, W).unflatten(-1, (num_heads, -1)) for W in (W_Q, W_K, W_V))
    scores = torch.einsum("...ihd,...jhd->...hij", q, k) / math.sqrt(q.shape[-1])
    if causal:
        T = x.shape[-2]
        scores = scores + torch.full((T, T), float("-inf"), dtype=x.dtype, device=x.device).triu(1)
    context = torch.einsum("...hij,...jhd->...ihd", scores.softmax(-1), v)
    return context.reshape(x.shape) @ W_O


@right(why="bmm over items and heads, float64 inside")
def mha_by_bmm(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    *lead, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    size = d_model // num_heads
    tokens = x.double().reshape(-1, T, d_model)
    flat = [
        (tokens @ W.double()).reshape(-1, T, num_heads, size).transpose(1, 2).reshape(-1, T, size)
        for W in (W_Q, W_K, W_V)
    ]
    scores = torch.bmm(flat[0], flat[1].transpose(1, 2)) / math.sqrt(size)
    if causal:
        places = torch.arange(T, device=x.device)
        scores[:, places[:, None] < places] = float("-inf")
    context = torch.bmm(torch.softmax(scores, 2), flat[2]).reshape(-1, num_heads, T, size)
    return (context.transpose(1, 2).reshape(*lead, T, d_model) @ W_O.double()).to(x.dtype)


@right(why="the output projection taken head by head and summed")
def mha_output_by_head(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    output = torch.zeros_like(x)
    parts = (W.chunk(num_heads, dim=1) for W in (W_Q, W_K, W_V))
    for W_q, W_k, W_v, W_o in zip(*parts, W_O.chunk(num_heads, dim=0), strict=True):
        scores = (x @ W_q) @ (x @ W_k).mT / math.sqrt(W_q.shape[1])
        if causal:
            scores = torch.where(torch.ones_like(scores).tril() > 0, scores, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        output = output + weights @ (x @ W_v) @ W_o
    return output
