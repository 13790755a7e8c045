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
def hidden_by(scores, hidden, causal, fill=float("-inf")):
    return scores.masked_fill(hidden, fill) if causal else scores


@helper
def weights_of(queries, keys, causal, divisor=None, fill=float("-inf"), dim=-1, diagonal=1):
    scores = queries @ keys.mT / (math.sqrt(queries.shape[-1]) if divisor is None else divisor)
    return torch.softmax(hidden_by(scores, future_of(scores, diagonal), causal, fill), dim=dim)


@helper
def projected(x, W_Q, W_K, W_V, num_heads):
    return heads_of(x @ W_Q, num_heads), heads_of(x @ W_K, num_heads), heads_of(x @ W_V, num_heads)


@mistake(hint="Divide by the root of head_dim, not of d_model.", ko="head_dim의 제곱근으로 나누세요.", marks="slip")
def mha_by_root_of_d_model(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, math.sqrt(x.shape[-1])) @ v) @ W_O


@mistake(
    hint="Divide by the root of head_dim, not by head_dim.",
    ko="head_dim이 아니라 그 제곱근으로 나누세요.",
    marks="slip",
)
def mha_by_head_dim(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, q.shape[-1]) @ v) @ W_O


@mistake(hint="Divide the scores by the root of head_dim.", ko="점수를 head_dim의 제곱근으로 나누세요.", marks="slip")
def mha_no_scaling(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, 1) @ v) @ W_O


