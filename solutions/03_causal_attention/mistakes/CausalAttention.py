"""Wrong answers to `CausalAttention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, solution


@helper
def layers_of(module, x):
    """Return queries, keys and values of a sequence that is not too long."""
    if x.shape[1] > len(module.mask):
        raise ValueError("too many tokens")
    return module.W_query(x), module.W_key(x), module.W_value(x)


@helper
def hidden_of(module, scores):
    """Return the part of the module's mask that fits the scores; a new mask where they are too long for it."""
    T = scores.shape[-1]
    return module.mask[:T, :T] if len(module.mask) >= T else torch.ones_like(scores, dtype=torch.bool).triu(1)


@helper
def finished(module, scores, values, hidden=None, fill=float("-inf")):
    """Return the output for scaled scores, the module's mask if no other is given."""
    T = scores.shape[-1]
    hidden = module.mask[:T, :T] if hidden is None else hidden
    return module.dropout(torch.softmax(scores.masked_fill(hidden, fill), dim=-1)) @ values


@mistake(
    marks="slip",
    hint="The scores are not divided by the root of d_out.",
    ko="점수를 d_out의 제곱근으로 나누지 않았습니다.",
)
class module_no_scaling(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / 1
        return finished(self, scores, values)


@mistake(
    marks="slip",
    hint="Nothing is hidden: the mask is never used.",
    ko="가려진 것이 없습니다. 마스크를 쓰지 않았습니다.",
)
class module_not_masked(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, torch.zeros_like(scores) > 0)


@mistake(
    hint="The diagonal is hidden too, so nothing is left for the first token (NaN).",
    ko="대각선까지 가려 첫 토큰에게 남는 것이 없습니다(NaN).",
)
class module_diagonal_hidden(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, torch.ones_like(scores).triu() > 0)


@mistake(
    marks="slip",
    hint="Every token still sees one token of the future.",
    ko="모든 토큰이 아직 미래의 토큰 하나를 봅니다.",
)
class module_one_step_leak(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores).triu(2))


@mistake(
    hint="The past is hidden and the future is not: the mask is transposed.",
    ko="과거를 가리고 미래를 보입니다. 마스크가 전치되었습니다.",
)
class module_past_hidden(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores).mT)


@mistake(
    hint="Only the first item of the batch is masked.",
    ko="배치의 첫 항목만 가려졌습니다.",
)
class module_first_item_alone(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        hidden = hidden_of(self, scores)
        hidden[1:] = False
        return finished(self, scores, values, hidden)


@mistake(
    hint="The whole mask is used, so sequences shorter than the context length fail: cut it to T rows and columns.",
    ko="마스크 전체를 써서 context_length보다 짧은 문장에서 오류가 납니다. T행 T열로 자르세요.",
)
class module_mask_not_sliced(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, self.mask)


@mistake(
    hint="The mask is a parameter; nothing about it is learned, so it belongs into a buffer.",
    ko="마스크가 매개변수입니다. 학습할 것이 없으니 버퍼여야 합니다.",
)
class module_mask_as_parameter(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        del self.mask
        self.mask = nn.Parameter(torch.ones(context_length, context_length).triu(1))

    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        T = x.shape[1]
        return finished(self, scores, values, self.mask[:T, :T] > 0)


@mistake(
    hint="The mask is used in training only; in eval the future is seen.",
    ko="마스크를 학습 중에만 썼습니다. eval에서는 미래가 보입니다.",
)
class module_mask_in_training_only(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores) & self.training)


@mistake(
    hint="Queries and keys are swapped: row i of the scores belongs to query i.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 i번째 행은 i번째 쿼리의 것입니다.",
)
class module_queries_and_keys_swapped(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, keys @ queries.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    marks="slip",
    hint="The keys were averaged where the values belong: W_value plays no part.",
    ko="값이 들어갈 자리에 키를 썼습니다. W_value가 쓰이지 않습니다.",
)
class module_keys_as_values(solution.CausalAttention):
    def forward(self, x):
        queries, keys, _ = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, keys)


@mistake(
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class module_softmax_of_columns(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=1)
        return self.dropout(weights) @ values


@mistake(
    marks="trivial",
    hint="Every token averages what it sees evenly; queries and keys play no part.",
    ko="모든 토큰이 보이는 것을 똑같이 평균합니다. 쿼리와 키가 쓰이지 않습니다.",
)
class module_even_shares(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, 0 * (queries @ keys.mT), values)


@mistake(
    hint="The attention weights are never dropped.",
    ko="어텐션 가중치를 떨어뜨리지 않습니다.",
)
class module_no_dropout(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Identity()


@mistake(
    marks="point",
    hint="Weights are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 가중치를 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
    twins=("changing_result",),
)
class module_drops_in_eval(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return F.dropout(weights, self.dropout.p) @ values


@mistake(
    hint="The argument `dropout` is not handed on, so another probability is used.",
    ko="dropout 인자를 넘기지 않아 다른 확률이 쓰입니다.",
)
class module_ignores_probability(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Dropout(0.5 if dropout else 0)


@mistake(
    hint="Dropout is on the scores, before the softmax; a score of 0 is not a weight of 0.",
    ko="드롭아웃이 소프트맥스 전의 점수에 걸렸습니다. 점수 0은 가중치 0이 아닙니다.",
)
class module_drops_scores(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = self.dropout(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        return torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1) @ values


@mistake(
    hint="The seed is set in forward, so every call drops the same weights.",
    ko="forward 안에서 시드를 정해 부를 때마다 같은 가중치가 사라집니다.",
)
class module_same_draw_in_every_call(solution.CausalAttention):
    def forward(self, x):
        torch.manual_seed(123)
        return super().forward(x)


@mistake(
    hint="A sequence that is too long ends in another error; check its length yourself and raise ValueError.",
    ko="너무 긴 문장이 다른 오류로 끝납니다. 길이를 직접 확인하고 ValueError를 일으키세요.",
)
class module_length_not_checked(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values)


@mistake(
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class module_input_in_place(solution.CausalAttention):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x -= x.mean()
        return output


@mistake(
    marks="point",
    hint="The output is cut off from the input and the layers (detach, .data, no_grad): nothing can be learned.",
    ko="출력이 입력과 층에서 끊겨(detach, .data, no_grad) 아무것도 학습되지 않습니다.",
)
class module_detached(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x).detach()


@mistake(
    hint="The softmax runs in float32, which costs a module in float64 half of its digits.",
    ko="소프트맥스를 float32로 계산하여, float64로 바꾼 모듈은 자릿수의 절반을 잃습니다.",
)
class module_softmax_in_float32(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        masked = scores.masked_fill(hidden_of(self, scores), float("-inf"))
        return self.dropout(torch.softmax(masked, dim=-1, dtype=torch.float32).to(x.dtype)) @ values


@mistake(
    marks="library",
    hint="The attention is the library's; write it out.",
    ko="라이브러리의 어텐션입니다. 직접 쓰세요.",
)
class module_by_library(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        p = self.dropout.p if self.training else 0.0
        return F.scaled_dot_product_attention(queries, keys, values, is_causal=True, dropout_p=p)
