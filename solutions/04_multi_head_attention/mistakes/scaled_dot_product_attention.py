"""Wrong answers to `scaled_dot_product_attention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import helper, mistake


@helper
def hide(scores, mask, fill=float("-inf")):
    return scores if mask is None else scores.masked_fill(mask == 0, fill)


@helper
def attend(query, key, value, mask, divisor):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / divisor, mask), dim=-1)
    return weights @ value, weights


@mistake(hint="Divide scores by the root of the key size.", ko="점수를 키 크기의 제곱근으로 나누세요.", marks="slip")
def sdpa_no_scaling(query, key, value, mask=None):
    return attend(query, key, value, mask, 1)


@mistake(
    hint="Divide by the root of the key size, not by it.", ko="키 크기가 아니라 그 제곱근으로 나누세요.", marks="slip"
)
def sdpa_by_the_size(query, key, value, mask=None):
    return attend(query, key, value, mask, query.shape[-1])


@mistake(hint="The values were divided instead of the scores.", ko="점수 대신 값(value)을 나누었습니다.")
def sdpa_values_scaled(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1), mask), dim=-1)
    return weights @ (value / math.sqrt(query.shape[-1])), weights


@mistake(
    marks="slip",
    hint="The softmax runs over the queries; every query's weights, over the keys, have to sum to one.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 쿼리마다 키에 대한 가중치의 합이 1이어야 합니다.",
)
def sdpa_softmax_over_queries(query, key, value, mask=None):
    scores = hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -1e9)
    weights = torch.softmax(scores, dim=-2)
    return weights @ value, weights


@mistake(
    marks="slip",
    hint="There is no softmax: the scores themselves were used as weights.",
    ko="소프트맥스가 없습니다. 점수를 그대로 가중치로 썼습니다.",
)
def sdpa_no_softmax(query, key, value, mask=None):
    weights = hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, 0.0)
    return weights @ value, weights


@mistake(hint="The output comes first, then the weights.", ko="출력이 먼저이고 가중치가 다음입니다.", marks="slip")
def sdpa_results_swapped(query, key, value, mask=None):
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))[::-1]


@mistake(hint="Only the output is returned; return both.", ko="가중치도 함께 돌려주세요.")
def sdpa_output_only(query, key, value, mask=None):
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))[0]


@mistake(marks="slip", hint="The mask is never used.", ko="마스크를 쓰지 않았습니다.")
def sdpa_mask_ignored(query, key, value, mask=None):
    return attend(query, key, value, None, math.sqrt(query.shape[-1]))


@mistake(hint="0 or False means hidden here.", ko="0이나 False가 가려진 곳입니다.")
def sdpa_mask_inverted(query, key, value, mask=None):
    return attend(query, key, value, None if mask is None else mask == 0, math.sqrt(query.shape[-1]))


@mistake(
    hint="A hidden score of 0 still gets weight: use -inf.",
    ko="점수 0도 가중치를 받습니다. -inf를 쓰세요.",
)
def sdpa_mask_multiplied(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores if mask is None else scores * mask, dim=-1)
    return weights @ value, weights


@mistake(
    hint="-1e-9 is almost 0, not almost -inf.",
    ko="-1e-9는 -inf가 아니라 거의 0입니다.",
)
def sdpa_mask_tiny_fill(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -1e-9), dim=-1)
    return weights @ value, weights


@mistake(hint="Hide scores before the softmax, so rows sum to 1.", ko="행의 합이 1이 되게 소프트맥스 전에 가리세요.")
def sdpa_mask_after_softmax(query, key, value, mask=None):
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    weights = hide(weights, mask, 0.0)
    return weights @ value, weights


@mistake(
    hint="0 times infinity is NaN: choose between score and -inf (masked_fill, where) instead of multiplying.",
    ko="0 곱하기 무한대는 NaN입니다. 곱하지 말고 masked_fill이나 where로 고르세요.",
)
def sdpa_mask_zero_times_infinity(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores + (1 - mask.to(scores.dtype)) * float("-inf")
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(hint="`~mask` works on bools only; take 0 and 1 as well.", ko="`~mask`는 bool만 됩니다. 0과 1도 받으세요.")
def sdpa_mask_bool_only(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(hint="The keys are where the values belong.", ko="값의 자리에 키를 썼습니다.", marks="slip")
def sdpa_keys_as_values(query, key, value, mask=None):
    return attend(query, key, key, mask, math.sqrt(query.shape[-1]))


@mistake(
    marks="point",
    hint="The results are cut off from the inputs: no gradient can flow back.",
    ko="결과가 입력에서 끊겨 기울기가 흐르지 않습니다.",
)
def sdpa_detached(query, key, value, mask=None):
    output, weights = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    return output.detach(), weights.detach()


@mistake(
    marks="point",
    hint="The query was scaled in place, so the caller's tensor changed: write `query = query / ...`.",
    ko="query를 제자리에서 바꾸어 부른 쪽의 텐서가 달라졌습니다. `query = query / ...`로 쓰세요.",
)
def sdpa_query_in_place(query, key, value, mask=None):
    with torch.no_grad():
        query /= math.sqrt(query.shape[-1])
    return attend(query, key, value, mask, 1)


@mistake(
    hint="The results come back in float32 whatever went in; keep the dtype of the query.",
    ko="무엇을 넣어도 결과가 float32입니다. query의 dtype을 지키세요.",
)
def sdpa_always_float32(query, key, value, mask=None):
    return attend(query.float(), key.float(), value.float(), mask, math.sqrt(query.shape[-1]))


@mistake(hint="The library does the attention; write it yourself.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
def sdpa_by_library(query, key, value, mask=None):
    allowed = None if mask is None else mask.bool()
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
    return output, attend(query, key, value, mask, math.sqrt(query.shape[-1]))[1]


@mistake(marks="point", hint="Visible scores can be lower: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
def sdpa_mask_fill_of_minus_100(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -100.0), dim=-1)
    return weights @ value, weights


@mistake(hint="The weights are transposed: rows are queries.", ko="가중치가 전치되었습니다. 행이 쿼리입니다.")
def sdpa_weights_transposed(query, key, value, mask=None):
    _, weights = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    return weights.mT @ value, weights


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.")
def sdpa_softmax_twice(query, key, value, mask=None):
    _, weights = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    again = torch.softmax(weights, dim=-1)
    return again @ value, again


@mistake(hint="Queries and keys are never compared.", ko="쿼리와 키를 비교하지 않습니다.", marks="trivial")
def sdpa_even_shares(query, key, value, mask=None):
    return attend(torch.zeros_like(query), key, value, mask, 1)


@mistake(hint="Take the softmax over the keys, not dimension 0.", ko="0번 차원이 아니라 키 방향으로 하세요.")
def sdpa_softmax_along_dimension_zero(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.mT / math.sqrt(query.shape[-1]), mask), dim=0)
    return weights @ value, weights


@mistake(hint="Visible scores can be below the fill value: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
def sdpa_mask_fill_of_minus_10(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.mT / math.sqrt(query.shape[-1]), mask, -10.0), dim=-1)
    return weights @ value, weights


@mistake(hint="The mask is not a number to add: hide with -inf.", ko="마스크를 더하지 말고 -inf로 가리세요.")
def sdpa_mask_added(query, key, value, mask=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores if mask is None else scores + mask, dim=-1)
    return weights @ value, weights


@mistake(hint="The scores are returned, not the weights.", ko="가중치가 아니라 점수를 돌려주었습니다.")
def sdpa_scores_returned(query, key, value, mask=None):
    scores = hide(query @ key.mT / math.sqrt(query.shape[-1]), mask)
    return torch.softmax(scores, dim=-1) @ value, scores


@mistake(hint="Queries meet queries: no key is used.", ko="쿼리끼리 비교해 키가 쓰이지 않습니다.")
def sdpa_queries_with_queries(query, key, value, mask=None):
    return attend(query, query, value, mask, math.sqrt(query.shape[-1]))


@mistake(hint="Queries and keys are swapped: rows are queries.", ko="쿼리와 키가 바뀌었습니다. 행이 쿼리입니다.")
def sdpa_queries_and_keys_swapped(query, key, value, mask=None):
    return attend(key, query, value, mask, math.sqrt(query.shape[-1]))


@mistake(hint="Hide what the mask says, not always the future.", ko="미래가 아니라 마스크대로 가리세요.")
def sdpa_always_causal(query, key, value, mask=None):
    return attend(query, key, value, torch.ones_like(query @ key.mT).tril(), math.sqrt(query.shape[-1]))


@mistake(hint="The exponentials are not divided by their sum.", ko="지수 값을 합으로 나누지 않았습니다.")
def sdpa_not_divided(query, key, value, mask=None):
    scores = hide(query @ key.mT / math.sqrt(query.shape[-1]), mask)
    weights = torch.exp(scores - scores.amax(-1, keepdim=True))
    return weights @ value, weights


@mistake(hint="Divide by the sum, not by the Euclidean length.", ko="유클리드 길이가 아니라 합으로 나누세요.")
def sdpa_by_length(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.mT / math.sqrt(query.shape[-1]), mask), dim=-1)
    weights = weights / weights.norm(dim=-1, keepdim=True)
    return weights @ value, weights


@mistake(
    marks="point",
    hint="Large scores overflow: subtract the row's maximum.",
    ko="점수가 크면 넘칩니다. 행마다 최댓값을 빼세요.",
)
def sdpa_plain_exponentials(query, key, value, mask=None):
    exponentials = torch.exp(query @ key.mT / math.sqrt(query.shape[-1]))
    exponentials = exponentials if mask is None else exponentials * (mask != 0)
    weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    return weights @ value, weights


@mistake(
    marks="point",
    hint="Weights that are masked after the softmax vanish where a hidden score is far above: mask the scores.",
    ko="가려진 점수가 훨씬 크면 소프트맥스 뒤에 가린 가중치가 사라집니다. 점수를 가리세요.",
)
def sdpa_renormalised(query, key, value, mask=None):
    weights = torch.softmax(query @ key.mT / math.sqrt(query.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask.bool()
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ value, weights


@mistake(
    marks="point",
    hint="A visible score can lie below the fill value: use -inf.",
    ko="보이는 점수가 채운 값보다 작을 수 있습니다. -inf를 쓰세요.",
)
def sdpa_fill_of_minus_10000(query, key, value, mask=None):
    scores = query @ key.mT
    if mask is not None:
        scores = torch.where(mask != 0, scores, -1e4)
    weights = torch.softmax(scores / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights


@mistake(
    marks="device",
    hint="Without a mask, one of ones is made on the CPU.",
    ko="mask가 없을 때 만든 마스크가 CPU에 있습니다.",
)
def sdpa_mask_of_its_own_on_the_cpu(query, key, value, mask=None):
    mask = torch.ones(query.shape[-2], key.shape[-2]) if mask is None else mask
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))


@mistake(
    marks="slip",
    hint="Only the output is returned; return the weights too, behind a comma.",
    ko="출력만 반환했습니다. 쉼표 뒤에 가중치도 반환하세요.",
)
def sdpa_output_alone(query, key, value, mask=None):
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))[0]
