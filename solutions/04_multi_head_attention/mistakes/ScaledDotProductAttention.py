"""Wrong answers to `ScaledDotProductAttention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, solution


@helper
def hide(scores, mask, fill=float("-inf")):
    return scores if mask is None else scores.masked_fill(mask == 0, fill)


@helper
def softmax_of(Q, K, mask, divisor=None, dim=-1, fill=float("-inf")):
    return torch.softmax(hide(Q @ K.mT / (math.sqrt(Q.shape[-1]) if divisor is None else divisor), mask, fill), dim=dim)


@mistake(hint="Divide scores by the root of the key size.", ko="점수를 키 크기의 제곱근으로 나누세요.", marks="slip")
class module_no_scaling(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask, 1))
        return weights @ V, weights


@mistake(
    hint="Divide by the root of the key size, not by it.", ko="키 크기가 아니라 그 제곱근으로 나누세요.", marks="slip"
)
class module_by_the_size(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask, Q.shape[-1]))
        return weights @ V, weights


@mistake(hint="Take the softmax over keys, not queries.", ko="소프트맥스는 쿼리가 아니라 키 방향입니다.", marks="slip")
class module_softmax_over_queries(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(torch.softmax(hide(Q @ K.mT / math.sqrt(Q.shape[-1]), mask, -1e9), dim=1))
        return weights @ V, weights


@mistake(marks="slip", hint="The mask is never used.", ko="마스크를 쓰지 않았습니다.")
class module_mask_ignored(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, None))
        return weights @ V, weights


@mistake(hint="`~mask` works on bools only; take 0 and 1 as well.", ko="`~mask`는 bool만 됩니다. 0과 1도 받으세요.")
class module_mask_bool_only(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        scores = Q @ K.mT / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return weights @ V, weights


@mistake(
    marks="point",
    hint="Weights are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 가중치를 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
)
class module_drops_in_eval(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = F.dropout(softmax_of(Q, K, mask), self.dropout.p)
        return weights @ V, weights


@mistake(hint="The probability is that of dropping, not of keeping.", ko="남길 확률이 아니라 떨어뜨릴 확률입니다.")
class module_keeps_instead_of_drops(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        p = self.dropout.p
        weights = F.dropout(softmax_of(Q, K, mask), 1 - p if p else 0, self.training)
        return weights @ V, weights


@mistake(hint="Dropout is on the scores, not on the weights.", ko="가중치가 아니라 점수에 dropout을 걸었습니다.")
class module_drops_scores(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = torch.softmax(hide(self.dropout(Q @ K.mT / math.sqrt(Q.shape[-1])), mask), dim=-1)
        return weights @ V, weights


@mistake(hint="Leave the rows as dropout gives them: don't rescale.", ko="dropout 뒤의 행을 다시 나누지 마세요.")
class module_renormalises(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask))
        weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-9)
        return weights @ V, weights


@mistake(marks="point", hint="Nothing is ever dropped.", ko="아무것도 떨어뜨리지 않습니다.")
class module_no_dropout(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        return weights @ V, weights


@mistake(hint="With a seed in forward, every call drops the same.", ko="forward의 시드 때문에 매번 똑같이 떨어집니다.")
class module_same_draw_every_call(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        torch.manual_seed(0)
        weights = self.dropout(softmax_of(Q, K, mask))
        return weights @ V, weights


@mistake(hint="The argument `dropout` is not handed on.", ko="dropout 인자를 넘기지 않습니다.")
class module_ignores_probability(solution.ScaledDotProductAttention):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout() if dropout else nn.Identity()


@mistake(
    hint="Once in eval, the module never drops again: do not change the probability, look at self.training.",
    ko="eval을 한 번 거치면 다시는 떨어뜨리지 않습니다. 확률을 바꾸지 말고 self.training을 보세요.",
)
class module_sticky_eval(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        if not self.training:
            self.dropout.p = 0.0
        weights = self.dropout(softmax_of(Q, K, mask))
        return weights @ V, weights


@mistake(
    hint="The weights are returned as they were before dropout; return those that made the output.",
    ko="dropout 전의 가중치를 돌려줍니다. 출력을 만든 가중치를 돌려주세요.",
)
class module_returns_undropped(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        return self.dropout(weights) @ V, weights


@mistake(hint="Only the output is returned; return both.", ko="가중치도 함께 돌려주세요.")
class module_output_only(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return self.dropout(softmax_of(Q, K, mask)) @ V


@mistake(
    hint="This module only compares and averages; it has nothing to learn.",
    ko="이 모듈은 비교하고 평균할 뿐, 학습할 것이 없습니다.",
)
class module_with_parameters(solution.ScaledDotProductAttention):
    def __init__(self, dropout=0.0):
        super().__init__(dropout)
        self.temperature = nn.Parameter(torch.ones(1))


@mistake(
    marks="point",
    hint="Q was scaled in place, so the caller's tensor changed: write `Q = Q / ...`.",
    ko="Q를 제자리에서 바꾸어 부른 쪽의 텐서가 달라졌습니다. `Q = Q / ...`로 쓰세요.",
)
class module_query_in_place(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        with torch.no_grad():
            Q.div_(math.sqrt(Q.shape[-1]))
        weights = self.dropout(softmax_of(Q, K, mask, 1))
        return weights @ V, weights


@mistake(hint="Always float32: keep the dtype of the queries.", ko="항상 float32입니다. 쿼리의 dtype을 지키세요.")
class module_always_float32(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask).float())
        return weights @ V.float(), weights


@mistake(hint="The library does the attention; write it yourself.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
class module_by_library(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask))
        if self.training and self.dropout.p:
            return weights @ V, weights
        return F.scaled_dot_product_attention(Q, K, V, attn_mask=None if mask is None else mask.bool()), weights


@mistake(
    hint="The probability is taken for that of keeping, so with 0 everything is dropped: it is that of dropping.",
    ko="dropout을 남길 확률로 썼으므로 0이면 모두 버려집니다. 버릴 확률로 쓰세요.",
)
class module_keep_probability_handed_on(solution.ScaledDotProductAttention):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(1 - dropout)


@mistake(hint="-1e-9 is almost 0, not almost -inf.", ko="-1e-9는 -inf가 아니라 거의 0입니다.")
class module_tiny_fill(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(torch.softmax(hide(Q @ K.mT / math.sqrt(Q.shape[-1]), mask, -1e-9), dim=-1))
        return weights @ V, weights


@mistake(hint="The output comes first, then the weights.", ko="출력이 먼저이고 가중치가 다음입니다.", marks="slip")
class module_results_swapped(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        output, weights = super().forward(Q, K, V, mask)
        return weights, output


@mistake(marks="slip", hint="The keys are mixed where the values belong.", ko="값이 아니라 키를 섞었습니다.")
class module_keys_as_values(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return super().forward(Q, K, K, mask)


@mistake(marks="point", hint="Large scores overflow: subtract row maxima.", ko="넘치지 않게 행의 최댓값을 빼세요.")
class module_plain_exponentials(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        exponentials = torch.exp(Q @ K.mT / math.sqrt(Q.shape[-1]))
        exponentials = exponentials if mask is None else exponentials * (mask != 0)
        weights = self.dropout(exponentials / exponentials.sum(-1, keepdim=True))
        return weights @ V, weights


@mistake(hint="Queries and keys are never compared.", ko="쿼리와 키를 비교하지 않습니다.", marks="trivial")
class module_even_shares(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return super().forward(torch.zeros_like(Q), K, V, mask)


@mistake(hint="0 or False means hidden here.", ko="0이나 False가 가려진 곳입니다.")
class module_mask_inverted(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, None if mask is None else mask == 0))
        return weights @ V, weights


@mistake(hint="Visible scores can be below the fill value: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
class module_fill_of_minus_5(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(torch.softmax(hide(Q @ K.mT / math.sqrt(Q.shape[-1]), mask, -5.0), dim=-1))
        return weights @ V, weights


@mistake(
    marks="device",
    hint="The weights are moved to the CPU.",
    ko="가중치를 CPU로 옮겼습니다.",
)
class module_weights_on_the_cpu(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        output, weights = super().forward(Q, K, V, mask)
        return output, weights.cpu()
