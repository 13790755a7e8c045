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
    hint="The result is the same whatever x is.",
    ko="x가 무엇이든 결과가 같습니다.",
    marks="trivial",
)
def ln_constant(x, gamma, beta, eps=1e-5):
    return beta.expand(x.shape).clone()


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
    hint="The mean and the variance were taken over the last two axes together; every row has its own.",
    ko="마지막 두 축을 합쳐 평균과 분산을 구했습니다. 행마다 따로 구하세요.",
)
def ln_last_two_axes(x, gamma, beta, eps=1e-5):
    dims = tuple(range(-min(x.dim(), 2), 0))
    return normalized(x, eps, dim=dims) * gamma + beta


@mistake(
    hint="Without keepdim the means line up with the wrong axis, silently where all sizes are equal.",
    ko="keepdim이 없으면 평균이 다른 축에 맞추어집니다. 크기가 같으면 오류도 나지 않습니다.",
)
def ln_keepdim_forgotten(x, gamma, beta, eps=1e-5):
    return (x - x.mean(-1)) / torch.sqrt(x.var(-1, correction=0) + eps) * gamma + beta


@mistake(
    hint="The code takes x apart into exactly three sizes; any number of leading dimensions has to work.",
    ko="x의 크기를 꼭 세 개로 나누어 받습니다. 앞의 차원이 몇 개여도 되어야 합니다.",
)
def ln_three_axes_only(x, gamma, beta, eps=1e-5):
    B, T, d = x.shape if x.dim() > 2 else (1, *x.shape)
    return (normalized(x.reshape(B * T, d), eps) * gamma + beta).reshape(x.shape)


@mistake(
    hint="A single row comes back with an axis more than it had.",
    ko="행이 하나일 때 차원이 하나 늘어서 나옵니다.",
)
def ln_always_batched(x, gamma, beta, eps=1e-5):
    return normalized(torch.atleast_2d(x), eps) * gamma + beta


@mistake(
    hint="`view` refuses a tensor that does not lie in order in memory; `reshape` takes any.",
    ko="`view`는 메모리에서 연속적이지 않은 텐서를 받지 않습니다. `reshape`는 무엇이든 받습니다.",
)
def ln_by_view(x, gamma, beta, eps=1e-5):
    return normalized(x.view(-1, x.shape[-1]), eps).view(x.shape) * gamma + beta


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
    hint="eps was squared; add it to the variance as it is.",
    ko="eps를 제곱했습니다. 분산에 그대로 더하세요.",
)
def ln_eps_squared(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: torch.sqrt(variance + eps**2), eps) * gamma
        + beta
    )


@mistake(
    hint="The argument eps is not used; a number of its own stands in the formula.",
    ko="eps 인자를 쓰지 않고 식에 다른 수를 적었습니다.",
)
def ln_eps_ignored(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: torch.sqrt(variance + 1e-5), eps) * gamma + beta
    )


@mistake(
    hint="The variance is only kept from falling below eps; eps has to be added to it.",
    ko="분산이 eps보다 작아지지 않게만 했습니다. eps를 더해야 합니다.",
)
def ln_variance_clamped(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: variance.clamp(min=eps).sqrt(), eps) * gamma
        + beta
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


@mistake(hint="The mean is not subtracted before dividing.", ko="나누기 전에 평균을 빼지 않았습니다.")
def ln_not_centred(x, gamma, beta, eps=1e-5):
    return x / torch.sqrt(x.var(dim=-1, keepdim=True, correction=0) + eps) * gamma + beta


@mistake(
    hint="The mean absolute deviation is another measure of spread; the root of the variance is asked for.",
    ko="평균절대편차는 다른 척도입니다. 분산의 제곱근이 필요합니다.",
)
def ln_absolute_deviation(x, gamma, beta, eps=1e-5):
    deviations = x - x.mean(dim=-1, keepdim=True)
    return deviations / torch.sqrt(deviations.abs().mean(dim=-1, keepdim=True) ** 2 + eps) * gamma + beta


@mistake(
    hint="The squared deviations were added up; take their mean.",
    ko="편차의 제곱을 더하기만 했습니다. 평균을 구하세요.",
)
def ln_summed_squares(x, gamma, beta, eps=1e-5):
    deviations = x - x.mean(dim=-1, keepdim=True)
    return deviations / torch.sqrt(deviations.square().sum(dim=-1, keepdim=True) + eps) * gamma + beta


@mistake(hint="The scale and the shift are not applied.", ko="스케일과 시프트를 적용하지 않았습니다.")
def ln_no_affine(x, gamma, beta, eps=1e-5):
    return normalized(x, eps)


