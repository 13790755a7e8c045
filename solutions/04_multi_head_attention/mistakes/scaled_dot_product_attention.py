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


@mistake(
    marks="slip",
    hint="The scores are not divided by the root of the key size.",
    ko="점수를 키 차원의 제곱근으로 나누지 않았습니다.",
)
def sdpa_no_scaling(query, key, value, mask=None):
    return attend(query, key, value, mask, 1)


@mistake(
    marks="slip",
    hint="The scores are divided by d itself (or both sides by its root); divide them by the root of d once.",
    ko="점수를 d로(또는 양쪽을 √d로) 나누었습니다. √d로 한 번만 나누세요.",
)
def sdpa_by_d(query, key, value, mask=None):
    return attend(query, key, value, mask, query.shape[-1])


@mistake(
    hint="The scores are multiplied by the root of d; divide instead.",
    ko="점수에 √d를 곱했습니다. 나누세요.",
)
def sdpa_multiplied(query, key, value, mask=None):
    return attend(query, key, value, mask, query.shape[-1] ** -0.5)


@mistake(
    hint="The divisor is the root of the number of queries; take the number of features that are compared.",
    ko="쿼리 개수의 제곱근으로 나누었습니다. 비교되는 특징의 개수를 쓰세요.",
)
def sdpa_by_root_of_queries(query, key, value, mask=None):
    return attend(query, key, value, mask, query.shape[-2] ** 0.5)


@mistake(
    hint="The divisor is the root of the number of keys; take the number of features that are compared.",
    ko="키 개수의 제곱근으로 나누었습니다. 비교되는 특징의 개수를 쓰세요.",
)
def sdpa_by_root_of_keys(query, key, value, mask=None):
    return attend(query, key, value, mask, key.shape[-2] ** 0.5)


@mistake(
    hint="The divisor is the root of the values' size; it is the size of the queries and keys that counts.",
    ko="값(value)의 차원으로 나누었습니다. 쿼리와 키의 차원을 써야 합니다.",
)
def sdpa_by_root_of_values(query, key, value, mask=None):
    return attend(query, key, value, mask, value.shape[-1] ** 0.5)


@mistake(
    hint="The root was rounded to a whole number (math.isqrt, int): keep its digits.",
    ko="제곱근을 정수로 내렸습니다(math.isqrt, int). 소수 부분을 지키세요.",
)
def sdpa_integer_root(query, key, value, mask=None):
    return attend(query, key, value, mask, math.isqrt(query.shape[-1]))


@mistake(
    hint="Only one side was divided by the fourth root of d: together both must give the root of d.",
    ko="한쪽만 d의 네제곱근으로 나누었습니다. 양쪽을 합쳐 √d가 되어야 합니다.",
)
def sdpa_half_the_root(query, key, value, mask=None):
    return attend(query, key, value, mask, query.shape[-1] ** 0.25)


@mistake(
    hint="The values were divided instead of the scores.",
    ko="점수 대신 값(value)을 나누었습니다.",
)
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
    hint="The softmax runs over the first axis; it belongs on the last one, that of the keys.",
    ko="소프트맥스를 첫 축으로 했습니다. 마지막 축, 곧 키의 축이어야 합니다.",
)
def sdpa_softmax_over_first_axis(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -1e9), dim=0)
    return weights @ value, weights


@mistake(
    marks="slip",
    hint="There is no softmax: the scores themselves were used as weights.",
    ko="소프트맥스가 없습니다. 점수를 그대로 가중치로 썼습니다.",
)
def sdpa_no_softmax(query, key, value, mask=None):
    weights = hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, 0.0)
    return weights @ value, weights


@mistake(
    hint="The two results are swapped: the output comes first, then the weights.",
    ko="두 결과의 순서가 바뀌었습니다. 출력이 먼저, 가중치가 다음입니다.",
)
def sdpa_results_swapped(query, key, value, mask=None):
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))[::-1]


@mistake(
    hint="Only the output is returned; return the weights as well.",
    ko="출력만 돌려줍니다. 가중치도 함께 돌려주세요.",
)
def sdpa_output_only(query, key, value, mask=None):
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))[0]


@mistake(
    marks="slip",
    hint="The mask is never used.",
    ko="마스크를 쓰지 않았습니다.",
)
def sdpa_mask_ignored(query, key, value, mask=None):
    return attend(query, key, value, None, math.sqrt(query.shape[-1]))


@mistake(
    hint="The mask is used the other way round: 0 or False means hidden here.",
    ko="마스크를 반대로 썼습니다. 여기서는 0이나 False가 가려짐을 뜻합니다.",
)
def sdpa_mask_inverted(query, key, value, mask=None):
    return attend(query, key, value, None if mask is None else mask == 0, math.sqrt(query.shape[-1]))


