"""Wrong answers to `dot_product_scores`, each with the hint that a student with this answer gets."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import mistake


@mistake(hint="Queries and keys are swapped: rows are queries.", ko="쿼리와 키가 바뀌었습니다. 행이 쿼리입니다.")
def scores_swapped(queries, keys):
    return keys @ queries.transpose(-2, -1)


@mistake(
    hint="`*` multiplies entry by entry; every query has to meet every key.",
    ko="`*`는 원소끼리 곱합니다. 모든 쿼리가 모든 키를 만나야 합니다.",
)
def scores_elementwise(queries, keys):
    return queries * keys


@mistake(
    hint="The keys have to be transposed, so that each of their rows meets each query.",
    ko="키를 전치해야 각 키의 행이 각 쿼리와 만납니다.",
)
def scores_transpose_forgotten(queries, keys):
    return queries @ keys


@mistake(
    marks="slip",
    hint="This is the negative squared distance; a dot product multiplies and adds.",
    ko="거리 제곱에 음수를 붙인 값입니다. 내적은 곱해서 더합니다.",
)
def scores_negative_distance(queries, keys):
    return -(queries.unsqueeze(-2) - keys.unsqueeze(-3)).square().sum(-1)


@mistake(
    hint="The sum runs over the queries; the features are to be summed away.",
    ko="합을 쿼리 방향으로 했습니다. 없어져야 할 축은 특징입니다.",
)
def scores_summed_over_queries(queries, keys):
    return (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-3)


@mistake(
    hint="Only one query is compared; every query has its row.",
    ko="쿼리 하나만 비교했습니다. 모든 쿼리에 행이 있어야 합니다.",
)
def scores_of_one_query(queries, keys):
    return (keys @ queries[..., 0, :, None]).squeeze(-1)


@mistake(
    marks="slip",
    hint="These scores are already divided by the root of d; here they are asked for as they are.",
    ko="점수를 이미 d의 제곱근으로 나누었습니다. 여기서는 나누지 않은 점수가 필요합니다.",
)
def scores_scaled(queries, keys):
    return queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])


@mistake(marks="slip", hint="The products are averaged; take their sum.", ko="곱의 평균입니다. 합을 구하세요.")
def scores_averaged(queries, keys):
    return (queries.unsqueeze(-2) * keys.unsqueeze(-3)).mean(-1)


@mistake(
    marks="slip",
    hint="This is the cosine of the angle; the length of the vectors counts as well.",
    ko="각의 코사인입니다. 벡터의 길이도 들어가야 합니다.",
)
def scores_cosine(queries, keys):
    return F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).transpose(-2, -1)


@mistake(hint="These are weights; the softmax comes later.", ko="가중치입니다. 소프트맥스는 나중입니다.")
def scores_softmaxed(queries, keys):
    return torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)


@mistake(hint="Queries meet queries: no key is used.", ko="쿼리끼리 비교해 키가 쓰이지 않습니다.", marks="trivial")
def scores_queries_only(queries, keys):
    return queries @ queries.transpose(-2, -1)


@mistake(hint="`.T` turns all dimensions round: swap the last two.", ko="`.T` 대신 마지막 두 차원만 바꾸세요.")
def scores_keys_turned_round(queries, keys):
    return queries @ keys.T


@mistake(
    hint="`bmm` and `transpose(1, 2)` want exactly three dimensions; count the axes from the end and use `@`.",
    ko="`bmm`과 `transpose(1, 2)`는 차원이 꼭 셋이어야 합니다. 축을 뒤에서 세고 `@`를 쓰세요.",
)
def scores_needs_a_batch(queries, keys):
    return torch.bmm(queries, keys.transpose(1, 2))


@mistake(
    hint="The result is cut off from the input (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 기울기가 흐르지 않습니다.",
    marks="point",
)
def scores_detached(queries, keys):
    return queries.detach() @ keys.detach().transpose(-2, -1)


@mistake(
    hint="A tensor made of Python numbers remembers nothing of the queries and keys: no gradient can flow back.",
    ko="파이썬 숫자로 만든 텐서는 쿼리와 키를 기억하지 못해 기울기가 흐르지 않습니다.",
)
def scores_rebuilt(queries, keys):
    rows = [[float(query @ key) for key in keys] for query in queries] if queries.dim() == 2 else None
    if rows is None:
        return torch.tensor((queries @ keys.transpose(-2, -1)).tolist(), dtype=queries.dtype)
    return torch.tensor(rows, dtype=queries.dtype)


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
def scores_into_float32(queries, keys):
    scores = torch.zeros(*queries.shape[:-1], keys.shape[-2])
    scores[:] = queries @ keys.transpose(-2, -1)
    return scores


@mistake(
    marks="point",
    hint="The queries themselves were changed; the caller's tensors have to stay as they were.",
    ko="쿼리 자체를 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
def scores_in_place(queries, keys):
    with torch.no_grad():
        queries *= 2
    return queries @ keys.transpose(-2, -1) / 2


@mistake(hint="Only zeros come back: nothing is computed.", ko="0만 돌려줍니다. 계산이 없습니다.", marks="trivial")
def scores_zero(queries, keys):
    return queries.new_zeros(*queries.shape[:-1], keys.shape[-2])


@mistake(hint="Only the second query asks; each of them has to.", ko="둘째 쿼리만 묻습니다. 모두 물어야 합니다.")
def scores_of_the_second_query(queries, keys):
    return (queries[..., 1:2, :] @ keys.transpose(-2, -1)).squeeze(-2)


@mistake(hint="Keys meet keys: no query is used.", ko="키끼리 비교해 쿼리가 쓰이지 않습니다.")
def keys_with_keys(queries, keys):
    return keys @ keys.transpose(-2, -1)


@mistake(hint="`.t()` fails with a batch: swap the last two axes.", ko="배치에서는 마지막 두 축을 바꾸세요.")
def transposed_by_t(queries, keys):
    return queries @ keys.t()


@mistake(
    marks="device",
    hint="The keys are moved to the CPU.",
    ko="키를 CPU로 옮겼습니다.",
)
def dot_keys_on_the_cpu(queries, keys):
    return queries @ keys.cpu().mT
