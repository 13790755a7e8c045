"""Wrong answers to `multi_head_attention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import helper, mistake


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
def weights_of(queries, keys, causal, divisor=None):
    scores = queries @ keys.mT / (math.sqrt(queries.shape[-1]) if divisor is None else divisor)
    return torch.softmax(scores.masked_fill(future_of(scores), float("-inf")) if causal else scores, dim=-1)


@helper
def projected(x, W_Q, W_K, W_V, num_heads):
    return heads_of(x @ W_Q, num_heads), heads_of(x @ W_K, num_heads), heads_of(x @ W_V, num_heads)


@mistake(
    marks="slip",
    hint="The scores are divided by the root of d_model; inside a head only head_dim features are compared.",
    ko="점수를 d_model의 제곱근으로 나누었습니다. 한 헤드 안에서는 head_dim개의 특징만 비교됩니다.",
)
def mha_by_root_of_d_model(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, math.sqrt(x.shape[-1])) @ v) @ W_O


@mistake(
    marks="slip",
    hint="The scores are not divided by the root of head_dim.",
    ko="점수를 head_dim의 제곱근으로 나누지 않았습니다.",
)
def mha_no_scaling(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, 1) @ v) @ W_O


@mistake(
    hint="The features were reshaped straight to (H, T, head_dim), which mixes tokens: cut first, then swap axes.",
    ko="특징을 (H, T, head_dim)으로 바로 reshape하여 토큰이 섞였습니다. 먼저 나누고 축을 바꾸세요.",
)
def mha_split_straight_to_heads(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    *lead, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    q, k, v = ((x @ W).reshape(*lead, num_heads, T, d_model // num_heads) for W in (W_Q, W_K, W_V))
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    marks="slip",
    hint="The heads were merged without moving them next to the features first.",
    ko="헤드 축을 특징 축 옆으로 옮기지 않고 합쳤습니다.",
)
def mha_merge_without_transposing(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return (weights_of(q, k, causal) @ v).reshape(x.shape) @ W_O


@mistake(
    hint="The heads take every H-th feature; head h owns a block of neighbouring columns.",
    ko="헤드가 H칸씩 건너뛴 특징을 가집니다. 헤드는 이웃한 열의 블록을 가져야 합니다.",
)
def mha_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    q, k, v = ((x @ W).unflatten(-1, (-1, num_heads)).movedim(-1, -3) for W in (W_Q, W_K, W_V))
    return (weights_of(q, k, causal) @ v).movedim(-3, -1).flatten(-2) @ W_O


@mistake(
    hint="The features are never cut into heads: this is attention with one head.",
    ko="특징을 헤드로 나누지 않았습니다. 헤드가 하나인 어텐션입니다.",
)
def mha_one_head(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return weights_of(x @ W_Q, x @ W_K, causal) @ (x @ W_V) @ W_O


@mistake(
    marks="slip",
    hint="The output projection W_O is missing.",
    ko="출력 투영 W_O가 빠졌습니다.",
)
def mha_no_output_projection(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ v)


@mistake(
    hint="The matrices are used transposed, as nn.Linear stores them; here it is x @ W.",
    ko="행렬을 nn.Linear가 저장하는 방식처럼 전치해서 썼습니다. 여기서는 x @ W입니다.",
)
def mha_matrices_transposed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q.T, W_K.T, W_V.T, num_heads)
    return joined(weights_of(q, k, causal) @ v) @ W_O.T


@mistake(
    hint="Queries and keys are swapped: row i of the scores belongs to query i.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 i번째 행은 i번째 쿼리의 것입니다.",
)
def mha_queries_and_keys_swapped(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(k, q, causal) @ v) @ W_O


@mistake(
    marks="slip",
    hint="The softmax runs over the heads; it belongs on the keys, the last axis.",
    ko="소프트맥스를 헤드 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
def mha_softmax_over_heads(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores), -1e9) if causal else scores
    return joined(torch.softmax(scores, dim=-3) @ v) @ W_O


@mistake(
    hint="A token's own position is hidden too, so the first token sees nothing (NaN): begin above the diagonal.",
    ko="자기 자신의 자리까지 가려서 첫 토큰은 아무것도 보지 못합니다(NaN). 대각선 위부터 가리세요.",
)
def mha_diagonal_hidden(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores, 0), float("-inf")) if causal else scores
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@mistake(
    marks="slip",
    hint="Every token still sees the one right after it: the mask begins one step too late.",
    ko="토큰이 바로 다음 토큰을 볼 수 있습니다. 마스크가 한 칸 늦게 시작합니다.",
)
def mha_one_step_leak(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores, 2), float("-inf")) if causal else scores
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@mistake(
    hint="Weights set to zero after the softmax leave rows that do not sum to one: hide the scores before it.",
    ko="소프트맥스 뒤에 0으로 만들면 행의 합이 1이 아닙니다. 소프트맥스 전에 점수를 가리세요.",
)
def mha_mask_after_softmax(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    weights = weights_of(q, k, False)
    return joined((weights.tril() if causal else weights) @ v) @ W_O


@mistake(
    hint="Check the divisibility yourself and raise ValueError, before a reshape fails with a message of its own.",
    ko="reshape이 실패하기 전에 나누어떨어지는지 직접 확인하고 ValueError를 일으키세요.",
)
def mha_no_divisibility_check(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    *lead, T, d_model = x.shape
    split = (*lead, T, num_heads, d_model // num_heads)
    q, k, v = ((x @ W).reshape(split).transpose(-3, -2) for W in (W_Q, W_K, W_V))
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    hint="This needs exactly one leading dimension; x may come without one, or with two.",
    ko="앞쪽 차원이 꼭 하나여야만 됩니다. x는 앞쪽 차원이 없거나 둘일 수도 있습니다.",
)
def mha_batch_needed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    B, T, d_model = x.shape
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return (weights_of(q, k, causal) @ v).transpose(1, 2).reshape(B, T, d_model) @ W_O


@mistake(
    hint="Items of the batch see each other: the batch was folded into the tokens.",
    ko="배치의 항목들이 서로를 봅니다. 배치 축이 토큰 축에 합쳐졌습니다.",
)
def mha_batch_mixed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x.reshape(-1, x.shape[-1]), W_Q, W_K, W_V, num_heads)
    return (joined(weights_of(q, k, causal) @ v) @ W_O).reshape(x.shape)


@mistake(
    marks="point",
    hint="The weights were taken as constants: gradients must also flow through them to W_Q and W_K.",
    ko="가중치를 상수로 썼습니다. 기울기가 가중치를 거쳐 W_Q와 W_K까지 흘러야 합니다.",
)
def mha_weights_detached(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal).detach() @ v) @ W_O


@mistake(
    marks="point",
    hint="`W_Q /= ...` changes the caller's matrix, and the next call starts with another one: write `W_Q / ...`.",
    ko="`W_Q /= ...`는 부른 쪽의 행렬을 바꾸어 다음 호출이 다른 행렬로 시작합니다. `W_Q / ...`로 쓰세요.",
)
def mha_matrix_scaled_in_place(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    W_Q /= math.sqrt(x.shape[-1] // num_heads)
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, 1) @ v) @ W_O


@mistake(
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
def mha_into_float32(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    merged = torch.zeros(x.shape)
    merged[:] = joined(weights_of(q, k, causal) @ v)
    return merged @ W_O.float()


@mistake(
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
def mha_by_library(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    return joined(F.scaled_dot_product_attention(*projected(x, W_Q, W_K, W_V, num_heads), is_causal=causal)) @ W_O


@mistake(
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest visible score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
def mha_plain_exponentials(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    exponentials = (q @ k.mT / math.sqrt(q.shape[-1])).exp()
    exponentials = exponentials.tril() if causal else exponentials
    return joined(exponentials / exponentials.sum(-1, keepdim=True) @ v) @ W_O


@mistake(
    hint="Queries and keys are never compared: every value gets the same weight.",
    ko="쿼리와 키를 비교하지 않았습니다. 모든 값이 같은 가중치를 받습니다.",
    marks="trivial",
)
def mha_even_shares(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(torch.zeros_like(q), k, causal) @ v) @ W_O