@mistake(
    hint="A hidden score of 0 is still exponentiated to 1: hide with -inf, not with a product.",
    ko="가려진 점수가 0이 되어도 지수를 취하면 1입니다. 곱하지 말고 -inf로 가리세요.",
    twins=("sdpa_mask_tiny_fill",),
)
def sdpa_mask_multiplied(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores if mask is None else scores * mask, dim=-1)
    return weights @ value, weights


@mistake(
    hint="-1e-9 is almost zero, not almost minus infinity: look at the sign of the exponent.",
    ko="-1e-9는 음의 무한대가 아니라 거의 0입니다. 지수의 부호를 보세요.",
    twins=("sdpa_mask_multiplied",),
)
def sdpa_mask_tiny_fill(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -1e-9), dim=-1)
    return weights @ value, weights


@mistake(
    hint="The fill for hidden scores is not low enough: visible scores can lie below it. Use -inf.",
    ko="가려진 점수에 넣은 값이 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
def sdpa_mask_fill_too_small(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -20.0), dim=-1)
    return weights @ value, weights


@mistake(
    hint="Weights set to zero after the softmax leave rows that do not sum to one: hide the scores before it.",
    ko="소프트맥스 뒤에 0으로 만들면 행의 합이 1이 아닙니다. 소프트맥스 전에 점수를 가리세요.",
)
def sdpa_mask_after_softmax(query, key, value, mask=None):
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    weights = hide(weights, mask, 0.0)
    return weights @ value, weights


@mistake(
    hint="Adding the mask raises the visible scores by one and hides nothing.",
    ko="마스크를 더하면 보이는 점수가 1 커질 뿐 아무것도 가려지지 않습니다.",
)
def sdpa_mask_added(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores if mask is None else scores + mask, dim=-1)
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


@mistake(
    hint="`~mask` works on bools only; a mask of the numbers 0 and 1 has to work as well.",
    ko="`~mask`는 bool에서만 됩니다. 0과 1로 된 마스크도 되어야 합니다.",
)
def sdpa_mask_bool_only(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    hint="`1 - mask` works on numbers only; a bool mask has to work as well.",
    ko="`1 - mask`는 숫자에서만 됩니다. bool 마스크도 되어야 합니다.",
)
def sdpa_mask_numbers_only(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores + (1 - mask) * -1e9
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    hint="The mask of the first item is used for all of them.",
    ko="첫 항목의 마스크를 모든 항목에 썼습니다.",
)
def sdpa_mask_of_first_item(query, key, value, mask=None):
    if mask is not None and mask.dim() > 2:
        mask = mask[:1]
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))


@mistake(
    hint="The keys were averaged where the values belong.",
    ko="값(value)이 들어갈 자리에 키를 썼습니다.",
)
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
    hint="The weights that are returned are cut off; return them as they were used.",
    ko="돌려준 가중치가 계산 그래프에서 끊겼습니다. 쓰인 그대로 돌려주세요.",
)
def sdpa_weights_detached(query, key, value, mask=None):
    output, weights = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    return output, weights.detach()


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
    hint="The caller's mask was turned round in place, and the next call hides the wrong keys: use `mask == 0`.",
    ko="부른 쪽의 마스크를 제자리에서 뒤집어 다음 호출이 엉뚱한 키를 가립니다. `mask == 0`을 쓰세요.",
)
def sdpa_mask_in_place(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not_().bool(), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    hint="The results come back in float32 whatever went in; keep the dtype of the query.",
    ko="무엇을 넣어도 결과가 float32입니다. query의 dtype을 지키세요.",
)
def sdpa_always_float32(query, key, value, mask=None):
    return attend(query.float(), key.float(), value.float(), mask, math.sqrt(query.shape[-1]))


@mistake(
    hint="Axes counted from the front are right for one number of dimensions only: count them from the end.",
    ko="앞에서 센 축 번호는 차원 수가 하나로 정해져 있을 때만 맞습니다. 뒤에서 세세요.",
)
def sdpa_axes_from_the_front(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(1, 2) / math.sqrt(query.shape[-1]), mask), dim=2)
    return weights @ value, weights


