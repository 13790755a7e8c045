"""Wrong answers to `softmax_stable`, each with the hint that a student with this answer gets."""

import torch
from torch.nn import functional as F

from grader.course.variants import mistake


@mistake(
    hint="The softmax ran along the last dimension instead of along `dim`.",
    ko="`dim`이 아니라 마지막 차원을 따라 계산했습니다.",
)
def dim_ignored(x, dim=-1):
    powers = (x - x.amax(dim=-1, keepdim=True)).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


@mistake(
    hint="The softmax ran along dimension 0. Use `dim`, which is the last dimension if nothing is given.",
    ko="0번 차원을 따라 계산했습니다. `dim`을 쓰세요. 주어지지 않으면 마지막 차원입니다.",
)
def always_first_dimension(x, dim=-1):
    powers = (x - x.amax(dim=0, keepdim=True)).exp()
    return powers / powers.sum(dim=0, keepdim=True)


@mistake(
    hint="The default of `dim` is another one than the signature's: without `dim` the last dimension counts.",
    ko="`dim`의 기본값이 주어진 시그니처와 다릅니다. `dim`이 없으면 마지막 차원입니다.",
)
def dimension_one_by_default(x, dim=1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="The sum loses its dimension, so each entry is divided by the sum of another row. Keep it with keepdim=True.",
    ko="합에서 차원이 사라져 다른 행의 합으로 나눕니다. keepdim=True로 차원을 남기세요.",
)
def sum_without_keepdim(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim)


@mistake(
    hint="The maximum loses its dimension, so it is subtracted from other rows. Keep it with keepdim=True.",
    ko="최댓값에서 차원이 사라져 다른 행에서 뺍니다. keepdim=True로 차원을 남기세요.",
)
def maximum_without_keepdim(x, dim=-1):
    powers = (x - x.amax(dim=dim)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    marks="point",
    hint="Large scores overflow in the exponential, and infinity over infinity is NaN. Shift the scores first.",
    ko="큰 점수에서 지수가 넘쳐 무한대/무한대, 곧 NaN이 됩니다. 먼저 점수를 옮기세요.",
)
def still_naive(x, dim=-1):
    powers = torch.exp(x)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    marks="point",
    hint="One maximum is taken of the whole tensor. Rows far below it vanish; take the maximum of each row.",
    ko="텐서 전체의 최댓값 하나를 썼습니다. 그보다 훨씬 작은 행은 사라집니다. 행마다 최댓값을 구하세요.",
)
def maximum_of_everything(x, dim=-1):
    powers = (x - x.max()).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    marks="point",
    hint="Adding a small number hides that rows far below the overall maximum vanish. Use each row's maximum.",
    ko="분모에 더한 작은 수가, 전체 최댓값보다 훨씬 작은 행이 사라지는 것을 감춥니다. 행마다 최댓값을 쓰세요.",
)
def vanishing_rows_hidden(x, dim=-1):
    powers = (x - x.max()).exp()
    return powers / (powers.sum(dim=dim, keepdim=True) + 1e-9)


@mistake(
    marks="point",
    hint="The mean is subtracted. Where scores are far apart, the largest still overflows.",
    ko="평균을 뺐습니다. 점수가 멀리 흩어져 있으면 가장 큰 점수가 여전히 넘칩니다.",
)
def mean_subtracted(x, dim=-1):
    powers = (x - x.mean(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    marks="point",
    hint="The scores are cut off at a limit, so different large scores get the same weight. Shift them instead.",
    ko="점수를 한계에서 잘라 서로 다른 큰 점수가 같은 가중치를 받습니다. 자르지 말고 옮기세요.",
)
def large_scores_cut_off(x, dim=-1):
    powers = x.clamp(-80, 80).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    marks="point",
    hint="NaN is replaced after the fact, so the largest scores end with the weight 0. Keep it from arising.",
    ko="NaN을 나중에 바꾸어 가장 큰 점수의 가중치가 0이 됩니다. NaN이 생기지 않게 하세요.",
)
def nan_replaced_afterwards(x, dim=-1):
    powers = torch.exp(x)
    return torch.nan_to_num(powers / powers.sum(dim=dim, keepdim=True))