@mistake(
    hint="Scale and shift are swapped: the scale multiplies, the shift is added.",
    ko="스케일과 시프트가 바뀌었습니다. 스케일은 곱하고 시프트는 더합니다.",
)
def ln_swapped(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * beta + gamma


@mistake(hint="The shift is subtracted; add it.", ko="시프트를 뺐습니다. 더하세요.", marks="slip")
def ln_shift_subtracted(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * gamma - beta


@mistake(hint="The shift is missing.", ko="시프트를 더하지 않았습니다.")
def ln_no_shift(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * gamma


@mistake(hint="The scale is missing.", ko="스케일을 곱하지 않았습니다.")
def ln_no_scale(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) + beta


@mistake(
    hint="The scale multiplies the shift as well: scale first, then shift.",
    ko="스케일이 시프트까지 곱해집니다. 먼저 스케일을 곱하고 그다음 시프트를 더하세요.",
)
def ln_shift_scaled(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps) + beta) * gamma


@mistake(
    hint="The scale was taken as 1 + scale; multiply by it as it is.",
    ko="스케일에 1을 더해서 곱했습니다. 그대로 곱하세요.",
)
def ln_scale_plus_one(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * (1 + gamma) + beta


@mistake(
    hint="Scale and shift were applied before normalizing, which undoes them; they come last.",
    ko="정규화하기 전에 스케일과 시프트를 적용해서 사라졌습니다. 마지막에 적용해야 합니다.",
)
def ln_affine_first(x, gamma, beta, eps=1e-5):
    return normalized(x * gamma + beta, eps)


@mistake(
    hint="The default of eps is another one than the signature's.",
    ko="eps의 기본값이 주어진 시그니처와 다릅니다.",
)
def ln_default_eps(x, gamma, beta, eps=1e-6):
    return normalized(x, eps) * gamma + beta


@mistake(
    hint="mean(x^2) - mean(x)^2 loses its digits when the numbers are large and close together: square the deviations.",
    ko="값이 크고 서로 가까우면 mean(x^2) - mean(x)^2은 자릿수를 잃습니다. 편차를 제곱하세요.",
)
def ln_mean_of_squares(x, gamma, beta, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.square().mean(dim=-1, keepdim=True) - mean**2
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


@mistake(
    hint="The numbers were shifted by one number for all rows before squaring; a row far from the others still loses its"
    " digits. Subtract each row's own mean.",
    ko="제곱하기 전에 모든 행에서 같은 수를 뺐습니다. 다른 행에서 멀리 떨어진 행은 여전히 자릿수를 잃습니다. 행마다 자기 평균을"
    " 빼세요.",
)
def ln_shifted_by_one_number(x, gamma, beta, eps=1e-5):
    shifted = x - x.mean()
    mean = shifted.mean(-1, keepdim=True)
    variance = (shifted * shifted).mean(-1, keepdim=True) - mean * mean
    return (shifted - mean) / torch.sqrt(variance.clamp(min=0) + eps) * gamma + beta


@mistake(
    hint="In a row of equal numbers the gradient is NaN: the root of a variance of 0 has an infinite slope. Add eps before"
    " the root is taken.",
    ko="값이 모두 같은 행에서 그래디언트가 NaN입니다. 분산 0의 제곱근은 기울기가 무한대입니다. 제곱근을 구하기 전에 eps를"
    " 더하세요.",
)
def ln_root_before_eps(x, gamma, beta, eps=1e-5):
    deviations = x - x.mean(-1, keepdim=True)
    std = deviations.square().mean(-1, keepdim=True).sqrt()
    return deviations / (std**2 + eps).sqrt() * gamma + beta


@mistake(
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
)
def ln_statistics_detached(x, gamma, beta, eps=1e-5):
    mean, variance = x.mean(dim=-1, keepdim=True).detach(), x.var(dim=-1, keepdim=True, correction=0).detach()
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


@mistake(
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
)
def ln_variance_detached(x, gamma, beta, eps=1e-5):
    variance = x.detach().var(dim=-1, keepdim=True, correction=0)
    return (x - x.mean(dim=-1, keepdim=True)) / torch.sqrt(variance + eps) * gamma + beta


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
    hint="What one call computed is used in another: a call depends on its own arguments only.",
    ko="한 호출에서 계산한 것을 다른 호출에서 씁니다. 결과는 그 호출의 인자에만 달려 있어야 합니다.",
    unnamed="Only a part of the formula is old, so the numbers look like those of any wrong answer.",
)
def ln_remembered(x, gamma, beta, eps=1e-5):
    mean = vars(ln_remembered).setdefault(str(x.shape), x.mean(dim=-1, keepdim=True).detach())
    return (x - mean) / torch.sqrt(x.var(dim=-1, keepdim=True, correction=0) + eps) * gamma + beta


@mistake(
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
    marks="library",
)
def ln_by_library(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps)


@mistake(
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
)
def ln_by_batch_norm(x, gamma, beta, eps=1e-5):
    rows = x.reshape(-1, x.shape[-1])
    return F.batch_norm(rows.T, None, None, training=True, eps=eps).T.reshape(x.shape) * gamma + beta


@mistake(
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
    marks="library",
)
def ln_by_group_norm(x, gamma, beta, eps=1e-5):
    return F.group_norm(x.reshape(-1, x.shape[-1]), 1, gamma, beta, eps).reshape(x.shape)


@mistake(
    hint="bfloat16 comes back as float32; keep the dtype of the input.",
    ko="bfloat16 입력의 결과가 float32로 나옵니다. 입력의 dtype을 지키세요.",
)
def ln_widens_bfloat16(x, gamma, beta, eps=1e-5):
    if x.dtype == torch.bfloat16:
        x = x.float()
    return normalized(x, eps) * gamma + beta
