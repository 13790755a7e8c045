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
    hint="The scores are divided by the root of the number of heads; take the features of a head.",
    ko="점수를 헤드 수의 제곱근으로 나누었습니다. 한 헤드의 특징 수를 쓰세요.",
)
def mha_by_root_of_heads(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, math.sqrt(num_heads)) @ v) @ W_O


@mistake(
    hint="The scores are divided by head_dim itself; divide by its root.",
    ko="점수를 head_dim으로 나누었습니다. 그 제곱근으로 나누세요.",
)
def mha_by_head_dim(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, x.shape[-1] // num_heads) @ v) @ W_O


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
    hint="Split and merge undo each other but both skip the swap of axes: the heads hold mixed tokens in between.",
    ko="나누기와 합치기가 서로 되돌리지만 둘 다 축을 바꾸지 않아, 그 사이 헤드에 토큰이 섞여 있습니다.",
)
def mha_both_without_transposing(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    *lead, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    q, k, v = ((x @ W).reshape(*lead, num_heads, T, d_model // num_heads) for W in (W_Q, W_K, W_V))
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
    hint="The keys were averaged where the values belong: W_V plays no part.",
    ko="값이 들어갈 자리에 키를 썼습니다. W_V가 쓰이지 않습니다.",
)
def mha_keys_as_values(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, _ = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ k) @ W_O


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
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
def mha_softmax_over_queries(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores), -1e9) if causal else scores
    return joined(torch.softmax(scores, dim=-2) @ v) @ W_O


@mistake(
    marks="slip",
    hint="`causal` is never used: with causal=True later tokens must be hidden.",
    ko="causal을 쓰지 않았습니다. causal=True이면 뒤의 토큰을 가려야 합니다.",
)
def mha_causal_ignored(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, False) @ v) @ W_O


@mistake(
    hint="The future is hidden even where causal is False.",
    ko="causal이 False일 때도 미래를 가렸습니다.",
)
def mha_always_causal(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, True) @ v) @ W_O


@mistake(
    hint="The past is hidden instead of the future: take the other triangle.",
    ko="미래 대신 과거를 가렸습니다. 반대쪽 삼각형을 쓰세요.",
)
def mha_past_hidden(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores).T, float("-inf")) if causal else scores
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


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
    hint="Scores multiplied by 0 are still exponentiated to 1: hide with -inf, not with a product.",
    ko="0을 곱한 점수도 지수를 취하면 1입니다. 곱하지 말고 -inf로 가리세요.",
)
def mha_mask_multiplied(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.tril() if causal else scores
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
    hint="The input was added to the output; that residual belongs to the block around the attention.",
    ko="출력에 입력을 더했습니다. 그 잔차 연결은 어텐션 바깥의 블록에 속합니다.",
)
def mha_residual_added(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return x + joined(weights_of(q, k, causal) @ v) @ W_O


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
    hint="A fill of -100 is not low enough: visible scores can lie below it. Use -inf.",
    ko="-100은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
def mha_fill_of_minus_100(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores), -100.0) if causal else scores
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@mistake(
    hint="Where the batch is as large as the number of heads, items and heads are mixed up.",
    ko="배치 크기와 헤드 수가 같으면 배치 항목과 헤드가 뒤섞입니다.",
)
def mha_batch_taken_for_heads(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    if x.dim() == 3 and len(x) == num_heads:
        k = k.transpose(0, 1)
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    hint="W_O is used transposed, as nn.Linear stores it; here it is merged @ W_O.",
    ko="W_O를 nn.Linear가 저장하듯 전치해서 썼습니다. 여기서는 merged @ W_O입니다.",
)
def mha_output_matrix_transposed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ v) @ W_O.T


@mistake(
    hint="W_Q, W_K and W_V are used transposed, as nn.Linear stores them; here it is x @ W.",
    ko="W_Q, W_K, W_V를 nn.Linear가 저장하듯 전치해서 썼습니다. 여기서는 x @ W입니다.",
)
def mha_input_matrices_transposed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q.T, W_K.T, W_V.T, num_heads)
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    hint="W_O stands on the left, so tokens are mixed instead of features: merged @ W_O.",
    ko="W_O가 왼쪽에 있어 특징이 아니라 토큰이 섞입니다. merged @ W_O입니다.",
)
def mha_output_matrix_on_the_left(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return W_O @ joined(weights_of(q, k, causal) @ v)


@mistake(
    hint="The split takes every H-th feature while the merge joins blocks: head h owns neighbouring columns.",
    ko="나눌 때는 H칸씩 건너뛴 특징을 모으고 합칠 때는 덩어리로 이었습니다. 헤드 h는 이웃한 열을 갖습니다.",
)
def mha_split_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    def cut(projection):
        if x.shape[-1] % num_heads:
            raise ValueError("not divisible")
        return projection.unflatten(-1, (-1, num_heads)).movedim(-1, -3)

    return joined(weights_of(cut(x @ W_Q), cut(x @ W_K), causal) @ cut(x @ W_V)) @ W_O


@mistake(
    hint="Only the queries are split feature by feature; all three have to be cut into the same blocks.",
    ko="쿼리만 특징을 건너뛰며 나누었습니다. 셋 모두 같은 덩어리로 나누세요.",
)
def mha_queries_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    _, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    q = (x @ W_Q).unflatten(-1, (-1, num_heads)).movedim(-1, -3)
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    hint="Only the keys are split feature by feature; all three have to be cut into the same blocks.",
    ko="키만 특징을 건너뛰며 나누었습니다. 셋 모두 같은 덩어리로 나누세요.",
)
def mha_keys_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, _, v = projected(x, W_Q, W_K, W_V, num_heads)
    k = (x @ W_K).unflatten(-1, (-1, num_heads)).movedim(-1, -3)
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    hint="Only the values are split feature by feature; all three have to be cut into the same blocks.",
    ko="값만 특징을 건너뛰며 나누었습니다. 셋 모두 같은 덩어리로 나누세요.",
)
def mha_values_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, _ = projected(x, W_Q, W_K, W_V, num_heads)
    v = (x @ W_V).unflatten(-1, (-1, num_heads)).movedim(-1, -3)
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    hint="The heads are merged in reverse order: head 0 comes first.",
    ko="헤드를 거꾸로 이었습니다. 0번 헤드가 먼저입니다.",
)
def mha_heads_reversed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined((weights_of(q, k, causal) @ v).flip(-3)) @ W_O


