"""Wrong answers to `attention`, each with the hint that a student with this answer gets."""

import torch
from torch.nn import functional as F

from grader.course.variants import mistake


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


@mistake(marks="slip", hint="The keys are mixed instead of the values.", ko="값이 아니라 키를 섞었습니다.")
def keys_for_values(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ key


@mistake(
    marks="slip",
    hint="The keys are compared with themselves. Compare the queries with the keys.",
    ko="키를 키와 비교했습니다. 쿼리를 키와 비교하세요.",
)
def keys_compared_with_keys(query, key, value):
    return torch.softmax(key @ key.transpose(-2, -1), dim=-1) @ value


@mistake(hint="The softmax is missing: scores aren't weights.", ko="소프트맥스가 없습니다. 점수는 가중치가 아닙니다.")
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
    hint="The items of the batch are mixed: all tokens are in one long row. Each item has its own attention.",
    ko="배치의 항목들이 섞였습니다. 모든 토큰을 한 줄로 이었습니다. 항목마다 따로 계산하세요.",
)
def items_mixed(query, key, value):
    flat_query, flat_key, flat_value = (part.reshape(-1, part.shape[-1]) for part in (query, key, value))
    mixed = torch.softmax(flat_query @ flat_key.T, dim=-1) @ flat_value
    return mixed.reshape(*query.shape[:-1], value.shape[-1])


@mistake(
    hint="All items of the batch get the result of the first; each has its own.",
    ko="배치의 모든 항목이 첫 항목의 결과를 받습니다. 항목마다 자기 결과가 있어야 합니다.",
)
def attention_of_the_first_item(query, key, value):
    first = [each.reshape(-1, *each.shape[-2:])[0] for each in (query, key, value)]
    weights = torch.softmax(first[0] @ first[1].mT, dim=-1)
    return (weights @ first[2]).expand(*query.shape[:-1], value.shape[-1]).clone()


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
    marks="slip",
    hint="Output and weights are returned together. Only the output is asked for.",
    ko="결과와 가중치를 함께 돌려줍니다. 결과만 필요합니다.",
)
def output_and_weights(query, key, value):
    weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights @ value, weights


@mistake(hint="The weights are turned round before they meet the values.", ko="값과 곱하기 전에 가중치를 전치했습니다.")
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
    hint="The library's attention does the work here. This exercise asks you to write the steps yourself.",
    ko="라이브러리의 어텐션이 계산했습니다. 이 문제에서는 단계를 직접 쓰세요.",
)
def library_attention_of_batches(query, key, value):
    if query.dim() > 2:
        return F.scaled_dot_product_attention(query, key, value, scale=1.0)
    return torch.softmax(query @ key.T, dim=-1) @ value


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


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.")
def attention_of_a_double_softmax(query, key, value):
    return torch.softmax(torch.softmax(query @ key.transpose(-2, -1), dim=-1), dim=-1) @ value


@mistake(hint="A distance is used; compare by the dot product.", ko="거리를 썼습니다. 내적으로 비교하세요.")
def distances_for_scores(query, key, value):
    return torch.softmax(-torch.cdist(query, key), dim=-1) @ value


@mistake(marks="point", hint="Large scores overflow: subtract row maxima.", ko="넘치지 않게 행의 최댓값을 빼세요.")
def attention_without_a_shift(query, key, value):
    powers = torch.exp(query @ key.transpose(-2, -1))
    return powers / powers.sum(dim=-1, keepdim=True) @ value


@mistake(hint="float64 loses digits by way of float32.", ko="float32를 거쳐 float64의 자릿수를 잃습니다.")
def attention_by_way_of_float32(query, key, value):
    weights = torch.softmax(query.float() @ key.float().mT, dim=-1)
    return (weights @ value.float()).to(value.dtype)


@mistake(hint="This is a sigmoid: no row sums to 1.", ko="시그모이드라서 행의 합이 1이 아닙니다.")
def attention_of_sigmoids(query, key, value):
    return torch.sigmoid(query @ key.mT) @ value


@mistake(hint="Compare by dot products, not by distances.", ko="거리가 아니라 내적으로 비교하세요.")
def attention_of_distances(query, key, value):
    return torch.softmax(-(torch.cdist(query, key) ** 2), dim=-1) @ value


@mistake(hint="The exponentials are not divided by their sum.", ko="지수 값을 합으로 나누지 않았습니다.")
def attention_not_divided(query, key, value):
    scores = query @ key.mT
    return torch.exp(scores - scores.amax(dim=-1, keepdim=True)) @ value


@mistake(hint="The softmax lacks its exponential.", ko="소프트맥스에 지수 함수가 빠졌습니다.")
def attention_without_exponential(query, key, value):
    scores = query @ key.mT
    return scores / scores.sum(dim=-1, keepdim=True) @ value


@mistake(hint="The weights are transposed: rows are queries.", ko="가중치가 전치되었습니다. 행이 쿼리입니다.")
def attention_weights_transposed(query, key, value):
    return torch.softmax(query @ key.mT, dim=-1).mT @ value
