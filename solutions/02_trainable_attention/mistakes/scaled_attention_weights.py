"""Wrong answers to `scaled_attention_weights`, each with the hint that a student with this answer gets."""

import math

import torch

from grader.course.variants import mistake


@mistake(marks="slip", hint="Divide the scores: d_k is never used.", ko="d_k를 쓰지 않았습니다. 점수를 나누세요.")
def weights_not_scaled(scores, d_k):
    return torch.softmax(scores, dim=-1)


@mistake(
    hint="Divide by the root of the key size, not by it.", ko="키 크기가 아니라 그 제곱근으로 나누세요.", marks="slip"
)
def weights_by_d_k(scores, d_k):
    return torch.softmax(scores / d_k, dim=-1)


@mistake(hint="Take the softmax over keys, not queries.", ko="소프트맥스는 쿼리가 아니라 키 방향입니다.", marks="slip")
def weights_over_queries(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-2)


@mistake(
    hint="The softmax runs over the first axis; it belongs on the keys, the last one.",
    ko="소프트맥스를 첫 축으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
def weights_over_first_axis(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=0)


@mistake(
    hint="The second axis is that of the keys only without leading dimensions; count from the end.",
    ko="둘째 축은 앞에 차원이 없을 때만 키의 축입니다. 뒤에서 세세요.",
)
def weights_over_second_axis(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=1)


@mistake(hint="All scores share one sum; every row has its own.", ko="합이 하나뿐입니다. 행마다 따로여야 합니다.")
def weights_over_everything(scores, d_k):
    return torch.softmax((scores / math.sqrt(d_k)).flatten(), dim=0).view_as(scores)


@mistake(
    hint="The division comes after the softmax, so the rows do not sum to 1; divide the scores.",
    ko="소프트맥스 뒤에 나누어 행의 합이 1이 아닙니다. 점수를 나누세요.",
)
def weights_scaled_after(scores, d_k):
    return torch.softmax(scores, dim=-1) / math.sqrt(d_k)


@mistake(
    hint="The scores are scaled, but not yet weights: the softmax is missing.",
    ko="점수를 나누었지만 아직 가중치가 아닙니다. 소프트맥스가 빠졌습니다.",
)
def weights_scores_only(scores, d_k):
    return scores / math.sqrt(d_k)


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.", marks="slip")
def weights_softmax_twice(scores, d_k):
    return torch.softmax(torch.softmax(scores / math.sqrt(d_k), dim=-1), dim=-1)


@mistake(
    marks="trivial",
    hint="A sigmoid looks at each score alone; the weights of a row share the whole.",
    ko="시그모이드는 점수를 하나씩 따로 봅니다. 한 행의 가중치는 전체를 나누어 가집니다.",
)
def weights_sigmoid(scores, d_k):
    return torch.sigmoid(scores / math.sqrt(d_k))


@mistake(
    hint="Dividing by the sum alone is not a softmax: the exponential is missing, and weights become negative.",
    ko="합으로 나누기만 하면 소프트맥스가 아닙니다. 지수 함수가 빠져 음수 가중치가 나옵니다.",
)
def weights_without_exponential(scores, d_k):
    scaled = scores / math.sqrt(d_k)
    return scaled / scaled.sum(-1, keepdim=True)


@mistake(
    hint="The sums are along the wrong axis: keep the dimension that you sum over.",
    ko="합이 엉뚱한 축에 놓입니다. 합한 차원을 keepdim으로 남기세요.",
)
def weights_keepdim_forgotten(scores, d_k):
    powers = (scores / math.sqrt(d_k)).exp()
    return powers / powers.sum(-1)


@mistake(
    hint="The future is hidden here, which is the next assignment's matter; every key may be seen.",
    ko="미래를 가렸습니다. 그것은 다음 과제의 일입니다. 여기서는 모든 키를 봅니다.",
)
def weights_causal(scores, d_k):
    T = scores.shape[-1]
    future = torch.ones(scores.shape[-2], T, dtype=torch.bool, device=scores.device).triu(1)
    return torch.softmax((scores / math.sqrt(d_k)).masked_fill(future, float("-inf")), dim=-1)


@mistake(hint="The result is detached: no gradient flows back.", ko="detach로 기울기가 끊겼습니다.", marks="point")
def weights_detached(scores, d_k):
    return torch.softmax(scores.detach() / math.sqrt(d_k), dim=-1)


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
def weights_into_float32(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1, dtype=torch.float32)


@mistake(
    hint="An operation that ends in an underscore, or `*=` and the like, changes the caller's tensor; use the plain one.",
    ko="밑줄로 끝나는 연산이나 `*=` 같은 연산은 부른 쪽의 텐서를 바꿉니다. 보통 연산을 쓰세요.",
    marks="point",
)
def weights_in_place(scores, d_k):
    with torch.no_grad():
        scores /= math.sqrt(d_k)
    return torch.softmax(scores, dim=-1)


@mistake(hint="`squeeze` also removes axes of size 1 that you need.", ko="`squeeze`는 필요한 크기 1인 축도 없앱니다.")
def weights_squeezed(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1).squeeze()


@mistake(hint="All get the same share, whatever their scores.", ko="점수와 상관없이 몫이 같습니다.", marks="trivial")
def weights_in_equal_shares(scores, d_k):
    return torch.full_like(scores, 1 / scores.shape[-1])


@mistake(marks="point", hint="Large scores overflow: subtract row maxima.", ko="넘치지 않게 행의 최댓값을 빼세요.")
def weights_without_a_shift(scores, d_k):
    powers = (scores / d_k**0.5).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


@mistake(hint="Divide by the sum, not by the Euclidean length.", ko="유클리드 길이가 아니라 합으로 나누세요.")
def weights_by_euclidean_length(scores, d_k):
    scaled = scores / math.sqrt(d_k)
    powers = torch.exp(scaled - scaled.amax(-1, keepdim=True))
    return powers / powers.norm(dim=-1, keepdim=True)


@mistake(hint="Divide by the sum: a row's largest weight is 1.", ko="합으로 나누세요. 행의 최댓값이 1입니다.")
def weights_not_divided(scores, d_k):
    return torch.exp((scores - scores.amax(-1, keepdim=True)) / math.sqrt(d_k))


@mistake(hint="Subtract the maximum before the exponential.", ko="최댓값은 지수를 취하기 전에 빼세요.")
def maximum_off_the_exponentials(scores, d_k):
    powers = torch.exp(scores / math.sqrt(d_k))
    powers = powers - powers.amax(-1, keepdim=True)
    return powers / powers.sum(-1, keepdim=True)
