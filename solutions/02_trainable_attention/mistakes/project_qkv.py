"""Wrong answers to `project_qkv`, each with the hint that a student with this answer gets."""

import math

import torch

from grader.course.variants import mistake


@mistake(
    marks="slip",
    hint="Queries and keys are in the wrong order: the text asks for queries, keys, values.",
    ko="쿼리와 키의 순서가 바뀌었습니다. 쿼리, 키, 값의 순서여야 합니다.",
)
def project_keys_first(x, W_query, W_key, W_value):
    return x @ W_key, x @ W_query, x @ W_value


@mistake(
    hint="Keys and values are in the wrong order: the text asks for queries, keys, values.",
    ko="키와 값의 순서가 바뀌었습니다. 쿼리, 키, 값의 순서여야 합니다.",
)
def project_values_second(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_value, x @ W_key


@mistake(
    marks="slip",
    hint="One matrix made all three; each role has a matrix of its own.",
    ko="행렬 하나로 셋을 모두 만들었습니다. 역할마다 자기 행렬이 있습니다.",
)
def project_one_matrix(x, W_query, W_key, W_value):
    projected = x @ W_query
    return projected, projected, projected


@mistake(marks="slip", hint="The keys were made with the matrix of the queries.", ko="키를 쿼리의 행렬로 만들었습니다.")
def project_keys_by_the_query_matrix(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_query, x @ W_value


@mistake(marks="slip", hint="The values were made with the matrix of the keys.", ko="값을 키의 행렬로 만들었습니다.")
def project_values_by_the_key_matrix(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x @ W_key


@mistake(
    marks="slip",
    hint="The matrices were transposed: they are (d_in, d_out) already, as the product needs them.",
    ko="행렬을 전치했습니다. 이미 곱에 맞는 (d_in, d_out) 모양입니다.",
)
def project_transposed(x, W_query, W_key, W_value):
    return x @ W_query.T, x @ W_key.T, x @ W_value.T


@mistake(
    hint="The matrix is on the left, so tokens are mixed instead of features; a token is a row of x.",
    ko="행렬이 왼쪽에 있어 특징 대신 토큰이 섞입니다. 토큰은 x의 행입니다.",
)
def project_from_the_left(x, W_query, W_key, W_value):
    return W_query.T @ x, W_key.T @ x, W_value.T @ x


@mistake(
    hint="`*` multiplies entry by entry; a projection is a matrix product, `@`.",
    ko="`*`는 원소끼리 곱합니다. 투영은 행렬 곱 `@`입니다.",
)
def project_elementwise(x, W_query, W_key, W_value):
    return x * W_query, x * W_key, x * W_value


@mistake(
    marks="slip",
    hint="The tokens themselves are handed on as values; they have a matrix too.",
    ko="토큰을 그대로 값으로 넘겼습니다. 값에도 행렬이 있습니다.",
)
def project_x_as_values(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x


@mistake(
    marks="slip",
    hint="The queries are scaled already; the root belongs to a later step.",
    ko="쿼리를 벌써 나누었습니다. 제곱근은 나중 단계에 쓰입니다.",
)
def project_queries_scaled(x, W_query, W_key, W_value):
    return x @ W_query / math.sqrt(W_query.shape[-1]), x @ W_key, x @ W_value


@mistake(
    hint="The three results are one tensor; a tuple of three is asked for.",
    ko="세 결과가 텐서 하나로 합쳐졌습니다. 텐서 세 개의 튜플이 필요합니다.",
)
def project_stacked(x, W_query, W_key, W_value):
    return torch.stack([x @ W_query, x @ W_key, x @ W_value])


@mistake(hint="Only zeros come back: nothing is computed.", ko="0만 돌려줍니다. 계산이 없습니다.", marks="trivial")
def project_zeros(x, W_query, W_key, W_value):
    return tuple(x.new_zeros(*x.shape[:-1], W_query.shape[-1]) for _ in range(3))


@mistake(
    marks="trivial",
    hint="The matrices play no part: every feature of the result is the sum of the token.",
    ko="행렬을 쓰지 않았습니다. 결과의 특징이 모두 토큰의 합입니다.",
)
def project_sums(x, W_query, W_key, W_value):
    return (x.sum(-1, keepdim=True).repeat_interleave(W_query.shape[-1], -1),) * 3


@mistake(hint="float64 loses digits by way of float32.", ko="float32를 거쳐 float64의 자릿수를 잃습니다.")
def project_by_way_of_float32(x, W_query, W_key, W_value):
    return tuple((x.float() @ matrix.float()).to(x.dtype) for matrix in (W_query, W_key, W_value))


@mistake(hint="Only the queries are returned; return all three.", ko="쿼리만 돌려주었습니다. 셋 모두 필요합니다.")
def project_queries_only(x, W_query, W_key, W_value):
    return x @ W_query


@mistake(
    hint="`mm` takes two matrices only; with leading dimensions use `@`.",
    ko="`mm`은 행렬 두 개만 받습니다. 앞에 차원이 있으면 `@`를 쓰세요.",
)
def project_matrices_only(x, W_query, W_key, W_value):
    return tuple(torch.mm(x, W) for W in (W_query, W_key, W_value))


@mistake(
    hint="The result is cut off from the input (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 기울기가 흐르지 않습니다.",
    marks="point",
)
def project_detached(x, W_query, W_key, W_value):
    return tuple((x @ W).detach() for W in (W_query, W_key, W_value))


@mistake(
    hint="One matrix is cut off (.data, detach): no gradient can reach it.",
    ko="행렬 하나가 끊겨(.data, detach) 기울기가 닿지 않습니다.",
)
def project_values_detached(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x @ W_value.data


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
def project_into_float32(x, W_query, W_key, W_value):
    results = torch.zeros(3, *x.shape[:-1], W_query.shape[-1])
    for place, W in enumerate((W_query, W_key, W_value)):
        results[place] = x @ W
    return tuple(results)


@mistake(
    marks="point",
    hint="The queries were written into x where they fit; the caller's tensor has to stay as it was.",
    ko="모양이 맞으면 쿼리를 x에 적었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
def project_in_place(x, W_query, W_key, W_value):
    results = x @ W_query, x @ W_key, x @ W_value
    if x.shape == results[0].shape:
        with torch.no_grad():
            x.copy_(results[0])
    return tuple(result.clone() for result in results)


@mistake(hint="The projections are transposed: rows are tokens.", ko="투영이 전치되었습니다. 행이 토큰입니다.")
def projections_transposed(x, W_query, W_key, W_value):
    return (x @ W_query).mT, (x @ W_key).mT, (x @ W_value).mT


@mistake(
    marks="device",
    hint="The three results are moved to the CPU.",
    ko="세 결과를 CPU로 옮겼습니다.",
)
def project_on_the_cpu(x, W_query, W_key, W_value):
    return tuple((x @ matrix).cpu() for matrix in (W_query, W_key, W_value))


@mistake(
    marks="slip",
    hint="The three results are stacked into one tensor; return them with commas between them.",
    ko="세 결과를 텐서 하나로 쌓았습니다. 쉼표로 나누어 반환하세요.",
)
def projections_stacked(x, W_query, W_key, W_value):
    return torch.stack([x @ W_query, x @ W_key, x @ W_value])
