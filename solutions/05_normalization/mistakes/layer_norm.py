"""Wrong answers to `layer_norm`, each with the hint that a student with this answer gets."""

import torch
from torch.nn import functional as F

from grader.course.variants import helper, mistake


@helper
def normalized(x, eps, dim=-1, correction=0):
    deviations = x - x.mean(dim=dim, keepdim=True)
    return deviations / torch.sqrt(x.var(dim=dim, keepdim=True, correction=correction) + eps)


@helper
def rooted(deviations, root, eps, dim=-1):
    # `root` makes the divisor of the variance and eps
    return deviations / root(deviations.square().mean(dim=dim, keepdim=True), eps)


@mistake(
    hint="Every number is scaled and shifted for itself: there is no mean and no variance.",
    ko="숫자마다 따로 곱하고 더할 뿐입니다. 평균도 분산도 없습니다.",
    marks="trivial",
)
def ln_elementwise(x, gamma, beta, eps=1e-5):
    return x * gamma + beta


@mistake(
    hint="The variance was divided by d - 1; here it is the mean of the squared deviations (look at torch.var's options).",
    ko="분산을 d - 1로 나누었습니다. 여기서는 편차 제곱의 평균입니다(torch.var의 옵션을 보세요).",
    marks="slip",
)
def ln_unbiased(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, correction=1) * gamma + beta


@mistake(
    hint="The mean and the variance were taken over the first axis (the batch); take them over the features.",
    ko="첫 축(배치) 방향으로 평균과 분산을 구했습니다. 특징 방향으로 구하세요.",
    marks="slip",
)
def ln_first_axis(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=0) * gamma + beta


@mistake(
    hint="The mean and the variance were taken over axis 1, which is the features only where x has two axes.",
    ko="1번 축으로 평균과 분산을 구했습니다. x가 2차원일 때만 그것이 특징 축입니다.",
)
def ln_second_axis(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=1) * gamma + beta


@mistake(
    hint="The mean and the variance were taken over the tokens, the axis before the last.",
    ko="마지막 축 바로 앞의 토큰 방향으로 평균과 분산을 구했습니다.",
)
def ln_token_axis(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=-2) * gamma + beta


@mistake(
    hint="Without keepdim the means line up with the wrong axis, silently where all sizes are equal.",
    ko="keepdim이 없으면 평균이 다른 축에 맞추어집니다. 크기가 같으면 오류도 나지 않습니다.",
)
def ln_keepdim_forgotten(x, gamma, beta, eps=1e-5):
    return (x - x.mean(-1)) / torch.sqrt(x.var(-1, correction=0) + eps) * gamma + beta


@mistake(
    hint="One mean and one variance were taken over everything; each row or feature has its own.",
    ko="전체에서 평균과 분산을 하나씩만 구했습니다. 행이나 특징마다 따로 구하세요.",
)
def ln_over_everything(x, gamma, beta, eps=1e-5):
    return (x - x.mean()) / torch.sqrt(x.var(correction=0) + eps) * gamma + beta


@mistake(
    hint="Without eps a variance of 0 divides 0 by 0, and small variances blow up.",
    ko="eps가 없으면 분산이 0일 때 0을 0으로 나누고, 작은 분산에서 값이 커집니다.",
)
def ln_eps_forgotten(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: variance.sqrt(), eps) * gamma + beta


@mistake(
    hint="eps stands outside the root; it is added to the variance before the root is taken.",
    ko="eps가 제곱근 밖에 있습니다. 제곱근을 구하기 전에 분산에 더해야 합니다.",
)
def ln_eps_outside(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: variance.sqrt() + eps, eps) * gamma + beta


@mistake(
    hint="The argument eps is not used; a number of its own stands in the formula.",
    ko="eps 인자를 쓰지 않고 식에 다른 수를 적었습니다.",
)
def ln_eps_ignored(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: torch.sqrt(variance + 1e-5), eps) * gamma + beta
    )


@mistake(
    hint="The deviations were divided by the variance; divide by its root.",
    ko="편차를 분산으로 나누었습니다. 분산의 제곱근으로 나누세요.",
    marks="slip",
)
def ln_by_variance(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: variance + eps, eps) * gamma + beta


