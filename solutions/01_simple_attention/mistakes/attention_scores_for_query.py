"""Wrong answers to `attention_scores_for_query`, each with the hint that a student with this answer gets."""

import torch
from torch.nn import functional as F

from grader.course.variants import mistake


@mistake(
    hint="A dot product multiplies feature by feature and then adds the products up; here the adding is missing.",
    ko="내적은 특징끼리 곱한 다음 모두 더합니다. 더하는 단계가 빠졌습니다.",
)
def products_not_added(inputs, query):
    return inputs * query


@mistake(
    marks="slip",
    hint="The products are added over the tokens. Add them over the features: one number a token remains.",
    ko="곱을 토큰 방향으로 더했습니다. 토큰마다 숫자 하나가 남도록 특징 방향으로 더하세요.",
)
def added_over_tokens(inputs, query):
    return (inputs * query).sum(dim=0)


@mistake(
    marks="slip",
    hint="A dot product is the sum of the products, not their mean.",
    ko="내적은 곱의 평균이 아니라 합입니다.",
)
def mean_of_products(inputs, query):
    return (inputs * query).mean(dim=-1)


@mistake(
    marks="slip",
    hint="The scores are divided by the root of d. This exercise asks for plain dot products; scaling comes later.",
    ko="점수를 d의 제곱근으로 나누었습니다. 여기서는 나누지 않은 내적이 필요합니다.",
)
def scaled_scores_for_query(inputs, query):
    return inputs @ query / query.shape[-1] ** 0.5


@mistake(
    hint="The vectors are brought to length 1 first, which gives the cosine. The plain dot product keeps the lengths.",
    ko="벡터의 길이를 1로 맞추어 코사인이 되었습니다. 내적은 길이를 그대로 둡니다.",
)
def cosine_for_query(inputs, query):
    return F.cosine_similarity(inputs, query[None], dim=-1)


@mistake(
    hint="This is a distance between vectors. A score is their dot product.",
    ko="벡터 사이의 거리를 계산했습니다. 점수는 내적입니다.",
)
def distance_for_query(inputs, query):
    return -((inputs - query) ** 2).sum(dim=-1)


@mistake(
    hint="The result is a column of shape (T, 1). The shape (T,) is asked for.",
    ko="결과가 모양이 (T, 1)인 열입니다. (T,) 모양이 필요합니다.",
)
def column_of_scores(inputs, query):
    return inputs @ query.unsqueeze(-1)


@mistake(
    hint="These are weights already. The scores are asked for as they are, before any normalisation.",
    ko="이미 가중치로 바꾸었습니다. 정규화하기 전의 점수가 필요합니다.",
)
def scores_already_normalized(inputs, query):
    return torch.softmax(inputs @ query, dim=0)


@mistake(
    hint="The second token is used as the query, whatever query is given. Use the argument.",
    ko="어떤 쿼리가 주어지든 두 번째 토큰을 쿼리로 씁니다. 인자로 받은 쿼리를 쓰세요.",
)
def second_token_as_query(inputs, query):
    return inputs @ inputs[min(1, len(inputs) - 1)]


@mistake(
    hint="A new tensor is float32 unless you say otherwise, so float64 inputs lose digits. Give it their dtype.",
    ko="새 텐서는 따로 정하지 않으면 float32라서 float64 입력의 정밀도를 잃습니다. 입력의 dtype을 주세요.",
)
def buffer_of_default_dtype(inputs, query):
    scores = torch.empty(inputs.shape[0])
    for index, token in enumerate(inputs):
        scores[index] = torch.dot(token, query)
    return scores


@mistake(
    hint="The result is built anew from Python numbers, so no gradient reaches the inputs. Compute with tensors.",
    ko="파이썬 숫자로 텐서를 새로 만들어 그래디언트가 입력까지 흐르지 않습니다. 텐서로 계산하세요.",
)
def scores_from_numbers(inputs, query):
    return torch.tensor([torch.dot(token, query).item() for token in inputs], dtype=inputs.dtype)


@mistake(
    marks="point",
    hint="The result is cut off from the inputs by detach(), so no gradient reaches them.",
    ko="detach()로 결과가 입력과 끊겨 그래디언트가 흐르지 않습니다.",
)
def detached_scores_for_query(inputs, query):
    return (inputs @ query).detach()


@mistake(
    marks="point",
    hint="The products are written into the caller's tokens. Work on a new tensor.",
    ko="곱을 호출한 쪽의 토큰에 덮어썼습니다. 새 텐서로 계산하세요.",
)
def tokens_overwritten(inputs, query):
    inputs *= query
    return inputs.sum(dim=-1)


@mistake(
    hint="With a single token squeeze() removes the last dimension too. The shape is (T,), also for T = 1.",
    ko="토큰이 하나이면 squeeze()가 남은 차원까지 없앱니다. T = 1이어도 모양은 (T,)입니다.",
)
def squeezed_too_far(inputs, query):
    return (inputs @ query.unsqueeze(-1)).squeeze()


@mistake(
    hint="The result is a Python list. A tensor is asked for; torch.stack makes one of a list of tensors.",
    ko="결과가 파이썬 리스트입니다. 텐서가 필요합니다. torch.stack으로 리스트를 텐서로 만들 수 있습니다.",
)
def list_of_scores(inputs, query):
    return [torch.dot(token, query) for token in inputs]


@mistake(
    hint="Every token is compared with every token. Here only the given query asks.",
    ko="모든 토큰을 서로 비교했습니다. 여기서는 주어진 쿼리만 묻습니다.",
)
def all_pairs_for_one_query(inputs, query):
    return inputs @ inputs.T


@mistake(
    marks="trivial",
    hint="Every token is compared with itself, and the query plays no part.",
    ko="토큰을 자기 자신과 비교했고 쿼리는 쓰지 않았습니다.",
)
def tokens_with_themselves(inputs, query):
    return (inputs * inputs).sum(dim=-1)


@mistake(
    marks="device",
    hint="The sums begin with zeros that are made on the CPU.",
    ko="합을 CPU에서 만든 0에서 시작합니다.",
)
def query_scores_begin_on_the_cpu(inputs, query):
    return torch.zeros(len(inputs), dtype=inputs.dtype) + inputs @ query


@mistake(
    marks="device",
    hint="The tensor that the loop fills is made on the CPU: give it `device=inputs.device`.",
    ko="반복문이 채우는 텐서를 CPU에 만들었습니다. `device=inputs.device`를 주세요.",
)
def filled_on_the_cpu(inputs, query):
    scores = torch.empty(inputs.shape[0], dtype=inputs.dtype)
    for index, token in enumerate(inputs):
        scores[index] = torch.dot(token, query)
    return scores