@mistake(hint="Cut the features into heads first, then swap axes.", ko="먼저 헤드로 나누고 축을 바꾸세요.")
def mha_split_straight_to_heads(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    *lead, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    q, k, v = ((x @ W).reshape(*lead, num_heads, T, d_model // num_heads) for W in (W_Q, W_K, W_V))
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(hint="Move the heads next to the features first.", ko="먼저 헤드를 특징 옆으로 옮기세요.", marks="slip")
def mha_merge_without_transposing(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return (weights_of(q, k, causal) @ v).reshape(x.shape) @ W_O


@mistake(hint="A head takes a block of neighbouring columns.", ko="헤드는 이웃한 열의 블록을 가집니다.")
def mha_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    q, k, v = ((x @ W).unflatten(-1, (-1, num_heads)).movedim(-1, -3) for W in (W_Q, W_K, W_V))
    return (weights_of(q, k, causal) @ v).movedim(-3, -1).flatten(-2) @ W_O


@mistake(hint="The features are never cut into heads.", ko="특징을 헤드로 나누지 않았습니다.")
def mha_one_head(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return weights_of(x @ W_Q, x @ W_K, causal) @ (x @ W_V) @ W_O


@mistake(marks="slip", hint="The output projection W_O is missing.", ko="출력 투영 W_O가 빠졌습니다.")
def mha_no_output_projection(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ v)


@mistake(hint="The matrices are transposed: use x @ W.", ko="행렬이 전치되었습니다. x @ W를 쓰세요.")
def mha_matrices_transposed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q.T, W_K.T, W_V.T, num_heads)
    return joined(weights_of(q, k, causal) @ v) @ W_O.T


@mistake(hint="Queries and keys are swapped: rows are queries.", ko="쿼리와 키가 바뀌었습니다. 행이 쿼리입니다.")
def mha_queries_and_keys_swapped(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(k, q, causal) @ v) @ W_O


@mistake(hint="Take the softmax over keys, not heads.", ko="소프트맥스는 헤드가 아니라 키 방향입니다.", marks="slip")
def mha_softmax_over_heads(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, fill=-1e9, dim=-3) @ v) @ W_O


@mistake(hint="The diagonal is hidden too: row 0 is NaN.", ko="대각선까지 가려 첫 행이 NaN입니다.")
def mha_diagonal_hidden(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, diagonal=0) @ v) @ W_O


@mistake(hint="Every token still sees one token of the future.", ko="아직 미래의 토큰 하나를 봅니다.", marks="point")
def mha_one_step_leak(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, diagonal=2) @ v) @ W_O


@mistake(hint="Hide scores before the softmax, so rows sum to 1.", ko="행의 합이 1이 되게 소프트맥스 전에 가리세요.")
def mha_mask_after_softmax(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    weights = weights_of(q, k, False)
    return joined((weights.tril() if causal else weights) @ v) @ W_O


@mistake(hint="Raise ValueError if features don't divide evenly.", ko="나누어떨어지지 않으면 ValueError를 내세요.")
def mha_no_divisibility_check(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    *lead, T, d_model = x.shape
    split = (*lead, T, num_heads, d_model // num_heads)
    q, k, v = ((x @ W).reshape(split).transpose(-3, -2) for W in (W_Q, W_K, W_V))
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(hint="x may have no leading dimension, or two.", ko="앞쪽 차원이 없거나 둘일 수 있습니다.")
def mha_batch_needed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    B, T, d_model = x.shape
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return (weights_of(q, k, causal) @ v).transpose(1, 2).reshape(B, T, d_model) @ W_O


@mistake(hint="Items of the batch see each other: keep them apart.", ko="배치의 항목이 서로 봅니다. 따로 두세요.")
def mha_batch_mixed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x.reshape(-1, x.shape[-1]), W_Q, W_K, W_V, num_heads)
    return (joined(weights_of(q, k, causal) @ v) @ W_O).reshape(x.shape)


@mistake(hint="With detach, queries and keys never learn.", ko="detach로 쿼리와 키를 배우지 못합니다.", marks="point")
def mha_weights_detached(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal).detach() @ v) @ W_O


@mistake(hint="`W_Q /= ...` changes the caller's matrix.", ko="`W_Q /= ...`는 받은 행렬을 바꿉니다.", marks="point")
def mha_matrix_scaled_in_place(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    W_Q /= math.sqrt(x.shape[-1] // num_heads)
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, 1) @ v) @ W_O


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
def mha_into_float32(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    merged = torch.zeros(x.shape)
    merged[:] = joined(weights_of(q, k, causal) @ v)
    return merged @ W_O.float()


@mistake(hint="The library does the attention; write it yourself.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
def mha_by_library(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    return joined(F.scaled_dot_product_attention(*projected(x, W_Q, W_K, W_V, num_heads), is_causal=causal)) @ W_O


@mistake(hint="Queries and keys are never compared.", ko="쿼리와 키를 비교하지 않습니다.", marks="trivial")
def mha_even_shares(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(torch.zeros_like(q), k, causal) @ v) @ W_O


@mistake(hint="Divide the scores by the root, not the values.", ko="값이 아니라 점수를 나누세요.")
def mha_values_divided(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, 1) @ v) / math.sqrt(q.shape[-1]) @ W_O


@mistake(hint="The argument `causal` is not used.", ko="인자 causal을 쓰지 않았습니다.")
def mha_never_causal(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, False) @ v) @ W_O


@mistake(hint="The argument `causal` is not used.", ko="인자 causal을 쓰지 않았습니다.")
def mha_always_causal(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, True) @ v) @ W_O


@mistake(hint="The past is hidden: the mask is transposed.", ko="마스크가 전치되어 과거를 가립니다.")
def mha_past_hidden(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return joined(torch.softmax(hidden_by(scores, future_of(scores).mT, causal), dim=-1) @ v) @ W_O


@mistake(hint="A hidden score of 0 still gets weight: use -inf.", ko="점수 0도 가중치를 받습니다. -inf를 쓰세요.")
def mha_hidden_scores_of_zero(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return joined(torch.softmax(scores.tril() if causal else scores, dim=-1) @ v) @ W_O


@mistake(marks="point", hint="Visible scores can be lower: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
def mha_fill_of_minus_100(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, fill=-100.0) @ v) @ W_O


@mistake(hint="The tokens are moved to the CPU.", ko="토큰을 CPU로 옮겼습니다.", marks="device")
def mha_tokens_on_the_cpu(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x.cpu(), W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(hint="The heads are reversed: head 0 comes first.", ko="순서가 거꾸로입니다. 0번이 먼저입니다.")
def mha_heads_reversed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined((weights_of(q, k, causal) @ v).flip(-3)) @ W_O


@mistake(hint="Merge the heads block by block, not interleaved.", ko="헤드를 섞지 말고 차례로 이으세요.")
def mha_merged_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return (weights_of(q, k, causal) @ v).movedim(-3, -1).flatten(-2) @ W_O


@mistake(hint="Cut first, then swap axes; merge likewise.", ko="나눈 뒤 축을 바꾸고, 합칠 때도 그렇게 하세요.")
def mha_split_and_merged_straight(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = ((x @ W).reshape(*x.shape[:-2], num_heads, x.shape[-2], -1) for W in (W_Q, W_K, W_V))
    return (weights_of(q, k, causal) @ v).reshape(x.shape) @ W_O


@mistake(hint="W_O is transposed: use merged @ W_O.", ko="W_O가 전치되었습니다. merged @ W_O를 쓰세요.")
def mha_output_projection_transposed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ v) @ W_O.T


@mistake(hint="Take the softmax over keys, not queries.", ko="소프트맥스는 쿼리가 아니라 키 방향입니다.")
def mha_softmax_over_queries(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, dim=-2) @ v) @ W_O


@mistake(hint="The keys are where the values belong.", ko="값의 자리에 키를 썼습니다.")
def mha_keys_as_values(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, _ = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ k) @ W_O


@mistake(hint="Queries meet queries: no key is used.", ko="쿼리끼리 비교해 키가 쓰이지 않습니다.")
def mha_queries_with_queries(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, _, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, q, causal) @ v) @ W_O


@mistake(hint="One matrix is used in all three roles.", ko="행렬 하나를 세 역할에 모두 썼습니다.", marks="slip")
def mha_one_matrix_in_all_roles(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q = heads_of(x @ W_Q, num_heads)
    return joined(weights_of(q, q, causal) @ q) @ W_O


@mistake(hint="The weights are transposed: rows are queries.", ko="가중치가 전치되었습니다. 행이 쿼리입니다.")
def mha_weights_transposed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal).mT @ v) @ W_O


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.")
def mha_double_softmax(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(torch.softmax(weights_of(q, k, causal), dim=-1) @ v) @ W_O


@mistake(hint="Every head needs its own weights, not their mean.", ko="평균이 아니라 헤드마다 자기 가중치를 쓰세요.")
def mha_one_averaged_weight(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal).mean(-3, keepdim=True) @ v) @ W_O