@mistake(
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
def sdpa_by_library(query, key, value, mask=None):
    allowed = None if mask is None else mask.bool()
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
    return output, attend(query, key, value, mask, math.sqrt(query.shape[-1]))[1]


@mistake(
    hint="A fill of -100 is not low enough: visible scores can lie below it. Use -inf.",
    ko="-100은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
def sdpa_mask_fill_of_minus_100(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -100.0), dim=-1)
    return weights @ value, weights


@mistake(
    hint="A large hidden score stays large after 100 is taken away: put -inf in its place.",
    ko="가려진 점수가 크면 100을 빼도 여전히 큽니다. 그 자리에 -inf를 넣으세요.",
)
def sdpa_mask_takes_100_away(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores - 100.0 * (mask == 0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    hint="Masks of some dtypes are ignored; `mask == 0` works for every one of them.",
    ko="어떤 dtype의 마스크는 무시됩니다. `mask == 0`은 모든 dtype에서 됩니다.",
)
def sdpa_mask_of_few_dtypes(query, key, value, mask=None):
    known = mask is not None and mask.dtype in (torch.bool, torch.float32, torch.int64, torch.uint8)
    return attend(query, key, value, mask if known else None, math.sqrt(query.shape[-1]))


@mistake(
    hint="The softmax runs along another axis when two leading sizes are equal; it is always the last one.",
    ko="앞쪽 두 차원의 크기가 같으면 소프트맥스의 축이 달라집니다. 축은 항상 마지막입니다.",
)
def sdpa_axis_by_size(query, key, value, mask=None):
    scores = hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask)
    weights = torch.softmax(scores, dim=1 if scores.dim() == 4 and scores.shape[0] == scores.shape[1] else -1)
    return weights @ value, weights


@mistake(
    hint="A fill of -10 is not low enough: hidden keys keep a small weight. Use -inf.",
    ko="-10은 충분히 낮지 않아 가려진 키에 작은 가중치가 남습니다. -inf를 쓰세요.",
)
def sdpa_mask_fill_of_minus_10(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.mT / math.sqrt(query.shape[-1]), mask, -10.0), dim=-1)
    return weights @ value, weights


@mistake(
    hint="A fill of -1 is a score like any other: hidden keys keep a weight. Use -inf.",
    ko="-1은 다른 점수와 다를 것이 없어 가려진 키에 가중치가 남습니다. -inf를 쓰세요.",
)
def sdpa_mask_fill_of_minus_1(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.mT / math.sqrt(query.shape[-1]), mask, -1.0), dim=-1)
    return weights @ value, weights


@mistake(
    hint="`if mask:` asks a whole tensor for one truth value; ask `if mask is not None:`.",
    ko="`if mask:`는 텐서 전체를 참이나 거짓 하나로 묻습니다. `if mask is not None:`으로 물으세요.",
)
def sdpa_mask_asked_for_truth(query, key, value, mask=None):
    return attend(query, key, value, mask if mask else None, math.sqrt(query.shape[-1]))


@mistake(
    hint="The weights that are returned are those without the mask; return those that made the output.",
    ko="마스크가 없는 가중치를 돌려줍니다. 출력을 만든 가중치를 돌려주세요.",
)
def sdpa_unmasked_weights_shown(query, key, value, mask=None):
    output, _ = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    return output, torch.softmax(query @ key.mT / math.sqrt(query.shape[-1]), dim=-1)


@mistake(
    hint="The second result holds the scores; the weights, after the softmax, are asked for.",
    ko="둘째 결과가 점수입니다. 소프트맥스를 적용한 가중치가 필요합니다.",
)
def sdpa_scores_shown(query, key, value, mask=None):
    scores = hide(query @ key.mT / math.sqrt(query.shape[-1]), mask)
    return torch.softmax(scores, dim=-1) @ value, scores


@mistake(
    hint="`.T` turns all axes round, also the leading ones; swap the last two only.",
    ko="`.T`는 앞의 축까지 모든 축을 뒤집습니다. 마지막 두 축만 바꾸세요.",
)
def sdpa_all_axes_reversed(query, key, value, mask=None):
    turned = key.permute(*reversed(range(key.dim())))
    weights = torch.softmax(hide(query @ turned / math.sqrt(query.shape[-1]), mask), dim=-1)
    return weights @ value, weights


@mistake(
    hint="The weights are transposed before they meet the values; row i belongs to query i.",
    ko="값과 곱하기 전에 가중치를 전치했습니다. i번째 행은 i번째 쿼리의 것입니다.",
)
def sdpa_weights_transposed(query, key, value, mask=None):
    _, weights = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    return weights.mT @ value, weights


@mistake(
    hint="An axis is added to the mask, which broadcasts to the scores as it is.",
    ko="마스크에 축을 더했습니다. 마스크는 그대로 점수에 브로드캐스트됩니다.",
)
def sdpa_mask_axis_added(query, key, value, mask=None):
    return attend(query, key, value, None if mask is None else mask.unsqueeze(1), math.sqrt(query.shape[-1]))


@mistake(
    hint="The mask is transposed: its last axis is that of the keys already.",
    ko="마스크를 전치했습니다. 마스크의 마지막 축은 이미 키의 축입니다.",
)
def sdpa_mask_transposed(query, key, value, mask=None):
    return attend(query, key, value, None if mask is None else mask.transpose(-2, -1), math.sqrt(query.shape[-1]))


