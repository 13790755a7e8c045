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


@mistake(hint="There is no mean and no variance.", ko="평균도 분산도 없습니다.", marks="trivial")
def ln_elementwise(x, gamma, beta, eps=1e-5):
    return x * gamma + beta


@mistake(
    hint="The variance was divided by d - 1; here it is the mean of the squared deviations (look at torch.var's options).",
    ko="분산을 d - 1로 나누었습니다. 여기서는 편차 제곱의 평균입니다(torch.var의 옵션을 보세요).",
    marks="slip",
)
def ln_unbiased(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, correction=1) * gamma + beta


@mistake(hint="Take mean and variance over the features.", ko="평균과 분산을 특징 방향으로 구하세요.", marks="slip")
def ln_first_axis(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=0) * gamma + beta


@mistake(
    hint="The mean and the variance were taken over axis 1, which is the features only where x has two axes.",
    ko="1번 축으로 평균과 분산을 구했습니다. x가 2차원일 때만 그것이 특징 축입니다.",
)
def ln_second_axis(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=1) * gamma + beta


@mistake(hint="These are means over tokens; take them over features.", ko="토큰이 아니라 특징 방향으로 구하세요.")
def ln_token_axis(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=-2) * gamma + beta


@mistake(hint="Without keepdim=True the means meet the wrong axis.", ko="keepdim=True가 없으면 평균의 축이 어긋납니다.")
def ln_keepdim_forgotten(x, gamma, beta, eps=1e-5):
    return (x - x.mean(-1)) / torch.sqrt(x.var(-1, correction=0) + eps) * gamma + beta


@mistake(hint="Each row or feature has its own mean and variance.", ko="행이나 특징마다 평균과 분산이 따로 있습니다.")
def ln_over_everything(x, gamma, beta, eps=1e-5):
    return (x - x.mean()) / torch.sqrt(x.var(correction=0) + eps) * gamma + beta


@mistake(hint="Without eps a variance of 0 divides 0 by 0.", ko="eps가 없으면 분산이 0일 때 0을 0으로 나눕니다.")
def ln_eps_forgotten(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: variance.sqrt(), eps) * gamma + beta


@mistake(hint="eps is added under the root, not outside.", ko="eps는 제곱근 밖이 아니라 안에서 더합니다.")
def ln_eps_outside(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: variance.sqrt() + eps, eps) * gamma + beta


@mistake(
    marks="point", hint="Use the argument eps, not a number of your own.", ko="다른 수를 쓰지 말고 eps 인자를 쓰세요."
)
def ln_eps_ignored(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: torch.sqrt(variance + 1e-5), eps) * gamma + beta
    )


@mistake(hint="Divide by the root of the variance.", ko="분산의 제곱근으로 나누세요.", marks="slip")
def ln_by_variance(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: variance + eps, eps) * gamma + beta


@mistake(hint="Nothing is divided by the standard deviation.", ko="표준편차로 나누지 않았습니다.")
def ln_not_divided(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: 1.0, eps) * gamma + beta


@mistake(hint="The mean is not subtracted: this is RMS normalization.", ko="평균을 빼지 않았습니다(RMS 정규화).")
def ln_rms(x, gamma, beta, eps=1e-5):
    return rooted(x, lambda square, eps: torch.sqrt(square + eps), eps) * gamma + beta


@mistake(hint="Divide by the deviations' root mean square, not x's.", ko="x가 아니라 편차의 것으로 나누세요.")
def ln_centred_by_rms(x, gamma, beta, eps=1e-5):
    return (x - x.mean(dim=-1, keepdim=True)) / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * gamma + beta


@mistake(hint="The scale and the shift are not applied.", ko="스케일과 시프트를 적용하지 않았습니다.", marks="slip")
def ln_no_affine(x, gamma, beta, eps=1e-5):
    return normalized(x, eps)


