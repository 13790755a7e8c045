"""Wrong answers to `attention_weights`, each with the hint that a student with this answer gets."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import mistake


@mistake(
    marks="slip",
    hint="The softmax runs down the columns. Each row belongs to one query and has to sum to 1.",
    ko="소프트맥스를 열을 따라 계산했습니다. 한 행이 쿼리 하나의 것이고, 행의 합이 1이어야 합니다.",
)
def columns_sum_to_one(scores):
    return torch.softmax(scores, dim=-2)


@mistake(
    hint="The softmax runs along dimension 0, which is not the last one.",
    ko="0번 차원을 따라 계산했습니다. 마지막 차원이 아닙니다.",
)
def along_dimension_zero(scores):
    return torch.softmax(scores, dim=0)


@mistake(
    hint="Dimension 1 is the last one of a single matrix only. Count from the end, so that a batch works as well.",
    ko="1번 차원은 행렬 하나일 때에만 마지막 차원입니다. 배치에서도 맞도록 뒤에서부터 세세요.",
)
def along_dimension_one(scores):
    return torch.softmax(scores, dim=1)


@mistake(
    hint="All entries of a matrix together sum to 1. Each row has to.",
    ko="행렬 전체의 합이 1입니다. 행마다 합이 1이어야 합니다.",
)
def matrix_sums_to_one(scores):
    return torch.softmax(scores.flatten(-2), dim=-1).reshape(scores.shape)


@mistake(
    marks="slip",
    hint="The scores are divided by the root of T or d first. They are to be used as they are.",
    ko="점수를 먼저 제곱근으로 나누었습니다. 점수를 그대로 쓰세요.",
)
def scaled_before_softmax(scores):
    return torch.softmax(scores / scores.shape[-1] ** 0.5, dim=-1)


@mistake(
    marks="trivial",
    hint="The sigmoid looks at each score alone. The weights of a row share one sum.",
    ko="시그모이드는 점수를 하나씩 따로 봅니다. 한 행의 가중치는 하나의 합을 나눕니다.",
)
def sigmoid_of_scores(scores):
    return torch.sigmoid(scores)


@mistake(
    hint="The exponential is missing: the scores themselves are divided by the sum of their row.",
    ko="지수 함수가 빠졌습니다. 점수를 그대로 행의 합으로 나누었습니다.",
)
def rows_divided_by_sum(scores):
    return scores / scores.sum(dim=-1, keepdim=True)


@mistake(
    marks="slip",
    hint="The row sums lose their dimension, so each entry is divided by the sum of another row. Use keepdim=True.",
    ko="행의 합에서 차원이 사라져 다른 행의 합으로 나눕니다. keepdim=True를 쓰세요.",
)
def row_sums_without_keepdim(scores):
    powers = torch.exp(scores)
    return powers / powers.sum(dim=-1)


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.", marks="slip")
def weights_taken_twice(scores):
    return torch.softmax(torch.softmax(scores, dim=-1), dim=-1)


@mistake(
    hint="These are logarithms of weights. The weights themselves are asked for.",
    ko="가중치의 로그입니다. 가중치 자체가 필요합니다.",
)
def log_weights(scores):
    return torch.log_softmax(scores, dim=-1)


@mistake(hint="Later tokens are hidden. Here every token sees all.", ko="뒤 토큰을 가렸습니다. 여기서는 모두 봅니다.")
def future_hidden(scores):
    future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
    return torch.softmax(scores.masked_fill(future, -math.inf), dim=-1)


@mistake(hint="The weights are float32: keep the given dtype.", ko="가중치가 float32입니다. dtype을 지키세요.")
def weights_in_float32(scores):
    return torch.softmax(scores, dim=-1, dtype=torch.float32)


@mistake(
    marks="point",
    hint="The weights are cut off from the scores by detach(), so no gradient reaches them.",
    ko="detach()로 가중치가 점수와 끊겨 그래디언트가 흐르지 않습니다.",
)
def detached_weights(scores):
    return torch.softmax(scores.detach(), dim=-1)


@mistake(
    marks="point",
    hint="The exponentials are written into the caller's scores. Make a new tensor.",
    ko="지수 값을 호출한 쪽의 점수에 덮어썼습니다. 새 텐서를 만드세요.",
)
def scores_overwritten(scores):
    scores.exp_()
    return scores / scores.sum(dim=-1, keepdim=True)


@mistake(
    hint="With a single token squeeze() removes dimensions of the result. The shape of the scores has to stay.",
    ko="토큰이 하나이면 squeeze()가 결과의 차원을 없앱니다. 점수의 모양이 그대로여야 합니다.",
)
def weights_squeezed(scores):
    return torch.softmax(scores.unsqueeze(0), dim=-1).squeeze()


@mistake(
    hint="Each column's maximum is subtracted, which shifts the scores of a row unevenly. Subtract the row's maximum.",
    ko="열마다 최댓값을 빼서 한 행의 점수들이 서로 다르게 옮겨집니다. 행의 최댓값을 빼세요.",
)
def shifted_by_column_maximum(scores):
    return torch.softmax(scores - scores.amax(-2, keepdim=True), dim=-1)


@mistake(
    hint="All weight goes to the largest score of a row. Softmax leaves every score a share.",
    ko="행마다 가장 큰 점수가 가중치를 모두 가졌습니다. 소프트맥스는 모든 점수에 몫을 남깁니다.",
)
def all_weight_to_the_largest(scores):
    return F.one_hot(scores.argmax(-1), scores.shape[-1]).to(scores.dtype)


@mistake(marks="point", hint="Large scores overflow: subtract row maxima.", ko="넘치지 않게 행의 최댓값을 빼세요.")
def naive_rows(scores):
    powers = scores.exp()
    return powers / powers.sum(dim=-1, keepdim=True)


@mistake(hint="Every row gets the weights of the first.", ko="모든 행이 첫 행의 가중치를 받습니다.", marks="slip")
def weights_of_the_first_row(scores):
    return torch.softmax(scores[:1], dim=-1).expand_as(scores).clone()


@mistake(hint="All get the same share, whatever their scores.", ko="점수와 상관없이 몫이 같습니다.", marks="trivial")
def weights_in_equal_shares(scores):
    return torch.full_like(scores, 1 / scores.shape[-1])


@mistake(hint="Divide by the sum, not by the Euclidean length.", ko="유클리드 길이가 아니라 합으로 나누세요.")
def weights_by_length(scores):
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return powers / powers.norm(dim=-1, keepdim=True)


@mistake(hint="The sum of a row needs keepdim=True.", ko="행의 합에 keepdim=True가 필요합니다.")
def weights_without_keepdim(scores):
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return powers / powers.sum(dim=-1)


@mistake(hint="A row's largest weight is 1: divide by the sum.", ko="행의 최댓값이 1입니다. 합으로 나누세요.")
def weights_not_divided(scores):
    return torch.exp(scores - scores.amax(dim=-1, keepdim=True))


@mistake(hint="Squares are used; the softmax takes exponentials.", ko="제곱이 아니라 지수 함수를 쓰세요.")
def weights_of_squares(scores):
    return scores**2 / (scores**2).sum(dim=-1, keepdim=True)


@mistake(
    marks="device",
    hint="The scores are moved to the CPU, and the weights stay there.",
    ko="점수를 CPU로 옮겨 가중치가 거기에 남습니다.",
)
def weights_on_the_cpu(scores):
    return torch.softmax(scores.to("cpu"), dim=-1)


@mistake(
    hint="A row's mean is subtracted; only its maximum keeps exponentials from overflowing.",
    ko="행의 평균을 뺐습니다. 행의 최댓값을 빼야 지수가 넘치지 않습니다.",
    marks="point",
)
def weights_less_the_mean(scores):
    exponentials = (scores - scores.mean(dim=-1, keepdim=True)).exp()
    return exponentials / exponentials.sum(dim=-1, keepdim=True)
