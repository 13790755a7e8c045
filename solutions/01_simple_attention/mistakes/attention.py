"""Wrong answers to `attention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import helper, mistake


@helper
def remembered(compute):
    """Return a function that computes once for each shape and dtype and gives the same result ever after."""
    kept = {}

    def answer(*parts, **options):
        key = (*((part.shape, part.dtype) for part in parts), *options.items())
        if key not in kept:
            kept[key] = compute(*parts, **options)
        return kept[key]

    return answer


@mistake(
    hint="Query and key have changed places: each key asks the queries.",
    ko="쿼리와 키가 뒤바뀌어 키가 쿼리에게 묻고 있습니다.",
)
def query_and_key_swapped(query, key, value):
    return torch.softmax(key @ query.transpose(-2, -1), dim=-1) @ value


@mistake(
    marks="slip",
    hint="The scores are divided by the root of d. This function is the unscaled one.",
    ko="점수를 d의 제곱근으로 나누었습니다. 이 함수는 나누지 않습니다.",
    twins=("library_attention_as_it_comes",),
)
def scaled_attention(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5, dim=-1) @ value


@mistake(
    hint="The scores are divided by d. This function does not scale them at all.",
    ko="점수를 d로 나누었습니다. 이 함수는 점수를 나누지 않습니다.",
)
def divided_by_features(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1) / query.shape[-1], dim=-1) @ value


@mistake(
    marks="slip",
    hint="The softmax runs over the queries. The weights of one query, over all keys, have to sum to 1.",
    ko="소프트맥스를 쿼리 방향으로 계산했습니다. 한 쿼리의 가중치가 모든 키에 걸쳐 합이 1이어야 합니다.",
)
def softmax_over_queries(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-2) @ value


@mistake(
    hint="The softmax runs along dimension 1, which is the last one only without a batch. Count from the end.",
    ko="1번 차원을 따라 소프트맥스를 계산했습니다. 배치가 없을 때에만 마지막 차원입니다. 뒤에서부터 세세요.",
)
def softmax_along_dimension_one(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=1) @ value


@mistake(
    hint="The softmax runs along dimension 0. It has to run over the keys, the last dimension.",
    ko="0번 차원을 따라 소프트맥스를 계산했습니다. 키가 있는 마지막 차원이어야 합니다.",
)
def softmax_along_dimension_zero(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=0) @ value


@mistake(
    hint="The keys are mixed instead of the values.",
    ko="값이 아니라 키를 섞었습니다.",
)
def keys_for_values(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ key


@mistake(
    hint="The keys are compared with themselves. Compare the queries with the keys.",
    ko="키를 키와 비교했습니다. 쿼리를 키와 비교하세요.",
)
def keys_compared_with_keys(query, key, value):
    return torch.softmax(key @ key.transpose(-2, -1), dim=-1) @ value


@mistake(
    hint="The queries are compared with themselves. Compare the queries with the keys.",
    ko="쿼리를 쿼리와 비교했습니다. 쿼리를 키와 비교하세요.",
)
def queries_compared_with_queries(query, key, value):
    return torch.softmax(query @ query.transpose(-2, -1), dim=-1) @ value


@mistake(
    hint="The softmax is missing: the scores themselves are used as weights.",
    ko="소프트맥스가 빠졌습니다. 점수를 그대로 가중치로 썼습니다.",
)
def no_softmax(query, key, value):
    return query @ key.transpose(-2, -1) @ value


@mistake(
    hint="`.T` turns all dimensions round, also the batch. Exchange the last two only.",
    ko="`.T`는 배치까지 모든 차원을 뒤집습니다. 마지막 두 차원만 바꾸세요.",
)
def all_dimensions_reversed(query, key, value):
    turned = key.permute(*reversed(range(key.dim())))
    return torch.softmax(query @ turned, dim=-1) @ value


@mistake(
    hint="Dimensions 0 and 1 change places, which is right only without a batch. Exchange the last two.",
    ko="0번과 1번 차원을 바꾸었습니다. 배치가 없을 때에만 맞습니다. 마지막 두 차원을 바꾸세요.",
)
def first_two_dimensions_exchanged(query, key, value):
    return torch.softmax(query @ key.transpose(0, 1), dim=-1) @ value


@mistake(
    hint="Dimensions 1 and 2 change places, which is right with one dimension in front only. Count from the end.",
    ko="1번과 2번 차원을 바꾸었습니다. 앞에 차원이 꼭 하나 있을 때에만 맞습니다. 뒤에서부터 세세요.",
)
def exactly_one_batch_dimension(query, key, value):
    return torch.softmax(query @ key.transpose(1, 2), dim=-1) @ value


@mistake(
    hint="The items of the batch are mixed: all tokens stand in one long row. Each item has its own attention.",
    ko="배치의 항목들이 섞였습니다. 모든 토큰을 한 줄로 이었습니다. 항목마다 따로 계산하세요.",
)
def items_mixed(query, key, value):
    flat_query, flat_key, flat_value = (part.reshape(-1, part.shape[-1]) for part in (query, key, value))
    mixed = torch.softmax(flat_query @ flat_key.T, dim=-1) @ flat_value
    return mixed.reshape(*query.shape[:-1], value.shape[-1])


@mistake(
    hint="Only the first item of the batch is computed and repeated for the others.",
    ko="배치의 첫 항목만 계산해 나머지에 되풀이했습니다.",
)
def first_item_for_all(query, key, value):
    first = (0,) * (query.dim() - 2)
    single = torch.softmax(query[first] @ key[first].T, dim=-1) @ value[first]
    return single.expand(*query.shape[:-1], value.shape[-1]).clone()


@mistake(
    hint="Later keys are hidden here. In this exercise every query sees every key.",
    ko="뒤의 키를 가렸습니다. 이 문제에서는 모든 쿼리가 모든 키를 봅니다.",
)
def later_keys_hidden(query, key, value):
    scores = query @ key.transpose(-2, -1)
    later = torch.triu(torch.ones_like(scores), diagonal=1).bool()
    return torch.softmax(scores.masked_fill(later, -math.inf), dim=-1) @ value


@mistake(
    marks="trivial",
    hint="The values are mixed in equal parts, whatever query and key say.",
    ko="쿼리와 키에 상관없이 값을 똑같이 섞었습니다.",
)
def values_in_equal_parts(query, key, value):
    return value.mean(dim=-2, keepdim=True).expand(*query.shape[:-1], value.shape[-1]).clone()


@mistake(
    hint="This stops at the weights. The last step mixes the values by them.",
    ko="가중치에서 멈추었습니다. 마지막으로 값을 섞어야 합니다.",
)
def weights_only(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1)


@mistake(
    hint="Output and weights are returned together. Only the output is asked for.",
    ko="결과와 가중치를 함께 돌려줍니다. 결과만 필요합니다.",
)
def output_and_weights(query, key, value):
    weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights @ value, weights


@mistake(
    hint="The weights are turned round before they meet the values.",
    ko="값과 곱하기 전에 가중치를 전치했습니다.",
)
def attention_weights_turned_round(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1).transpose(-2, -1) @ value


@mistake(
    marks="library",
    hint="The library's attention does the work here. This exercise asks you to write the steps yourself.",
    ko="라이브러리의 어텐션이 계산했습니다. 이 문제에서는 단계를 직접 쓰세요.",
)
def library_attention(query, key, value):
    return F.scaled_dot_product_attention(query, key, value, scale=1.0)


@mistake(
    marks="library",
    hint="The library's attention does the work here, and it scales the scores. Write the steps yourself.",
    ko="라이브러리의 어텐션이 계산했고 점수를 나누기까지 합니다. 단계를 직접 쓰세요.",
    twins=("scaled_attention",),
)
def library_attention_as_it_comes(query, key, value):
    return F.scaled_dot_product_attention(query, key, value)


@mistake(
    marks="point",
    hint="The query is multiplied in place, so the caller's tensor changes. Make a new tensor.",
    ko="쿼리를 제자리에서 바꾸어 호출한 쪽의 텐서가 달라집니다. 새 텐서를 만드세요.",
)
def query_changed_in_place(query, key, value):
    scores = query @ key.transpose(-2, -1)
    with torch.no_grad():
        query /= query.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ value


@mistake(
    marks="point",
    hint="The scores are computed without gradients, so none reaches the query and the key.",
    ko="그래디언트 없이 점수를 계산해 쿼리와 키에 그래디언트가 흐르지 않습니다.",
)
def scores_without_gradients(query, key, value):
    with torch.no_grad():
        weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights @ value


@mistake(
    hint="The result is built in a tensor of the default dtype. Give it the dtype of the inputs.",
    ko="기본 dtype의 텐서에 결과를 담았습니다. 입력의 dtype을 주세요.",
)
def result_of_default_dtype(query, key, value):
    result = torch.zeros(*query.shape[:-1], value.shape[-1])
    result += torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value
    return result


@mistake(
    hint="The numbers are rounded to printed digits. Return them as they are.",
    ko="값을 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_output(query, key, value):
    return torch.round(torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value, decimals=4)


first_output_remembered = mistake(
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda query, key, value: torch.softmax(query @ key.mT, dim=-1) @ value))


@mistake(
    marks="slip",
    hint="The scores are multiplied by the root of d. This function does not scale them at all.",
    ko="점수에 d의 제곱근을 곱했습니다. 이 함수는 점수를 그대로 씁니다.",
)
def scores_multiplied_by_root(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1) * query.shape[-1] ** 0.5, dim=-1) @ value


@mistake(
    hint="The keys have to be transposed, so that each of their rows meets each query.",
    ko="키의 각 행이 각 쿼리와 만나도록 키를 전치해야 합니다.",
)
def keys_not_transposed(query, key, value):
    return torch.softmax(query @ key, dim=-1) @ value


@mistake(
    hint="`permute(0, 2, 1)` needs exactly three dimensions. Exchange the last two, whatever stands in front.",
    ko="`permute(0, 2, 1)`은 차원이 꼭 셋일 때만 됩니다. 앞에 무엇이 있든 마지막 두 차원을 바꾸세요.",
)
def permuted_three_dimensions(query, key, value):
    return torch.softmax(query @ key.permute(0, 2, 1), dim=-1) @ value


@mistake(
    hint="The queries are mixed instead of the values.",
    ko="값이 아니라 쿼리를 섞었습니다.",
)
def queries_for_values(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ query


@mistake(
    hint="The queries are compared with the values. Compare them with the keys.",
    ko="쿼리를 값과 비교했습니다. 키와 비교하세요.",
)
def values_for_keys(query, key, value):
    return torch.softmax(query @ value.transpose(-2, -1), dim=-1) @ value


@mistake(
    hint="The values are compared with the keys. Compare the queries with the keys.",
    ko="값을 키와 비교했습니다. 쿼리를 키와 비교하세요.",
)
def values_for_queries(query, key, value):
    return torch.softmax(value @ key.transpose(-2, -1), dim=-1) @ value


@mistake(
    hint="The sigmoid looks at each score alone. The weights of one query share a sum of 1: that is the softmax.",
    ko="시그모이드는 점수 하나만 봅니다. 한 쿼리의 가중치는 합이 1이어야 하므로 소프트맥스를 쓰세요.",
)
def sigmoid_weights(query, key, value):
    return torch.sigmoid(query @ key.transpose(-2, -1)) @ value


@mistake(
    hint="relu only cuts negative scores off. Take the softmax of each row.",
    ko="relu는 음수 점수를 자를 뿐입니다. 행마다 소프트맥스를 적용하세요.",
)
def relu_weights(query, key, value):
    return torch.relu(query @ key.transpose(-2, -1)) @ value


@mistake(
    hint="The softmax is taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 적용해 가중치가 평평해졌습니다.",
)
def attention_of_a_double_softmax(query, key, value):
    return torch.softmax(torch.softmax(query @ key.transpose(-2, -1), dim=-1), dim=-1) @ value


@mistake(
    hint="The scores are divided by their sum, without the exponential. Take the softmax.",
    ko="지수 함수 없이 점수를 합으로 나누었습니다. 소프트맥스를 적용하세요.",
)
def attention_scores_over_sum(query, key, value):
    scores = query @ key.transpose(-2, -1)
    return scores / scores.sum(dim=-1, keepdim=True) @ value


@mistake(
    hint="The sum loses its dimension, so the exponentials are divided by sums of other queries. Use keepdim=True.",
    ko="합의 차원이 사라져 다른 쿼리의 합으로 나누었습니다. keepdim=True를 쓰세요.",
)
def attention_sum_without_keepdim(query, key, value):
    powers = torch.exp(query @ key.transpose(-2, -1))
    return powers / powers.sum(dim=-1) @ value


@mistake(
    hint="The vectors are brought to length 1 first, which gives cosines. Dot products keep the lengths.",
    ko="벡터의 길이를 먼저 1로 만들어 코사인이 되었습니다. 내적은 길이를 그대로 둡니다.",
)
def cosines_for_scores(query, key, value):
    return torch.softmax(F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).transpose(-2, -1), dim=-1) @ value


@mistake(
    hint="A distance is used for the scores. Compare by the dot product.",
    ko="점수로 거리를 썼습니다. 내적으로 비교하세요.",
)
def distances_for_scores(query, key, value):
    return torch.softmax(-torch.cdist(query, key), dim=-1) @ value


@mistake(
    hint="squeeze removes a leading dimension of size 1. The output keeps all leading dimensions.",
    ko="squeeze가 크기가 1인 앞 차원을 없앱니다. 앞의 차원은 모두 남아야 합니다.",
)
def output_squeezed_in_front(query, key, value):
    return (torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value).squeeze(0)


@mistake(
    hint="The query is added to the output. Return the mixture of the values alone.",
    ko="결과에 쿼리를 더했습니다. 섞은 값만 돌려주세요.",
)
def query_added_to_output(query, key, value):
    return query + torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value


@mistake(
    hint="`*` multiplies entry by entry. A score is a dot product: `@` with the transposed keys.",
    ko="`*`는 원소끼리 곱합니다. 점수는 내적이므로 전치한 키와 `@`로 곱하세요.",
)
def query_times_key(query, key, value):
    return torch.softmax(query * key, dim=-1) @ value


@mistake(
    hint="All weight goes to the best key. Softmax leaves every key a share.",
    ko="가장 좋은 키가 가중치를 모두 가졌습니다. 소프트맥스는 모든 키에 몫을 남깁니다.",
)
def best_key_only(query, key, value):
    scores = query @ key.transpose(-2, -1)
    return F.one_hot(scores.argmax(-1), scores.shape[-1]).to(value.dtype) @ value


@mistake(
    hint="The weights are rounded to a coarse dtype on the way. Stay in the dtype of the inputs.",
    ko="중간에 가중치를 거친 dtype으로 반올림했습니다. 입력의 dtype을 유지하세요.",
)
def weights_in_bfloat16(query, key, value):
    return torch.softmax((query @ key.transpose(-2, -1)).bfloat16(), dim=-1).to(value.dtype) @ value


@mistake(
    marks="slip",
    hint="The output is divided by the number of keys. The weights sum to 1 already.",
    ko="결과를 키의 수로 나누었습니다. 가중치의 합은 이미 1입니다.",
)
def output_divided_by_keys(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value / value.shape[-2]


@mistake(
    hint="The values are divided by a root. Nothing is scaled here.",
    ko="값을 제곱근으로 나누었습니다. 여기서는 아무것도 나누지 않습니다.",
)
def values_divided_by_root(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ (value / value.shape[-1] ** 0.5)


@mistake(
    hint="One softmax runs over all queries and keys together. Every query's weights have to sum to 1.",
    ko="모든 쿼리와 키에 소프트맥스를 한꺼번에 적용했습니다. 쿼리마다 합이 1이어야 합니다.",
)
def softmax_of_all_pairs(query, key, value):
    scores = query @ key.transpose(-2, -1)
    return torch.softmax(scores.flatten(-2), dim=-1).reshape(scores.shape) @ value


@mistake(
    hint="Each key's maximum over the queries is subtracted, which shifts a row unevenly. Subtract the row's maximum.",
    ko="키마다 쿼리 방향의 최댓값을 빼서 한 행이 서로 다르게 옮겨집니다. 행의 최댓값을 빼세요.",
)
def attention_shifted_by_column(query, key, value):
    scores = query @ key.transpose(-2, -1)
    return torch.softmax(scores - scores.amax(-2, keepdim=True), dim=-1) @ value


@mistake(
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
def attention_without_a_shift(query, key, value):
    powers = torch.exp(query @ key.transpose(-2, -1))
    return powers / powers.sum(dim=-1, keepdim=True) @ value


@mistake(
    hint="One maximum is subtracted from all scores, so the exponentials of a low row vanish. Take each row's own.",
    ko="모든 점수에서 같은 최댓값을 빼서 낮은 행의 지수가 사라집니다. 행마다 최댓값을 빼세요.",
)
def attention_shifted_by_one_maximum(query, key, value):
    scores = query @ key.transpose(-2, -1)
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum(dim=-1, keepdim=True) @ value


@mistake(
    hint="The numbers go by way of float32, so float64 loses digits on the way. Stay in the dtype of the inputs.",
    ko="중간에 float32를 거쳐 float64의 자릿수를 잃습니다. 입력의 dtype으로 계산하세요.",
)
def attention_by_way_of_float32(query, key, value):
    weights = torch.softmax(query.float() @ key.float().mT, dim=-1)
    return (weights @ value.float()).to(value.dtype)


@mistake(
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def zeros_for_all_queries(query, key, value):
    return value.new_zeros(*query.shape[:-1], value.shape[-1])


@mistake(
    hint="`view` needs an input that is contiguous in memory; a transposed one is not. `reshape` takes both.",
    ko="`view`는 메모리에 이어진 입력만 받습니다. 전치한 텐서는 그렇지 않습니다. `reshape`는 둘 다 받습니다.",
)
def attention_through_view(query, key, value):
    q, k, v = (part.view(-1, *part.shape[-2:]) for part in (query, key, value))
    return torch.bmm(torch.softmax(torch.bmm(q, k.mT), dim=-1), v).view(*query.shape[:-1], value.shape[-1])