@mistake(
    hint="The heads are averaged and the mean repeated; they are to stand side by side.",
    ko="헤드를 평균 내어 되풀이했습니다. 헤드를 나란히 이으세요.",
)
def mha_heads_averaged(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    mean = (weights_of(q, k, causal) @ v).mean(-3)
    return torch.cat([mean] * num_heads, dim=-1) @ W_O


@mistake(
    hint="The tokens themselves are mixed; W_V plays no part.",
    ko="토큰을 그대로 섞었습니다. W_V가 쓰이지 않았습니다.",
)
def mha_tokens_as_values(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, _ = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ heads_of(x, num_heads)) @ W_O


@mistake(
    hint="W_O is multiplied onto the values before they are mixed; it belongs after the heads are merged.",
    ko="값을 섞기 전에 W_O를 곱했습니다. 헤드를 합친 뒤에 곱하세요.",
)
def mha_output_matrix_before_mixing(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V @ W_O, num_heads)
    return joined(weights_of(q, k, causal) @ v)


@mistake(
    hint="masked_fill takes a bool mask: give the triangle of ones dtype=torch.bool.",
    ko="masked_fill은 bool 마스크를 받습니다. 1로 된 삼각형에 dtype=torch.bool을 주세요.",
)
def mha_mask_of_numbers(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if causal:
        scores = scores.masked_fill(future_of(scores).float(), float("-inf"))
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@mistake(
    hint="Only the first head hides the future; all heads have to.",
    ko="첫 헤드만 미래를 가렸습니다. 모든 헤드가 가려야 합니다.",
)
def mha_mask_of_first_head(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    seen, causal_ones = weights_of(q, k, False), weights_of(q, k, causal)
    weights = torch.cat([causal_ones[..., :1, :, :], seen[..., 1:, :, :]], dim=-3)
    return joined(weights @ v) @ W_O


@mistake(
    hint="Heads and tokens do not change places before the merge, so tokens hold parts of other tokens.",
    ko="합치기 전에 헤드와 토큰의 자리를 바꾸지 않아 토큰에 다른 토큰의 값이 들어갑니다.",
    twins=("mha_merge_without_transposing",),
)
def mha_merged_by_reshape(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return (weights_of(q, k, causal) @ v).reshape(x.shape) @ W_O


@mistake(
    hint="The weights are cut off (detach, .data, NumPy) where causal is True: W_Q and W_K get no gradient.",
    ko="causal=True이면 가중치가 끊겨(detach, .data, NumPy) W_Q와 W_K에 기울기가 닿지 않습니다.",
)
def mha_cut_off_where_causal(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    weights = weights_of(q, k, causal)
    return joined((weights.detach() if causal else weights) @ v) @ W_O


@mistake(
    hint="The mask is made for 64 tokens at most; make it as long as the sequence is.",
    ko="마스크가 최대 64개의 토큰용입니다. 시퀀스 길이에 맞추어 만드세요.",
)
def mha_mask_of_fixed_size(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    queries, keys, values = projected(x, W_Q, W_K, W_V, num_heads)
    scores = queries @ keys.mT / math.sqrt(queries.shape[-1])
    T = scores.shape[-1]
    if causal:
        scores[..., :64, :64].masked_fill_(torch.ones(64, 64).triu(1).bool()[:T, :T], float("-inf"))
    return joined(torch.softmax(scores, dim=-1) @ values) @ W_O


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


@mistake(
    hint="Each token goes through the matrices alone: none looks at another one.",
    ko="토큰마다 행렬만 곱합니다. 다른 토큰을 보지 않습니다.",
    marks="trivial",
)
def mha_each_token_alone(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    return joined(projected(x, W_Q, W_K, W_V, num_heads)[2]) @ W_O
