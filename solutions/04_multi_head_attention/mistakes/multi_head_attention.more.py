"""More wrong answers to `multi_head_attention`, each with the hint that a student with this answer gets."""

import math

import torch

from grader.course.variants import mistake

from .multi_head_attention import future_of, heads_of, joined, projected


@mistake(
    hint="Visible scores can lie below the fill: use -inf.",
    ko="보이는 점수가 채운 값보다 작을 수 있습니다. -inf를 쓰세요.",
)
def mha_less_a_hundred(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    queries, keys, values = (heads_of(x @ matrix, num_heads) for matrix in (W_Q, W_K, W_V))
    scores = queries @ keys.mT / math.sqrt(queries.shape[-1])
    if causal:
        scores = scores - 100.0 * future_of(scores)
    return joined(torch.softmax(scores, dim=-1) @ values) @ W_O


@mistake(
    marks="point",
    hint="Large scores overflow: subtract the row's maximum.",
    ko="점수가 크면 넘칩니다. 행마다 최댓값을 빼세요.",
)
def mha_plain_exponentials(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    exponentials = (q @ k.mT / math.sqrt(q.shape[-1])).exp()
    exponentials = exponentials.tril() if causal else exponentials
    return joined(exponentials / exponentials.sum(-1, keepdim=True) @ v) @ W_O


@mistake(marks="point", hint="Subtract a row's largest score, not its first.", ko="첫 점수가 아니라 최댓값을 빼세요.")
def mha_less_the_first(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    exponentials = (scores - scores[..., :1]).exp()
    exponentials = exponentials.tril() if causal else exponentials
    return joined(exponentials / exponentials.sum(-1, keepdim=True) @ v) @ W_O