@mistake(
    hint="The mean is subtracted, but nothing is divided by the standard deviation.",
    ko="평균만 빼고 표준편차로 나누지 않았습니다.",
)
def ln_not_divided(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: 1.0, eps) * gamma + beta


@mistake(
    hint="The mean is not subtracted, and the root of the mean square stands for the deviation: that is RMS normalization.",
    ko="평균을 빼지 않고 제곱평균제곱근으로 나누었습니다. 그것은 RMS 정규화입니다.",
)
def ln_rms(x, gamma, beta, eps=1e-5):
    return rooted(x, lambda square, eps: torch.sqrt(square + eps), eps) * gamma + beta


@mistake(
    hint="Centred by the mean, but divided by the root mean square of x itself: it is the deviations' that counts.",
    ko="평균을 뺐지만 x 자체의 제곱평균제곱근으로 나누었습니다. 편차의 것으로 나누어야 합니다.",
)
def ln_centred_by_rms(x, gamma, beta, eps=1e-5):
    return (x - x.mean(dim=-1, keepdim=True)) / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * gamma + beta


@mistake(hint="The scale and the shift are not applied.", ko="스케일과 시프트를 적용하지 않았습니다.")
def ln_no_affine(x, gamma, beta, eps=1e-5):
    return normalized(x, eps)


@mistake(
    hint="Scale and shift are swapped: the scale multiplies, the shift is added.",
    ko="스케일과 시프트가 바뀌었습니다. 스케일은 곱하고 시프트는 더합니다.",
)
def ln_swapped(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * beta + gamma


@mistake(
    marks="slip",
    hint="The shift is missing.",
    ko="시프트를 더하지 않았습니다.",
)
def ln_no_shift(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * gamma


@mistake(
    marks="slip",
    hint="The scale is missing.",
    ko="스케일을 곱하지 않았습니다.",
)
def ln_no_scale(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) + beta


@mistake(
    hint="Scale and shift were applied before normalizing, which undoes them; they come last.",
    ko="정규화하기 전에 스케일과 시프트를 적용해서 사라졌습니다. 마지막에 적용해야 합니다.",
)
def ln_affine_first(x, gamma, beta, eps=1e-5):
    return normalized(x * gamma + beta, eps)


@mistake(
    hint="mean(x^2) - mean(x)^2 loses its digits when the numbers are large and close together: square the deviations.",
    ko="값이 크고 서로 가까우면 mean(x^2) - mean(x)^2은 자릿수를 잃습니다. 편차를 제곱하세요.",
)
def ln_mean_of_squares(x, gamma, beta, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.square().mean(dim=-1, keepdim=True) - mean**2
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


@mistake(
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
)
def ln_statistics_detached(x, gamma, beta, eps=1e-5):
    mean, variance = x.mean(dim=-1, keepdim=True).detach(), x.var(dim=-1, keepdim=True, correction=0).detach()
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


@mistake(
    hint="The result is cut off from the inputs (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
    marks="point",
)
def ln_detached(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps) * gamma + beta).detach()


@mistake(
    hint="The caller's tensor was changed in place (-=, sub_); make a new one.",
    ko="부른 쪽의 텐서를 제자리에서 바꾸었습니다(-=, sub_). 새 텐서를 만드세요.",
    marks="point",
)
def ln_in_place(x, gamma, beta, eps=1e-5):
    x -= x.mean(dim=-1, keepdim=True)
    return x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * gamma + beta


@mistake(
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
def ln_into_float32(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps) * gamma + beta).float()


@mistake(
    hint="float64 goes through float32 on the way and loses its digits there.",
    ko="계산 도중 float64를 float32로 바꾸어 자릿수를 잃습니다.",
)
def ln_float32_inside(x, gamma, beta, eps=1e-5):
    x, dtype = x.float(), x.dtype
    return (normalized(x, eps) * gamma + beta).to(dtype)


@mistake(
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
    marks="library",
)
def ln_by_library(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps)