@mistake(
    hint="The maximum is subtracted from the exponentials. Subtract it from the scores, before the exponential.",
    ko="지수 값에서 최댓값을 뺐습니다. 지수를 취하기 전에 점수에서 빼세요.",
)
def maximum_subtracted_too_late(x, dim=-1):
    powers = torch.exp(x)
    powers = powers - powers.amax(dim=dim, keepdim=True)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="The maximum was taken along dimension 0, so a row is shifted unevenly. Take it along `dim`.",
    ko="최댓값을 항상 0번 차원을 따라 구해 한 행이 서로 다른 수만큼 옮겨집니다. `dim`을 따라 구하세요.",
)
def maximum_along_first_dimension(x, dim=-1):
    powers = (x - x.amax(dim=0, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="All entries together sum to 1. Each row along `dim` has to.",
    ko="전체의 합이 1입니다. `dim`을 따라 각 행의 합이 1이어야 합니다.",
)
def whole_tensor_sums_to_one(x, dim=-1):
    powers = (x - x.max()).exp()
    return powers / powers.sum()


@mistake(
    marks="point",
    hint="The scores of the caller are shifted as well: `x -= ...` works in place. Make a new tensor.",
    ko="`x -= ...`는 호출한 쪽의 점수까지 바꿉니다. 새 텐서를 만드세요.",
)
def shifted_in_place(x, dim=-1):
    x -= x.amax(dim=dim, keepdim=True)
    powers = x.exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    marks="library",
    hint="The library does the work here. This exercise asks you to write the stable softmax yourself.",
    ko="라이브러리가 계산했습니다. 이 문제에서는 안정적인 소프트맥스를 직접 쓰세요.",
)
def library_softmax_along_dim(x, dim=-1):
    return F.softmax(x, dim=dim)


@mistake(
    marks="library",
    hint="The library does the work here. This exercise asks you to write the stable softmax yourself.",
    ko="라이브러리가 계산했습니다. 이 문제에서는 안정적인 소프트맥스를 직접 쓰세요.",
)
def library_softmax_of_large_scores(x, dim=-1):
    if x.abs().max() < 50:
        return x.exp() / x.exp().sum(dim=dim, keepdim=True)
    return torch.softmax(x, dim=dim)


@mistake(
    marks="library",
    hint="The library does the work here. This exercise asks you to write the stable softmax yourself.",
    ko="라이브러리가 계산했습니다. 이 문제에서는 안정적인 소프트맥스를 직접 쓰세요.",
)
def library_softmax_of_other_dimensions(x, dim=-1):
    if dim != -1:
        return x.softmax(dim)
    powers = (x - x.amax(-1, keepdim=True)).exp()
    return powers / powers.sum(-1, keepdim=True)


@mistake(hint="The weights are float32: keep the given dtype.", ko="가중치가 float32입니다. dtype을 지키세요.")
def stable_in_float32(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).float().exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    marks="slip",
    hint="A number added to the sum changes the weights. The largest entry is exp(0) = 1, so the sum is never 0.",
    ko="합에 더한 수 때문에 가중치가 달라집니다. 가장 큰 값이 exp(0) = 1이므로 합은 0이 되지 않습니다.",
)
def constant_added_to_stable_sum(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return powers / (powers.sum(dim=dim, keepdim=True) + 1e-3)


@mistake(
    hint="The exponentials are not divided by their sum yet: every row's largest entry is 1.",
    ko="지수 함수 값을 아직 합으로 나누지 않았습니다. 행마다 가장 큰 값이 1입니다.",
)
def stable_without_division(x, dim=-1):
    return torch.exp(x - x.amax(dim=dim, keepdim=True))


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.", marks="slip")
def stable_softmax_twice(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    again = torch.exp(powers / powers.sum(dim=dim, keepdim=True))
    return again / again.sum(dim=dim, keepdim=True)


@mistake(hint="All get the same share, whatever their scores.", ko="점수와 상관없이 몫이 같습니다.", marks="trivial")
def stable_in_equal_shares(x, dim=-1):
    return torch.full_like(x, 1 / x.shape[dim])


@mistake(hint="Both reductions need keepdim=True.", ko="최댓값과 합 모두 keepdim=True가 필요합니다.")
def stable_without_keepdim(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim))
    return powers / powers.sum(dim=dim)


@mistake(hint="Divide by the sum, not by the Euclidean length.", ko="유클리드 길이가 아니라 합으로 나누세요.")
def stable_by_length(x, dim=-1):
    return F.normalize(torch.exp(x - x.amax(dim=dim, keepdim=True)), dim=dim)


@mistake(
    marks="device",
    hint="A table of zeros is made on the CPU.",
    ko="0을 채운 표를 CPU에서 만들었습니다.",
)
def stable_zeros_on_the_cpu(x, dim=-1):
    shifted = torch.maximum(torch.full(x.shape, -float("inf"), dtype=x.dtype), x) - x.amax(dim=dim, keepdim=True)
    return shifted.exp() / shifted.exp().sum(dim=dim, keepdim=True)
