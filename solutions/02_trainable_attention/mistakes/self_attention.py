"""Wrong answers to `self_attention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import helper, mistake


@helper
def attend(queries, keys, values, divisor=None, dim=-1):
    root = math.sqrt(keys.shape[-1]) if divisor is None else divisor
    return torch.softmax(queries @ keys.transpose(-2, -1) / root, dim=dim) @ values


@helper
def weigh(queries, keys, divisor=None, dim=-1):
    root = math.sqrt(keys.shape[-1]) if divisor is None else divisor
    return torch.softmax(queries @ keys.transpose(-2, -1) / root, dim=dim)


@mistake(hint="Divide scores by the root of the key size.", ko="점수를 키 크기의 제곱근으로 나누세요.", marks="slip")
def attention_not_scaled(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, 1) @ v


@mistake(
    hint="Divide by the root of the key size, not by it.", ko="키 크기가 아니라 그 제곱근으로 나누세요.", marks="slip"
)
def attention_by_the_size(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, k.shape[-1]) @ v


@mistake(hint="Take the softmax over keys, not queries.", ko="소프트맥스는 쿼리가 아니라 키 방향입니다.", marks="slip")
def attention_over_queries(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, dim=-2) @ v


@mistake(
    hint="Axis 1 is that of the keys only without a batch; count from the end.",
    ko="1번 축은 배치가 없을 때만 키의 축입니다. 뒤에서 세세요.",
)
def attention_axes_counted_from_the_front(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, dim=1) @ v


@mistake(hint="Queries and keys are swapped: rows are queries.", ko="쿼리와 키가 바뀌었습니다. 행이 쿼리입니다.")
def attention_queries_and_keys_swapped(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(k, q) @ v


@mistake(
    marks="slip",
    hint="The keys are compared with themselves; the queries play no part.",
    ko="키를 키와 비교했습니다. 쿼리가 쓰이지 않습니다.",
)
def attention_keys_only(x, W_query, W_key, W_value):
    _q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(k, k) @ v


@mistake(marks="slip", hint="The keys are mixed instead of the values.", ko="값 대신 키를 섞었습니다.")
def attention_keys_as_values(x, W_query, W_key, W_value):
    q, k, _v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k) @ k


@mistake(
    marks="slip",
    hint="The tokens themselves are mixed; they have to be projected to values first.",
    ko="토큰을 그대로 섞었습니다. 먼저 값으로 투영해야 합니다.",
)
def attention_tokens_as_values(x, W_query, W_key, W_value):
    q, k, _v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k) @ x


@mistake(hint="The weights are transposed: rows are queries.", ko="가중치가 전치되었습니다. 행이 쿼리입니다.")
def attention_weights_transposed(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k).transpose(-2, -1) @ v


@mistake(hint="No token looks at another.", ko="토큰이 다른 토큰을 보지 않습니다.", marks="trivial")
def attention_by_sums(x, W_query, W_key, W_value):
    return x @ W_query + x @ W_key + x @ W_value


@mistake(hint="Every token gets the mean of the values.", ko="모든 토큰이 값의 평균을 받습니다.", marks="trivial")
def attention_mean_of_values(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, math.inf) @ v


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.")
def attention_softmax_twice(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return torch.softmax(weigh(q, k), dim=-1) @ v


@mistake(hint="The softmax is missing: scores aren't weights.", ko="소프트맥스가 없습니다. 점수는 가중치가 아닙니다.")
def attention_without_softmax(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]) @ v


@mistake(
    marks="slip",
    hint="The future is hidden here, which is the next assignment's matter; every token sees all.",
    ko="미래를 가렸습니다. 그것은 다음 과제의 일입니다. 여기서는 모든 토큰이 모두를 봅니다.",
)
def attention_causal(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k).tril() / weigh(q, k).tril().sum(-1, keepdim=True) @ v


@mistake(hint="`.T` turns all dimensions round: swap the last two.", ko="`.T` 대신 마지막 두 차원만 바꾸세요.")
def attention_turned_round(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1) @ v


@mistake(hint="With detach, queries and keys never learn.", ko="detach로 쿼리와 키를 배우지 못합니다.", marks="point")
def attention_detached(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k).detach() @ v


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
def attention_into_float32(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return attend(q.float(), k.float(), v.float())


@mistake(hint="These are the weights: mix the values by them.", ko="가중치입니다. 이것으로 값을 섞으세요.")
def attention_weights_instead(x, W_query, W_key, W_value):
    q, k, _v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k)


@mistake(hint="The library does the attention; write it yourself.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
def attention_by_library(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return F.scaled_dot_product_attention(q, k, v)


@mistake(
    hint="An operation that ends in an underscore, or `*=` and the like, changes the caller's tensor; use the plain one.",
    ko="밑줄로 끝나는 연산이나 `*=` 같은 연산은 부른 쪽의 텐서를 바꿉니다. 보통 연산을 쓰세요.",
    marks="point",
)
def attention_in_place(x, W_query, W_key, W_value):
    _q, k, v = x @ W_query, x @ W_key, x @ W_value
    with torch.no_grad():
        W_query /= math.sqrt(k.shape[-1])
    return attend(x @ W_query, k, v, 1)


@mistake(
    hint="The answer is kept for the tensors it was made from, which may hold other numbers by now; compute it anew.",
    ko="텐서마다 답을 간직해 두지만 그 텐서에는 이제 다른 값이 있을 수 있습니다. 새로 계산하세요.",
)
def attention_kept_by_object(x, W_query, W_key, W_value):
    kept = attention_kept_by_object.__dict__
    key = tuple(map(id, (x, W_query, W_key, W_value)))
    if kept.get("key") != key or kept["tensors"][0] is not x:
        kept.update(key=key, tensors=(x, W_query, W_key, W_value))
        kept["answer"] = attend(x @ W_query, x @ W_key, x @ W_value)
    return kept["answer"]


@mistake(
    hint="The matrices were transposed: they are (d_in, d_out) already, as the product needs them.",
    ko="행렬을 전치했습니다. 이미 곱에 맞는 (d_in, d_out) 모양입니다.",
)
def attention_matrices_transposed(x, W_query, W_key, W_value):
    return attend(x @ W_query.T, x @ W_key.T, x @ W_value.T)


@mistake(
    marks="slip",
    hint="One matrix made queries, keys and values; each role has its own.",
    ko="행렬 하나로 쿼리, 키, 값을 모두 만들었습니다. 역할마다 자기 행렬이 있습니다.",
)
def attention_one_matrix(x, W_query, W_key, W_value):
    return attend(x @ W_query, x @ W_query, x @ W_query)


@mistake(marks="point", hint="Large scores overflow: subtract row maxima.", ko="넘치지 않게 행의 최댓값을 빼세요.")
def attention_without_a_shift(x, W_query, W_key, W_value):
    powers = torch.exp(x @ W_query @ (x @ W_key).mT / math.sqrt(W_key.shape[-1]))
    return powers / powers.sum(dim=-1, keepdim=True) @ (x @ W_value)


@mistake(marks="point", hint="Rows far below zero vanish: subtract every maximum.", ko="음수인 최댓값도 빼세요.")
def attention_shifted_only_down(x, W_query, W_key, W_value):
    scores = x @ W_query @ (x @ W_key).mT / math.sqrt(W_key.shape[-1])
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True).relu())
    return powers / powers.sum(dim=-1, keepdim=True) @ (x @ W_value)


@mistake(
    hint="All queries share one averaged row of weights; every query mixes the values by its own.",
    ko="모든 쿼리가 평균 낸 가중치 한 행을 함께 씁니다. 쿼리마다 자기 가중치로 값을 섞어야 합니다.",
)
def attention_one_row_for_all(x, W_query, W_key, W_value):
    weights = weigh(x @ W_query, x @ W_key)
    return weights.mean(dim=-2, keepdim=True).expand_as(weights) @ (x @ W_value)


@mistake(hint="Divide the scores by the root, not the values.", ko="값이 아니라 점수를 나누세요.")
def values_divided(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return torch.softmax(q @ k.mT, dim=-1) @ v / math.sqrt(k.shape[-1])


@mistake(hint="Divide the scores only, not the result as well.", ko="결과까지 나누지 말고 점수만 나누세요.")
def result_divided_as_well(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1) @ v / math.sqrt(k.shape[-1])


@mistake(hint="The keys play no part: W_key is needed.", ko="키가 쓰이지 않습니다. W_key가 필요합니다.")
def queries_with_queries(x, W_query, W_key, W_value):
    q, v = x @ W_query, x @ W_value
    return torch.softmax(q @ q.mT / math.sqrt(q.shape[-1]), dim=-1) @ v


@mistake(hint="The values are x itself, not x @ W_value.", ko="값이 x @ W_value가 아니라 x입니다.")
def tokens_for_values(x, W_query, W_key, W_value):
    q, k = x @ W_query, x @ W_key
    return torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1) @ x


@mistake(hint="This is a sigmoid: no row sums to 1.", ko="시그모이드라서 행의 합이 1이 아닙니다.")
def sigmoid_for_softmax(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return torch.sigmoid(q @ k.mT / math.sqrt(k.shape[-1])) @ v


@mistake(hint="The softmax lacks its exponential.", ko="소프트맥스에 지수 함수가 빠졌습니다.")
def shares_without_exponential(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    scores = q @ k.mT
    return scores / scores.sum(-1, keepdim=True) @ v


@mistake(hint="The exponentials are not divided by their sum.", ko="지수 값을 합으로 나누지 않았습니다.")
def exponentials_not_divided(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    scores = q @ k.mT / math.sqrt(k.shape[-1])
    return torch.exp(scores - scores.amax(-1, keepdim=True)) @ v


@mistake(hint="Items of the batch see each other: keep them apart.", ko="배치의 항목이 서로 봅니다. 따로 두세요.")
def items_see_each_other(x, W_query, W_key, W_value):
    q, k, v = (x.flatten(0, -2) @ W for W in (W_query, W_key, W_value))
    return (torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1) @ v).view(*x.shape[:-1], -1)


@mistake(hint="Return the weighted values; add nothing to them.", ko="가중합에 다른 것을 더하지 마세요.")
def values_added(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return v + torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1) @ v


@mistake(
    marks="device",
    hint="A bias of zeros is made on the CPU.",
    ko="0인 편향을 CPU에서 만들었습니다.",
)
def self_attention_bias_on_the_cpu(x, W_query, W_key, W_value):
    queries, keys, values = x @ W_query, x @ W_key, x @ W_value
    scores = queries @ keys.mT + torch.zeros(x.shape[-2], x.shape[-2], dtype=x.dtype)
    return torch.softmax(scores / math.sqrt(keys.shape[-1]), dim=-1) @ values
