"""Wrong answers to `softmax_stable`, each with the hint that a student with this answer gets."""

import torch
from torch.nn import functional as F

from grader.course.variants import helper, mistake


@helper
def remembered(compute):
    """Return a function that computes once for each shape and dtype and gives the same result ever after."""
    kept = {}

    def answer(*parts, **options):
        key = (*((part.shape, part.dtype) for part in parts), *options.items())
        if key not in kept:
            kept[key] = compute(*parts, **options)
        return kept[key]

    return answer


@helper
def stable_weights(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="`dim` is ignored: the softmax always runs along the last dimension.",
    ko="`dim`을 무시하고 항상 마지막 차원을 따라 계산합니다.",
)
def dim_ignored(x, dim=-1):
    powers = (x - x.amax(dim=-1, keepdim=True)).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


@mistake(
    hint="The softmax always runs along dimension 0. Use `dim`, which is the last dimension if nothing is given.",
    ko="항상 0번 차원을 따라 계산합니다. `dim`을 쓰세요. 주어지지 않으면 마지막 차원입니다.",
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
    hint="The default of `dim` is the first dimension; without `dim` the last one counts.",
    ko="`dim`의 기본값이 첫 차원입니다. `dim`이 없으면 마지막 차원입니다.",
)
def first_dimension_by_default(x, dim=0):
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
    hint="Float64 only moves the overflow: exp(800) is infinite there too. Shift the scores first.",
    ko="float64는 넘침을 뒤로 미룰 뿐입니다. 거기서도 exp(800)은 무한대입니다. 먼저 점수를 옮기세요.",
)
def naive_in_double(x, dim=-1):
    powers = torch.exp(x.double())
    return (powers / powers.sum(dim=dim, keepdim=True)).to(x.dtype)


@mistake(
    hint="One maximum is taken of the whole tensor. Rows far below it vanish; take the maximum of each row.",
    ko="텐서 전체의 최댓값 하나를 썼습니다. 그보다 훨씬 작은 행은 사라집니다. 행마다 최댓값을 구하세요.",
)
def maximum_of_everything(x, dim=-1):
    powers = (x - x.max()).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="Adding a small number hides that rows far below the overall maximum vanish. Use each row's maximum.",
    ko="분모에 더한 작은 수가, 전체 최댓값보다 훨씬 작은 행이 사라지는 것을 감춥니다. 행마다 최댓값을 쓰세요.",
)
def vanishing_rows_hidden(x, dim=-1):
    powers = (x - x.max()).exp()
    return powers / (powers.sum(dim=dim, keepdim=True) + 1e-9)


@mistake(
    hint="The mean is subtracted. Where scores lie far apart, the largest still overflows.",
    ko="평균을 뺐습니다. 점수가 멀리 흩어져 있으면 가장 큰 점수가 여전히 넘칩니다.",
)
def mean_subtracted(x, dim=-1):
    powers = (x - x.mean(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="The minimum is subtracted. Where scores lie far apart, the largest still overflows.",
    ko="최솟값을 뺐습니다. 점수가 멀리 흩어져 있으면 가장 큰 점수가 여전히 넘칩니다.",
)
def minimum_subtracted(x, dim=-1):
    powers = (x - x.amin(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="The scores are cut off at a limit, so different large scores get the same weight. Shift them instead.",
    ko="점수를 한계에서 잘라 서로 다른 큰 점수가 같은 가중치를 받습니다. 자르지 말고 옮기세요.",
)
def large_scores_cut_off(x, dim=-1):
    powers = x.clamp(-80, 80).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="The largest absolute value is subtracted. A row of negative scores then vanishes; take the largest score.",
    ko="가장 큰 절댓값을 뺐습니다. 음수 점수뿐인 행은 사라집니다. 가장 큰 점수를 쓰세요.",
)
def largest_absolute_value_subtracted(x, dim=-1):
    powers = (x - x.abs().amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="The scores are divided by the largest one, which changes the weights. A shift does not; a division does.",
    ko="점수를 가장 큰 값으로 나누어 가중치가 달라집니다. 빼는 것은 괜찮지만 나누는 것은 안 됩니다.",
)
def divided_by_largest_score(x, dim=-1):
    powers = (x / x.abs().amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
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
    hint="The maximum is always taken along dimension 0, so a row is shifted unevenly. Take it along `dim`.",
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
    hint="-inf is turned into 0, so a hidden entry takes part again. Its weight has to be 0.",
    ko="-inf를 0으로 바꾸어 가려진 자리가 다시 끼어듭니다. 그 자리의 가중치는 0이어야 합니다.",
)
def minus_infinity_becomes_zero(x, dim=-1):
    x = torch.where(torch.isinf(x), torch.zeros_like(x), x)
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


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
    hint="log_softmax is the softmax in another dress. This exercise asks you to write it yourself.",
    ko="log_softmax도 소프트맥스입니다. 이 문제에서는 직접 쓰세요.",
)
def library_log_softmax(x, dim=-1):
    return torch.log_softmax(x, dim=dim).exp()