@mistake(
    hint="Later keys are hidden whatever the mask says; hide only what the mask hides.",
    ko="마스크와 상관없이 뒤에 오는 키를 가렸습니다. 마스크가 가리는 것만 가리세요.",
)
def sdpa_always_causal(query, key, value, mask=None):
    scores = hide(query @ key.mT / math.sqrt(query.shape[-1]), mask)
    scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    hint="Only the first 64 keys take part; there may be any number of them.",
    ko="처음 64개의 키만 참여합니다. 키는 몇 개든 될 수 있습니다.",
)
def sdpa_of_64_keys(query, key, value, mask=None):
    scores = hide(query @ key.mT / math.sqrt(query.shape[-1]), mask)
    scores[..., 64:] = float("-inf")
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    hint="Query and key have changed places: row i of the scores belongs to query i.",
    ko="쿼리와 키가 뒤바뀌었습니다. 점수의 i번째 행은 i번째 쿼리의 것입니다.",
)
def sdpa_queries_and_keys_swapped(query, key, value, mask=None):
    return attend(key, query, value, mask, math.sqrt(query.shape[-1]))


@mistake(
    hint="The values are divided by a root as well; only the scores are.",
    ko="값도 제곱근으로 나누었습니다. 점수만 나눕니다.",
)
def sdpa_values_divided_too(query, key, value, mask=None):
    return attend(query, key, value / math.sqrt(value.shape[-1]), mask, math.sqrt(query.shape[-1]))


@mistake(
    hint="The softmax is taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 적용해 가중치가 평평해졌습니다.",
)
def sdpa_softmax_twice(query, key, value, mask=None):
    _, weights = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    again = torch.softmax(weights, dim=-1)
    return again @ value, again


@mistake(
    hint="masked_fill takes a bool mask; `mask == 0` makes one of any mask.",
    ko="masked_fill은 bool 마스크를 받습니다. `mask == 0`은 어떤 마스크든 그렇게 만듭니다.",
)
def sdpa_mask_stays_a_number(query, key, value, mask=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask.to(scores.dtype) - 1, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    hint="The scores are cut off (detach, .data, NumPy) where there is a mask, so no gradient reaches query, key.",
    ko="마스크가 있으면 점수가 끊겨(detach, .data, NumPy) query, key에 기울기가 닿지 않습니다.",
)
def sdpa_cut_off_with_a_mask(query, key, value, mask=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.detach().clone()
        scores[(mask == 0).expand(scores.shape)] = float("-inf")
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest visible score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
def sdpa_plain_exponentials(query, key, value, mask=None):
    exponentials = torch.exp(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]))
    exponentials = exponentials if mask is None else exponentials * (mask != 0)
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ value, weights


@mistake(
    hint="-1000 is not low enough: visible scores may lie below it.",
    ko="-1000은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있습니다.",
)
def sdpa_mask_fill_of_minus_1000(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -1000.0), dim=-1)
    return weights @ value, weights


@mistake(
    hint="A mask of pairs (queries, keys) is taken for one of items where there are as many items as queries.",
    ko="항목 수가 쿼리 수와 같으면 쿼리와 키의 쌍에 대한 마스크를 항목에 대한 것으로 봅니다.",
)
def sdpa_pairs_taken_for_items(query, key, value, mask=None):
    if mask is not None and mask.dim() == 2 and query.dim() == 3 and len(mask) == len(query):
        mask = mask.unsqueeze(1)
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))


@mistake(
    hint="A mask of float64 makes float64 of everything; only ask it where it is zero.",
    ko="float64 마스크 때문에 결과가 모두 float64가 됩니다. 마스크는 0인 곳만 물어보세요.",
)
def sdpa_dtype_of_the_mask(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        visible = (mask != 0).to(mask.dtype if mask.is_floating_point() else scores.dtype)
        scores = scores - (1 - visible) * 1e9
    weights = torch.softmax(scores, dim=-1)
    return weights @ value.to(weights.dtype), weights


@mistake(
    hint="There are only zeros here; the input is never used.",
    ko="0뿐입니다. 입력을 쓰지 않았습니다.",
    marks="trivial",
)
def sdpa_zeros(query, key, value, mask=None):
    return query.new_zeros(*query.shape[:-1], value.shape[-1]), query.new_zeros(*query.shape[:-1], key.shape[-2])


@mistake(
    hint="Queries and keys are never compared: every value gets the same weight.",
    ko="쿼리와 키를 비교하지 않았습니다. 모든 값이 같은 가중치를 받습니다.",
    marks="trivial",
)
def sdpa_even_shares(query, key, value, mask=None):
    return attend(torch.zeros_like(query), key, value, mask, 1)
