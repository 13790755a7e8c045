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
def softmax_of(Q, K, mask, divisor=None):
    return torch.softmax(hide(Q @ K.mT / (math.sqrt(Q.shape[-1]) if divisor is None else divisor), mask), dim=-1)


@mistake(
    marks="slip",
    hint="The scores are not divided by the root of the key size.",
    ko="점수를 키 차원의 제곱근으로 나누지 않았습니다.",
)
class module_no_scaling(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask, 1))
        return weights @ V, weights


@mistake(
    marks="slip",
    hint="The scores are divided by d itself; divide by its root.",
    ko="점수를 d로 나누었습니다. 그 제곱근으로 나누세요.",
)
class module_by_d(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask, Q.shape[-1]))
        return weights @ V, weights


@mistake(
    hint="The divisor is the root of the values' size; it is the size of the queries and keys that counts.",
    ko="값(value)의 차원으로 나누었습니다. 쿼리와 키의 차원을 써야 합니다.",
)
class module_by_root_of_values(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask, math.sqrt(V.shape[-1])))
        return weights @ V, weights


@mistake(
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class module_softmax_over_queries(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(torch.softmax(hide(Q @ K.mT / math.sqrt(Q.shape[-1]), mask, -1e9), dim=1))
        return weights @ V, weights


@mistake(marks="slip", hint="The mask is never used.", ko="마스크를 쓰지 않았습니다.")
class module_mask_ignored(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, None))
        return weights @ V, weights


@mistake(
    hint="The mask is used the other way round: 0 or False means hidden here.",
    ko="마스크를 반대로 썼습니다. 여기서는 0이나 False가 가려짐을 뜻합니다.",
)
class module_mask_inverted(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, None if mask is None else mask == 0))
        return weights @ V, weights


@mistake(
    hint="`~mask` works on bools only; a mask of the numbers 0 and 1 has to work as well.",
    ko="`~mask`는 bool에서만 됩니다. 0과 1로 된 마스크도 되어야 합니다.",
)
class module_mask_bool_only(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        scores = Q @ K.mT / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return weights @ V, weights


@mistake(
    hint="The mask is used in training only; in eval hidden keys are seen.",
    ko="마스크를 학습 중에만 썼습니다. eval에서는 가려진 키가 보입니다.",
)
class module_mask_in_training_only(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask if self.training else None))
        return weights @ V, weights