@mistake(
    marks="library",
    hint="logsumexp does the stable part for you. This exercise asks you to write it yourself.",
    ko="logsumexp가 안정적인 계산을 대신합니다. 이 문제에서는 직접 쓰세요.",
)
def library_logsumexp_along_dim(x, dim=-1):
    return torch.exp(x - torch.logsumexp(x, dim=dim, keepdim=True))


@mistake(
    marks="library",
    hint="softmin of the negated scores is the library's softmax. This exercise asks you to write it yourself.",
    ko="부호를 바꾼 softmin은 라이브러리의 소프트맥스입니다. 이 문제에서는 직접 쓰세요.",
)
def library_softmin(x, dim=-1):
    return F.softmin(-x, dim=dim)


@mistake(
    marks="point",
    hint="The result is cut off from the scores by detach(), so no gradient reaches them.",
    ko="detach()로 결과가 점수와 끊겨 그래디언트가 흐르지 않습니다.",
)
def detached_stable_softmax(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return (powers / powers.sum(dim=dim, keepdim=True)).detach()


@mistake(
    hint="The weights are turned to float32. Keep the dtype that you are given.",
    ko="가중치를 float32로 바꾸었습니다. 받은 dtype을 그대로 두세요.",
)
def stable_in_float32(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).float().exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="squeeze() removes every dimension of size 1, also those of the scores. The shape has to stay.",
    ko="squeeze()는 점수에 원래 있던 크기 1인 차원까지 모두 없앱니다. 모양이 그대로여야 합니다.",
)
def stable_weights_squeezed(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return (powers / powers.sum(dim=dim, keepdim=True)).squeeze()


@mistake(
    hint="-inf is replaced in the scores of the caller. Make a new tensor: masked_fill instead of masked_fill_.",
    ko="호출한 쪽의 점수에 있는 -inf를 덮어썼습니다. masked_fill_ 대신 masked_fill로 새 텐서를 만드세요.",
)
def minus_infinity_overwritten(x, dim=-1):
    with torch.no_grad():
        x.masked_fill_(torch.isneginf(x), -1e30)
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


first_stable_weights_remembered = mistake(
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(stable_weights))


@mistake(
    hint="The sum runs along the last dimension whatever `dim` says. Take it along `dim`.",
    ko="`dim`과 상관없이 합을 마지막 차원을 따라 구했습니다. `dim`을 따라 구하세요.",
)
def sum_along_last_dimension(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=-1, keepdim=True)


@mistake(
    hint="The maximum is taken along the last dimension whatever `dim` says, so a row along `dim` is shifted unevenly.",
    ko="`dim`과 상관없이 최댓값을 마지막 차원을 따라 구했습니다. `dim` 방향의 값들이 서로 다르게 옮겨집니다.",
)
def maximum_along_last_dimension(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=-1, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="unsqueeze(-1) puts the reduced dimension back at the end, also where `dim` is another one. Use keepdim=True.",
    ko="`dim`이 다른 차원이어도 unsqueeze(-1)이 줄어든 차원을 맨 뒤에 되돌립니다. keepdim=True를 쓰세요.",
)
def reduced_dimension_put_last(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim).unsqueeze(-1))
    return powers / powers.sum(dim=dim).unsqueeze(-1)


