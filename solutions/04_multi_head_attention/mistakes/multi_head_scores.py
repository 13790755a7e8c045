"""Wrong answers to `multi_head_scores`, each with the hint that a student with this answer gets."""

import math

import torch

from grader.course.variants import mistake


@mistake(
    marks="slip",
    hint="These scores are already divided by the root of head_dim; here they are asked for as they are.",
    ko="점수를 이미 head_dim의 제곱근으로 나누었습니다. 여기서는 나누지 않은 점수가 필요합니다.",
)
def scores_scaled(queries, keys):
    return queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])


@mistake(hint="These are weights; the softmax comes later.", ko="가중치입니다. 소프트맥스는 나중입니다.", marks="slip")
def scores_softmaxed(queries, keys):
    return torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)


@mistake(
    hint="The keys have to be transposed, so that each of their rows meets each query.",
    ko="키를 전치해야 각 키가 각 쿼리와 만납니다.",
)
def scores_transpose_forgotten(queries, keys):
    return queries @ keys


@mistake(hint="Queries and keys are swapped: rows are queries.", ko="쿼리와 키가 바뀌었습니다. 행이 쿼리입니다.")
def scores_swapped(queries, keys):
    return keys @ queries.transpose(-2, -1)


@mistake(hint="Queries meet queries: no key is used.", ko="쿼리끼리 비교해 키가 쓰이지 않습니다.")
def scores_queries_only(queries, keys):
    return queries @ queries.transpose(-2, -1)


@mistake(hint="Every head keeps its own scores.", ko="헤드마다 자기 점수가 있습니다.")
def scores_heads_added(queries, keys):
    return (queries @ keys.transpose(-2, -1)).sum(dim=-3)


@mistake(
    hint="Heads are compared with heads here; compare tokens with tokens inside each head.",
    ko="헤드끼리 비교했습니다. 각 헤드 안에서 토큰끼리 비교하세요.",
)
def scores_between_heads(queries, keys):
    return queries.transpose(-3, -2) @ keys.transpose(-3, -2).transpose(-2, -1)


@mistake(
    marks="slip",
    hint="Only each token's own key was met: every query needs a score with every key.",
    ko="자기 자신의 키하고만 비교했습니다. 모든 쿼리가 모든 키와 점수를 가져야 합니다.",
)
def scores_own_key_only(queries, keys):
    return (queries * keys).sum(dim=-1)


@mistake(
    marks="slip",
    hint="The products are averaged over the features; a dot product is their sum.",
    ko="곱을 특징에 대해 평균했습니다. 내적은 합입니다.",
)
def scores_mean(queries, keys):
    return (queries[..., :, None, :] * keys[..., None, :, :]).mean(dim=-1)


@mistake(
    hint="Axes counted from the front are right for one number of dimensions only: count them from the end.",
    ko="앞에서 센 축 번호는 차원 수가 하나로 정해져 있을 때만 맞습니다. 뒤에서 세세요.",
)
def scores_axes_from_the_front(queries, keys):
    return queries @ keys.transpose(2, 3)


@mistake(
    hint="A negative distance grows with similarity too, but the dot product is asked for.",
    ko="음의 거리도 비슷할수록 커지지만, 여기서는 내적이 필요합니다.",
)
def scores_negative_distance(queries, keys):
    return -((queries[..., :, None, :] - keys[..., None, :, :]) ** 2).sum(dim=-1)


@mistake(
    marks="point",
    hint="The result is cut off from the queries and keys: no gradient can flow back.",
    ko="결과가 쿼리와 키에서 끊겨 기울기가 흐르지 않습니다.",
)
def scores_detached(queries, keys):
    return (queries @ keys.transpose(-2, -1)).detach()


@mistake(hint="Operations that end in `_` change the tensor.", ko="`_`로 끝나는 연산은 텐서를 바꿉니다.", marks="point")
def scores_keys_in_place(queries, keys):
    return queries @ keys.transpose_(-2, -1)


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
def scores_into_float32(queries, keys):
    scores = torch.zeros(*queries.shape[:-1], keys.shape[-2])
    for h in range(queries.shape[-3]):
        scores[..., h, :, :] = queries[..., h, :, :] @ keys[..., h, :, :].mT
    return scores


@mistake(
    hint="`.T` turns all axes round, and `transpose(1, 2)` counts from the front; swap the last two only.",
    ko="`.T`는 모든 축을 뒤집고 `transpose(1, 2)`는 앞에서 셉니다. 마지막 두 축만 바꾸세요.",
)
def scores_all_axes_reversed(queries, keys):
    return queries @ keys.permute(*reversed(range(keys.dim())))


@mistake(hint="`*` multiplies entries; a score is a dot product.", ko="`*`는 원소끼리 곱합니다. 점수는 내적입니다.")
def scores_entry_by_entry(queries, keys):
    return queries * keys


@mistake(
    hint="Heads and tokens were folded into one axis, so heads meet each other.",
    ko="헤드와 토큰을 한 축으로 합쳐 헤드끼리 만납니다.",
)
def scores_heads_folded(queries, keys):
    return queries.flatten(-3, -2) @ keys.flatten(-3, -2).mT


@mistake(
    hint="The scores are divided by the root of the number of heads; nothing is scaled here.",
    ko="점수를 헤드 수의 제곱근으로 나누었습니다. 여기서는 나누지 않습니다.",
)
def scores_by_root_of_heads(queries, keys):
    return queries @ keys.mT / queries.shape[-3] ** 0.5


@mistake(hint="Only zeros come back: the input is not used.", ko="0뿐입니다. 입력을 쓰지 않았습니다.", marks="trivial")
def scores_zeros(queries, keys):
    return queries.new_zeros(*queries.shape[:-1], queries.shape[-2])


@mistake(hint="Features are compared; compare the tokens.", ko="특징이 아니라 토큰을 비교하세요.")
def scores_of_features(queries, keys):
    return queries.mT @ keys


@mistake(hint="This is the cosine; dot products keep the lengths.", ko="코사인입니다. 내적은 길이를 그대로 둡니다.")
def scores_of_cosines(queries, keys):
    return torch.nn.functional.normalize(queries, dim=-1) @ torch.nn.functional.normalize(keys, dim=-1).mT


@mistake(hint="Every head keeps its own scores.", ko="헤드마다 자기 점수가 있습니다.")
def scores_heads_averaged(queries, keys):
    scores = queries @ keys.mT
    return scores.mean(-3, keepdim=True).expand_as(scores)


@mistake(
    marks="device",
    hint="The scores are collected in zeros that are made on the CPU.",
    ko="점수를 CPU에서 만든 0에 모읍니다.",
)
def multi_scores_on_zeros_of_the_cpu(queries, keys):
    T, S = queries.shape[-2], keys.shape[-2]
    return torch.zeros(T, S, dtype=queries.dtype) + queries @ keys.mT
