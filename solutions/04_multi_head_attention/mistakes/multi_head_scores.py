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


@mistake(
    marks="slip",
    hint="These are weights already; the softmax comes in a later step.",
    ko="이미 가중치입니다. 소프트맥스는 다음 단계에서 합니다.",
)
def scores_softmaxed(queries, keys):
    return torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)


@mistake(
    hint="The keys have to be transposed, so that each of their rows meets each query.",
    ko="키를 전치해야 각 키가 각 쿼리와 만납니다.",
)
def scores_transpose_forgotten(queries, keys):
    return queries @ keys


@mistake(
    hint="Rows and columns are swapped: the rows belong to the queries, the columns to the keys.",
    ko="행과 열이 바뀌었습니다. 행은 쿼리, 열은 키입니다.",
)
def scores_swapped(queries, keys):
    return keys @ queries.transpose(-2, -1)


@mistake(
    hint="The queries are compared with themselves; the keys play no part.",
    ko="쿼리를 쿼리와 비교했습니다. 키가 쓰이지 않습니다.",
)
def scores_queries_only(queries, keys):
    return queries @ queries.transpose(-2, -1)


@mistake(
    hint="The scores of all heads are added up; every head keeps its own.",
    ko="모든 헤드의 점수를 더했습니다. 헤드마다 따로 두어야 합니다.",
)
def scores_heads_added(queries, keys):
    return (queries @ keys.transpose(-2, -1)).sum(dim=-3)


@mistake(
    hint="Only one head's scores come out; all heads are asked for.",
    ko="한 헤드의 점수만 나옵니다. 모든 헤드가 필요합니다.",
)
def scores_of_one_head(queries, keys):
    return queries[..., 0, :, :] @ keys[..., 0, :, :].transpose(-2, -1)


@mistake(
    hint="Heads are compared with heads here; compare tokens with tokens inside each head.",
    ko="헤드끼리 비교했습니다. 각 헤드 안에서 토큰끼리 비교하세요.",
)
def scores_between_heads(queries, keys):
    return queries.transpose(-3, -2) @ keys.transpose(-3, -2).transpose(-2, -1)