@mistake(
    hint="The mask is forgotten where dropout is active.",
    ko="dropout이 켜져 있을 때 마스크를 빠뜨렸습니다.",
)
class module_mask_lost_with_dropout(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        plain = self.dropout.p == 0 or not self.training
        weights = softmax_of(Q, K, mask) if plain else self.dropout(softmax_of(Q, K, None))
        return weights @ V, weights


@mistake(
    marks="point",
    hint="Weights are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 가중치를 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
    twins=("changing_result",),
)
class module_drops_in_eval(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = F.dropout(softmax_of(Q, K, mask), self.dropout.p)
        return weights @ V, weights


@mistake(
    hint="The probability is that of dropping, not of keeping.",
    ko="확률은 남길 확률이 아니라 떨어뜨릴 확률입니다.",
)
class module_keeps_instead_of_drops(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        p = self.dropout.p
        weights = F.dropout(softmax_of(Q, K, mask), 1 - p if p else 0, self.training)
        return weights @ V, weights


@mistake(
    hint="Dropout is on the scores, before the softmax; a score of 0 is not a weight of 0.",
    ko="dropout이 소프트맥스 전의 점수에 걸렸습니다. 점수 0은 가중치 0이 아닙니다.",
)
class module_drops_scores(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = torch.softmax(hide(self.dropout(Q @ K.mT / math.sqrt(Q.shape[-1])), mask), dim=-1)
        return weights @ V, weights


@mistake(
    hint="The rows were made to sum to one again after dropout; leave them as dropout gives them.",
    ko="dropout 뒤에 행의 합을 다시 1로 만들었습니다. dropout이 준 그대로 두세요.",
)
class module_renormalises(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask))
        weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-9)
        return weights @ V, weights


@mistake(hint="Nothing is ever dropped.", ko="아무것도 떨어뜨리지 않습니다.")
class module_no_dropout(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        return weights @ V, weights


@mistake(
    hint="A seed set in forward drops the same weights in every call.",
    ko="forward에서 시드를 정하면 부를 때마다 같은 가중치가 떨어집니다.",
)
class module_same_draw_every_call(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        torch.manual_seed(0)
        weights = self.dropout(softmax_of(Q, K, mask))
        return weights @ V, weights


@mistake(
    hint="One draw serves the whole batch; every item drops its own weights.",
    ko="배치 전체가 같은 추첨을 씁니다. 항목마다 따로 떨어뜨려야 합니다.",
)
class module_same_draw_for_batch(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        weights = weights * self.dropout(torch.ones_like(weights[:1]))
        return weights @ V, weights


@mistake(
    hint="The argument `dropout` is not handed on, so the default probability is used.",
    ko="dropout 인자를 넘기지 않아 기본 확률이 쓰입니다.",
)
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


@mistake(
    hint="The output is made with other weights than those that are returned: drop once and use the result twice.",
    ko="출력을 만든 가중치와 돌려준 가중치가 다릅니다. 한 번만 떨어뜨리고 그 결과를 두 곳에 쓰세요.",
)
class module_drops_twice(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        return self.dropout(weights) @ V, self.dropout(weights)


@mistake(
    hint="Dropout is on the output; here the weights go through it.",
    ko="dropout이 출력에 걸렸습니다. 여기서는 가중치가 거쳐야 합니다.",
)
class module_drops_output(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        return self.dropout(weights @ V), weights


@mistake(
    hint="The weights that stay have to grow by 1 / (1 - dropout).",
    ko="남은 가중치는 1 / (1 - dropout)배로 커져야 합니다.",
)
class module_survivors_not_scaled(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        if self.training and self.dropout.p:
            weights = weights * (torch.rand_like(weights) >= self.dropout.p)
        return weights @ V, weights


@mistake(
    hint="Only the output is returned; return the weights as well.",
    ko="출력만 돌려줍니다. 가중치도 함께 돌려주세요.",
)
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


@mistake(
    hint="The results come back in float32 whatever went in; keep the dtype of the queries.",
    ko="무엇을 넣어도 결과가 float32입니다. 쿼리의 dtype을 지키세요.",
)
class module_always_float32(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask).float())
        return weights @ V.float(), weights


@mistake(
    hint="The weights that are returned are cut off; return them as they were used.",
    ko="돌려준 가중치가 계산 그래프에서 끊겼습니다. 쓰인 그대로 돌려주세요.",
)
class module_weights_detached(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        output, weights = super().forward(Q, K, V, mask)
        return output, weights.detach()


@mistake(
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class module_by_library(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask))
        if self.training and self.dropout.p:
            return weights @ V, weights
        return F.scaled_dot_product_attention(Q, K, V, attn_mask=None if mask is None else mask.bool()), weights


@mistake(
    hint="A fill of -100 is not low enough: visible scores can lie below it. Use -inf.",
    ko="-100은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
class module_fill_of_minus_100(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        scores = hide(Q @ K.mT / math.sqrt(Q.shape[-1]), mask, -100.0)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return weights @ V, weights


@mistake(
    hint="The mask was changed in place; the caller's mask has to stay as it was.",
    ko="마스크를 제자리에서 바꾸었습니다. 부른 쪽의 마스크는 그대로여야 합니다.",
)
class module_mask_in_place(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        results = super().forward(Q, K, V, mask)
        if mask is not None:
            mask.zero_()
        return results


@mistake(
    hint="Masks of some dtypes are ignored; `mask == 0` works for every one of them.",
    ko="어떤 dtype의 마스크는 무시됩니다. `mask == 0`은 모든 dtype에서 됩니다.",
)
class module_mask_of_few_dtypes(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        known = mask is not None and mask.dtype in (torch.bool, torch.float32, torch.int64)
        return super().forward(Q, K, V, mask if known else None)


@mistake(
    hint="Whole rows of weights are dropped together; every weight is dropped for itself.",
    ko="가중치의 한 행이 통째로 떨어집니다. 가중치는 하나씩 따로 떨어뜨려야 합니다.",
)
class module_drops_whole_rows(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        weights = weights * self.dropout(torch.ones_like(weights[..., :1]))
        return weights @ V, weights


@mistake(
    hint="All queries of an item drop the same keys; every weight is dropped for itself.",
    ko="한 항목의 모든 쿼리에서 같은 키가 떨어집니다. 가중치는 하나씩 따로 떨어뜨려야 합니다.",
)
class module_drops_whole_keys(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        weights = weights * self.dropout(torch.ones_like(weights[:, :1]))
        return weights @ V, weights


@mistake(
    hint="Results of an earlier call with the same shapes are returned again; compute them from the new inputs.",
    ko="모양이 같으면 예전 호출의 결과를 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class module_results_kept(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        shapes = (Q.shape, K.shape, V.shape, Q.dtype)
        if mask is not None or self.dropout.p:
            return super().forward(Q, K, V, mask)
        if getattr(self, "shapes", None) != shapes:
            self.shapes, self.results = shapes, super().forward(Q, K, V)
        return self.results


@mistake(
    hint="The probability is taken for that of keeping, so with 0 everything is dropped: it is that of dropping.",
    ko="dropout을 남길 확률로 썼으므로 0이면 모두 버려집니다. 버릴 확률로 쓰세요.",
)
class module_keep_probability_handed_on(solution.ScaledDotProductAttention):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(1 - dropout)


@mistake(
    hint="The weights shrink in eval; scale those that stay in training instead, as nn.Dropout does.",
    ko="eval에서 가중치가 줄어듭니다. nn.Dropout처럼 학습 중에 남은 가중치를 키우세요.",
)
class module_shrinks_in_eval(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.p = dropout

    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        weights = weights * (torch.rand_like(weights) >= self.p) if self.training else weights * (1 - self.p)
        return weights @ V, weights


@mistake(
    hint="-1e-9 is almost zero, not almost minus infinity: look at the sign of the exponent.",
    ko="-1e-9는 마이너스 무한대가 아니라 거의 0입니다. 지수의 부호를 보세요.",
)
class module_tiny_fill(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(torch.softmax(hide(Q @ K.mT / math.sqrt(Q.shape[-1]), mask, -1e-9), dim=-1))
        return weights @ V, weights


@mistake(
    hint="Adding the mask raises the visible scores by one and hides nothing.",
    ko="마스크를 더하면 보이는 점수가 1씩 커질 뿐 아무것도 가려지지 않습니다.",
)
class module_mask_added(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        scores = Q @ K.mT / math.sqrt(Q.shape[-1])
        weights = self.dropout(torch.softmax(scores if mask is None else scores + mask, dim=-1))
        return weights @ V, weights


@mistake(
    hint="An axis is added to the mask, which broadcasts to the scores as it is.",
    ko="마스크에 축을 더했습니다. 마스크는 그대로 점수에 브로드캐스트됩니다.",
)
class module_mask_axis_added(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return super().forward(Q, K, V, None if mask is None else mask.unsqueeze(1))


@mistake(
    hint="The two results are swapped: the output comes first, then the weights.",
    ko="두 결과의 순서가 바뀌었습니다. 출력이 먼저, 가중치가 다음입니다.",
)
class module_results_swapped(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        output, weights = super().forward(Q, K, V, mask)
        return weights, output


@mistake(
    hint="Weights set to zero after the softmax leave rows that do not sum to one: hide the scores before it.",
    ko="소프트맥스 뒤에 가중치를 0으로 만들면 행의 합이 1이 아닙니다. 그 전에 점수를 가리세요.",
)
class module_mask_after_softmax(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, None))
        weights = weights if mask is None else weights * (mask != 0)
        return weights @ V, weights


@mistake(
    hint="The keys are mixed where the values belong.",
    ko="값이 아니라 키를 섞었습니다.",
)
class module_keys_as_values(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return super().forward(Q, K, K, mask)


@mistake(
    hint="The scores are cut off (detach, .data, NumPy) where there is a mask, so no gradient reaches Q, K.",
    ko="마스크가 있으면 점수가 끊겨(detach, .data, NumPy) Q, K에 기울기가 닿지 않습니다.",
)
class module_cut_off_with_a_mask(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        weights = self.dropout(weights if mask is None else weights.detach())
        return weights @ V, weights


@mistake(
    hint="The scores are cut off (detach, .data, NumPy) where dropout is active, so no gradient reaches Q, K.",
    ko="dropout이 켜져 있으면 점수가 끊겨(detach, .data, NumPy) Q, K에 기울기가 닿지 않습니다.",
)
class module_cut_off_with_dropout(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        if self.training and self.dropout.p > 0:
            weights = self.dropout(weights.detach())
        return weights @ V, weights


@mistake(
    hint="Dropout acts twice on the weights, so more of them fall than asked; once is asked for.",
    ko="dropout이 가중치에 두 번 걸려 요구한 것보다 많이 떨어집니다. 한 번만 거세요.",
)
class module_dropped_again(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(self.dropout(softmax_of(Q, K, mask)))
        return weights @ V, weights


@mistake(
    hint="A probability above one half is cut down to it; hand it on as it is given.",
    ko="0.5보다 큰 확률을 0.5로 줄였습니다. 받은 그대로 넘기세요.",
)
class module_half_at_most(solution.ScaledDotProductAttention):
    def __init__(self, dropout=0.0):
        super().__init__(min(dropout, 0.5))


@mistake(
    hint="The weights that stay are multiplied by a wrong factor; dropout divides them by 1 - dropout.",
    ko="남은 가중치에 다른 수를 곱했습니다. dropout은 1 - dropout으로 나눕니다.",
)
class module_survivors_shrunk(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        if self.training:
            weights = weights * (torch.rand_like(weights) > self.dropout.p) * (1 - self.dropout.p)
        return weights @ V, weights


@mistake(
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest visible score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
class module_plain_exponentials(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        exponentials = torch.exp(Q @ K.mT / math.sqrt(Q.shape[-1]))
        exponentials = exponentials if mask is None else exponentials * (mask != 0)
        weights = self.dropout(exponentials / exponentials.sum(-1, keepdim=True))
        return weights @ V, weights


@mistake(
    hint="A mask of pairs (queries, keys) is taken for one of items where there are as many items as queries.",
    ko="항목 수가 쿼리 수와 같으면 쿼리와 키의 쌍에 대한 마스크를 항목에 대한 것으로 봅니다.",
)
class module_pairs_taken_for_items(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        if mask is not None and mask.dim() == 2 and len(mask) == len(Q):
            mask = mask.unsqueeze(1)
        return super().forward(Q, K, V, mask)


@mistake(
    hint="Queries and keys are never compared: every value gets the same weight.",
    ko="쿼리와 키를 비교하지 않았습니다. 모든 값이 같은 가중치를 받습니다.",
    marks="trivial",
)
class module_even_shares(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return super().forward(torch.zeros_like(Q), K, V, mask)


@mistake(
    hint="There are only zeros here; the input is never used.",
    ko="0뿐입니다. 입력을 쓰지 않았습니다.",
    marks="trivial",
)
class module_zeros(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return Q.new_zeros(*Q.shape[:2], V.shape[-1]), Q.new_zeros(*Q.shape[:2], K.shape[1])