@mistake(
    marks="slip",
    hint="A number added to the sum changes the weights. The largest entry is exp(0) = 1, so the sum is never 0.",
    ko="합에 더한 수 때문에 가중치가 달라집니다. 가장 큰 값이 exp(0) = 1이므로 합은 0이 되지 않습니다.",
)
def constant_added_to_stable_sum(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return powers / (powers.sum(dim=dim, keepdim=True) + 1e-3)


@mistake(
    hint="The exponentials are computed in half precision and lose digits. Stay in the dtype of the scores.",
    ko="지수 함수를 반정밀도로 계산해 자릿수를 잃었습니다. 점수의 dtype을 유지하세요.",
)
def exponentials_in_half(x, dim=-1):
    powers = torch.exp((x - x.amax(dim=dim, keepdim=True)).half()).to(x.dtype)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="-inf is replaced by -100000, but scores may be that low themselves. Its weight has to be exactly 0.",
    ko="-inf를 -100000으로 바꾸었지만 점수 자체가 그만큼 작을 수 있습니다. 그 가중치는 정확히 0이어야 합니다.",
)
def minus_infinity_becomes_a_number(x, dim=-1):
    finite = x.masked_fill(torch.isinf(x), -1e5)
    powers = torch.exp(finite - finite.amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="The shifted scores are cut off from below, so a score of -inf gets a weight. After the shift nothing overflows.",
    ko="옮긴 점수를 아래에서 잘라서 -inf인 점수도 가중치를 얻습니다. 옮긴 뒤에는 넘치지 않습니다.",
)
def shifted_scores_cut_below(x, dim=-1):
    powers = torch.exp((x - x.amax(dim=dim, keepdim=True)).clamp(min=-80))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="The shifted scores are cut off from below at a moderate number, which changes small weights.",
    ko="옮긴 점수를 크지 않은 수에서 잘라 작은 가중치가 달라집니다.",
)
def shifted_scores_cut_early(x, dim=-1):
    powers = torch.exp((x - x.amax(dim=dim, keepdim=True)).clamp(min=-20))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    marks="slip",
    hint="The scores are divided by the root of the row's length. A shift changes no weight, a division does.",
    ko="점수를 행 길이의 제곱근으로 나누었습니다. 옮기는 것은 가중치를 바꾸지 않지만 나누면 바뀝니다.",
)
def stable_scores_scaled(x, dim=-1):
    powers = torch.exp((x - x.amax(dim=dim, keepdim=True)) / x.shape[dim] ** 0.5)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="This is the logarithm of the weights. The weights themselves are asked for.",
    ko="가중치의 로그입니다. 가중치 자체가 필요합니다.",
)
def logarithm_of_stable_weights(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return torch.log(powers / powers.sum(dim=dim, keepdim=True))


@mistake(
    hint="The exponentials are divided by their Euclidean length. Divide by their sum.",
    ko="지수 함수 값을 유클리드 길이로 나누었습니다. 합으로 나누세요.",
)
def stable_weights_of_length_one(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return powers / powers.norm(dim=dim, keepdim=True)


@mistake(
    hint="The exponentials are not divided by their sum yet: every row's largest entry is 1.",
    ko="지수 함수 값을 아직 합으로 나누지 않았습니다. 행마다 가장 큰 값이 1입니다.",
)
def stable_without_division(x, dim=-1):
    return torch.exp(x - x.amax(dim=dim, keepdim=True))


@mistake(
    hint="The sigmoid stands where the exponential belongs.",
    ko="지수 함수가 있어야 할 곳에 시그모이드가 있습니다.",
)
def sigmoid_in_the_stable_form(x, dim=-1):
    powers = torch.sigmoid(x - x.amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    marks="slip",
    hint="The softmax is taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 적용해 가중치가 평평해졌습니다.",
)
def stable_softmax_twice(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    again = torch.exp(powers / powers.sum(dim=dim, keepdim=True))
    return again / again.sum(dim=dim, keepdim=True)


@mistake(
    hint="`max` along a dimension gives two things, values and indices. Subtract the values alone (or use amax).",
    ko="차원을 따라 구한 `max`는 값과 위치 두 가지를 줍니다. 값만 빼거나 amax를 쓰세요.",
)
def values_and_indices_subtracted(x, dim=-1):
    powers = torch.exp(x - x.max(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="A fixed number is subtracted, which fits some scores only. Subtract each row's own maximum.",
    ko="정해진 수를 뺐으므로 일부 점수에만 맞습니다. 행마다 그 최댓값을 빼세요.",
)
def fixed_number_subtracted(x, dim=-1):
    powers = torch.exp(x - 100)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="The scores are divided by the row's maximum. Subtract it: a shift changes no weight, a division does.",
    ko="점수를 행의 최댓값으로 나누었습니다. 빼세요. 옮기는 것은 가중치를 바꾸지 않지만 나누면 바뀝니다.",
)
def divided_by_signed_maximum(x, dim=-1):
    powers = torch.exp(x / x.amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="The scores are turned to float32 before anything else, so float64 scores lose digits.",
    ko="처음부터 점수를 float32로 바꾸어 float64 점수의 자릿수가 사라집니다.",
)
def stable_scores_in_float32(x, dim=-1):
    powers = torch.exp(x.float() - x.float().amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="The scores are cut off at a limit that is only higher. Subtract the maximum instead; then none is needed.",
    ko="한계를 높였을 뿐 점수를 잘라 냅니다. 대신 최댓값을 빼면 한계가 필요 없습니다.",
)
def scores_cut_off_far_out(x, dim=-1):
    bounded = x.clamp(-20000, 20000)
    powers = torch.exp(bounded - bounded.amax(dim=dim, keepdim=True)) * (x > -torch.inf)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    hint="Along another dimension than the last the result is cut off from the scores: its turned copy keeps no graph.",
    ko="마지막이 아닌 차원에서는 결과가 점수와 끊어집니다. 옮긴 사본에 계산 그래프가 없습니다.",
)
def cut_off_along_other_dimensions(x, dim=-1):
    last = dim in (-1, x.dim() - 1)
    turned = x if last else x.detach().transpose(dim, -1)
    powers = torch.exp(turned - turned.amax(dim=-1, keepdim=True))
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return weights if last else weights.transpose(dim, -1)


@mistake(
    marks="trivial",
    hint="All get the same share, whatever the scores are.",
    ko="점수와 상관없이 모두 같은 몫을 받습니다.",
)
def stable_in_equal_shares(x, dim=-1):
    return torch.full_like(x, 1 / x.shape[dim])


@mistake(
    marks="trivial",
    hint="Every score is looked at alone: nothing is divided by a sum.",
    ko="점수를 하나씩만 보았습니다. 합으로 나누지 않았습니다.",
)
def exponentials_alone(x, dim=-1):
    return x.exp()