@mistake(
    marks="trivial",
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


@mistake(
    marks="point",
    hint="An operation that ends in an underscore changes the caller's tensor itself; use the one without it.",
    ko="밑줄로 끝나는 연산은 부른 쪽의 텐서를 바꿉니다. 밑줄이 없는 연산을 쓰세요.",
)
def scores_keys_in_place(queries, keys):
    return queries @ keys.transpose_(-2, -1)


@mistake(
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
def scores_into_float32(queries, keys):
    scores = torch.zeros(*queries.shape[:-1], keys.shape[-2])
    for h in range(queries.shape[-3]):
        scores[..., h, :, :] = queries[..., h, :, :] @ keys[..., h, :, :].mT
    return scores


@mistake(
    hint="The equation has a letter for exactly one leading axis; `...` stands for any number of them.",
    ko="식에 앞 축이 꼭 하나인 글자만 있습니다. `...`은 몇 개든 나타냅니다.",
)
def scores_by_einsum_of_four(queries, keys):
    return torch.einsum("bhid,bhjd->bhij", queries, keys)


@mistake(
    hint="`permute(0, 1, 3, 2)` needs exactly four axes; swap the last two, whatever stands in front.",
    ko="`permute(0, 1, 3, 2)`는 축이 꼭 넷이어야 합니다. 앞에 무엇이 있든 마지막 두 축을 바꾸세요.",
)
def scores_permuted_four_axes(queries, keys):
    return queries @ keys.permute(0, 1, 3, 2)


@mistake(
    hint="`.T` turns all axes round, also batch and heads; swap the last two only.",
    ko="`.T`는 배치와 헤드까지 모든 축을 뒤집습니다. 마지막 두 축만 바꾸세요.",
)
def scores_all_axes_reversed(queries, keys):
    return queries @ keys.permute(*reversed(range(keys.dim())))


@mistake(
    hint="Heads and tokens of the keys were swapped; swap the last two axes.",
    ko="키의 헤드와 토큰을 바꾸었습니다. 마지막 두 축을 바꾸세요.",
)
def scores_heads_and_tokens_swapped(queries, keys):
    return queries @ keys.transpose(1, 2)


@mistake(
    hint="The scores of all heads are averaged; every head keeps its own.",
    ko="모든 헤드의 점수를 평균 냈습니다. 헤드마다 점수가 따로 있어야 합니다.",
)
def scores_heads_averaged(queries, keys):
    return (queries @ keys.mT).mean(-3)


@mistake(
    hint="`*` multiplies entry by entry; a score is a dot product.",
    ko="`*`는 원소끼리 곱합니다. 점수는 내적입니다.",
)
def scores_entry_by_entry(queries, keys):
    return queries * keys


@mistake(
    hint="The scores lose their sign; a negative dot product stays negative.",
    ko="점수의 부호가 사라졌습니다. 음수 내적은 음수로 두세요.",
)
def scores_unsigned(queries, keys):
    return (queries @ keys.mT).abs()


@mistake(
    hint="The heads of the keys stand in reverse order; compare inside the same head.",
    ko="키의 헤드 순서가 거꾸로입니다. 같은 헤드 안에서 비교하세요.",
)
def scores_with_other_heads(queries, keys):
    return queries @ keys.flip(-3).mT


@mistake(
    hint="The keys are compared with themselves; the queries play no part.",
    ko="키를 키와 비교했습니다. 쿼리가 쓰이지 않았습니다.",
)
def scores_keys_only(queries, keys):
    return keys @ keys.mT


@mistake(
    hint="Scores of later keys were set to 0; no mask is asked for here.",
    ko="뒤에 오는 키의 점수를 0으로 바꾸었습니다. 여기서는 가리지 않습니다.",
)
def scores_causal(queries, keys):
    return (queries @ keys.mT).tril()


@mistake(
    hint="Heads and tokens were folded into one axis, so heads meet each other.",
    ko="헤드와 토큰을 한 축으로 합쳐 헤드끼리 만납니다.",
)
def scores_heads_folded(queries, keys):
    return queries.flatten(-3, -2) @ keys.flatten(-3, -2).mT


@mistake(
    hint="The features are compared with each other; turn the keys round, not the queries.",
    ko="특징끼리 비교했습니다. 쿼리가 아니라 키를 전치하세요.",
)
def scores_of_features(queries, keys):
    return queries.mT @ keys


@mistake(
    hint="The products are added over the keys; a dot product adds over the features.",
    ko="곱을 키 방향으로 더했습니다. 내적은 특징 방향으로 더합니다.",
)
def scores_added_over_keys(queries, keys):
    return (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-2)


@mistake(
    hint="The scores are divided by the root of the number of heads; nothing is scaled here.",
    ko="점수를 헤드 수의 제곱근으로 나누었습니다. 여기서는 나누지 않습니다.",
)
def scores_by_root_of_heads(queries, keys):
    return queries @ keys.mT / queries.shape[-3] ** 0.5


@mistake(
    hint="The heads are stacked in front; their axis stands before the last two.",
    ko="헤드를 맨 앞에 쌓았습니다. 헤드 축은 마지막 두 축 바로 앞입니다.",
)
def scores_heads_in_front(queries, keys):
    return torch.stack([queries[..., h, :, :] @ keys[..., h, :, :].mT for h in range(queries.shape[-3])])


@mistake(
    hint="The scores of the heads come in a list; stack them to one tensor.",
    ko="헤드의 점수가 리스트로 나옵니다. 한 텐서로 쌓으세요.",
)
def scores_in_a_list(queries, keys):
    return [queries[..., h, :, :] @ keys[..., h, :, :].mT for h in range(queries.shape[-3])]


@mistake(
    hint="A negative distance is no dot product, though both grow with similarity.",
    ko="음의 거리는 내적이 아닙니다. 둘 다 비슷할수록 커질 뿐입니다.",
)
def scores_from_distances(queries, keys):
    return -torch.cdist(queries, keys)


@mistake(
    hint="The sign is turned round; similar vectors have large scores.",
    ko="부호가 뒤집혔습니다. 비슷한 벡터의 점수가 커야 합니다.",
)
def scores_negated(queries, keys):
    return -(queries @ keys.mT)


@mistake(
    hint="There are only zeros here; the input is never used.",
    ko="0뿐입니다. 입력을 쓰지 않았습니다.",
    marks="trivial",
)
def scores_zeros(queries, keys):
    return queries.new_zeros(*queries.shape[:-1], queries.shape[-2])