@mistake(hint="Swapped: multiply by the scale, add the shift.", ko="반대입니다. 스케일은 곱하고 시프트는 더하세요.")
def ln_swapped(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * beta + gamma


@mistake(marks="slip", hint="The shift is missing.", ko="시프트를 더하지 않았습니다.")
def ln_no_shift(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * gamma


@mistake(marks="slip", hint="The scale is missing.", ko="스케일을 곱하지 않았습니다.")
def ln_no_scale(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) + beta


@mistake(hint="Normalize first, then scale and shift.", ko="먼저 정규화하고, 그다음에 스케일과 시프트를 하세요.")
def ln_affine_first(x, gamma, beta, eps=1e-5):
    return normalized(x * gamma + beta, eps)


@mistake(
    hint="Square deviations; mean(x^2) - mean(x)^2 loses digits.",
    ko="편차를 제곱해야 자릿수가 남습니다.",
    marks="point",
)
def ln_mean_of_squares(x, gamma, beta, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.square().mean(dim=-1, keepdim=True) - mean**2
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


@mistake(
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
    marks="point",
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


@mistake(hint="The caller's tensor changes (-=, sub_).", ko="부른 쪽의 텐서가 바뀝니다(-=, sub_).", marks="point")
def ln_in_place(x, gamma, beta, eps=1e-5):
    x -= x.mean(dim=-1, keepdim=True)
    return x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * gamma + beta


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
def ln_into_float32(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps) * gamma + beta).float()


@mistake(hint="float64 loses digits by way of float32.", ko="float32를 거쳐 float64의 자릿수를 잃습니다.")
def ln_float32_inside(x, gamma, beta, eps=1e-5):
    x, dtype = x.float(), x.dtype
    return (normalized(x, eps) * gamma + beta).to(dtype)


@mistake(hint="This is the library's own; write it out.", ko="라이브러리 것입니다. 직접 쓰세요.", marks="library")
def ln_by_library(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps)


@mistake(hint="The shift is added, not subtracted.", ko="시프트를 빼지 말고 더하세요.")
def ln_shift_subtracted(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * gamma - beta


@mistake(hint="The shift comes after the scale.", ko="스케일 다음에 시프트를 더하세요.")
def ln_shift_scaled(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps) + beta) * gamma


@mistake(hint="The mean is not subtracted from x.", ko="x에서 평균을 빼지 않았습니다.")
def ln_not_centred(x, gamma, beta, eps=1e-5):
    return x / torch.sqrt(x.var(-1, keepdim=True, correction=0) + eps) * gamma + beta


@mistake(hint="Divide by the standard deviation, not by the range.", ko="범위가 아니라 표준편차로 나누세요.")
def ln_by_range(x, gamma, beta, eps=1e-5):
    spread = x.amax(-1, keepdim=True) - x.amin(-1, keepdim=True)
    return (x - x.mean(-1, keepdim=True)) / (spread + eps) * gamma + beta


@mistake(hint="Take the mean of the squared deviations, not the sum.", ko="편차 제곱의 합이 아니라 평균을 쓰세요.")
def ln_by_length(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.norm(dim=-1, keepdim=True) + eps) * gamma + beta


@mistake(hint="Divide by the deviation, do not multiply.", ko="표준편차를 곱하지 말고 나누세요.")
def ln_multiplied(x, gamma, beta, eps=1e-5):
    return (x - x.mean(-1, keepdim=True)) * torch.sqrt(x.var(-1, keepdim=True, correction=0) + eps) * gamma + beta


@mistake(
    hint="For another eps the library does the work; write it out there as well.",
    ko="eps가 다르면 라이브러리가 계산합니다. 그때도 직접 쓰세요.",
    marks="library",
)
def ln_by_library_for_another_eps(x, gamma, beta, eps=1e-5):
    if eps != 1e-5:
        return F.layer_norm(x, x.shape[-1:], gamma, beta, eps)
    return normalized(x, eps) * gamma + beta
