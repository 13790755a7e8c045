"""Wrong variants by name, each with the hint that a student gets, and right ones in other styles.

The wrong ones prove that the suite sees them and name a student's mistake; the right ones prove that the suite asks for
the result and not for a way of writing it.
"""

import copy
import functools

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, right, solution


@helper
def normalized(x, eps, dim=-1, correction=0):
    deviations = x - x.mean(dim=dim, keepdim=True)
    return deviations / torch.sqrt(x.var(dim=dim, keepdim=True, correction=correction) + eps)


@helper
def rooted(deviations, root, eps, dim=-1):
    # `root` makes the divisor of the variance and eps
    return deviations / root(deviations.square().mean(dim=dim, keepdim=True), eps)


# --- layer_norm -------------------------------------------------------------------------------------------------------


@mistake(
    "layer_norm",
    hint="Every number is scaled and shifted for itself: there is no mean and no variance.",
    ko="숫자마다 따로 곱하고 더할 뿐입니다. 평균도 분산도 없습니다.",
    marks="trivial",
)
def ln_elementwise(x, gamma, beta, eps=1e-5):
    return x * gamma + beta


@mistake(
    "layer_norm",
    hint="The result is the same whatever x is.",
    ko="x가 무엇이든 결과가 같습니다.",
    marks="trivial",
)
def ln_constant(x, gamma, beta, eps=1e-5):
    return beta.expand(x.shape).clone()


@mistake(
    "layer_norm",
    hint="The variance was divided by d - 1; here it is the mean of the squared deviations (look at torch.var's options).",
    ko="분산을 d - 1로 나누었습니다. 여기서는 편차 제곱의 평균입니다(torch.var의 옵션을 보세요).",
    marks="slip",
)
def ln_unbiased(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, correction=1) * gamma + beta


@mistake(
    "layer_norm",
    hint="The mean and the variance were taken over the first axis (the batch); take them over the features.",
    ko="첫 축(배치) 방향으로 평균과 분산을 구했습니다. 특징 방향으로 구하세요.",
    marks="slip",
)
def ln_first_axis(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=0) * gamma + beta


@mistake(
    "layer_norm",
    hint="The mean and the variance were taken over axis 1, which is the features only where x has two axes.",
    ko="1번 축으로 평균과 분산을 구했습니다. x가 2차원일 때만 그것이 특징 축입니다.",
)
def ln_second_axis(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=1) * gamma + beta


@mistake(
    "layer_norm",
    hint="The mean and the variance were taken over the tokens, the axis before the last.",
    ko="마지막 축 바로 앞의 토큰 방향으로 평균과 분산을 구했습니다.",
)
def ln_token_axis(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=-2) * gamma + beta


@mistake(
    "layer_norm",
    hint="The mean and the variance were taken over the last two axes together; every row has its own.",
    ko="마지막 두 축을 합쳐 평균과 분산을 구했습니다. 행마다 따로 구하세요.",
)
def ln_last_two_axes(x, gamma, beta, eps=1e-5):
    dims = tuple(range(-min(x.dim(), 2), 0))
    return normalized(x, eps, dim=dims) * gamma + beta


@mistake(
    "layer_norm",
    hint="Without keepdim the means line up with the wrong axis, silently where all sizes are equal.",
    ko="keepdim이 없으면 평균이 다른 축에 맞추어집니다. 크기가 같으면 오류도 나지 않습니다.",
)
def ln_keepdim_forgotten(x, gamma, beta, eps=1e-5):
    return (x - x.mean(-1)) / torch.sqrt(x.var(-1, correction=0) + eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="The code takes x apart into exactly three sizes; any number of leading dimensions has to work.",
    ko="x의 크기를 꼭 세 개로 나누어 받습니다. 앞의 차원이 몇 개여도 되어야 합니다.",
)
def ln_three_axes_only(x, gamma, beta, eps=1e-5):
    B, T, d = x.shape if x.dim() > 2 else (1, *x.shape)
    return (normalized(x.reshape(B * T, d), eps) * gamma + beta).reshape(x.shape)


@mistake(
    "layer_norm",
    hint="A single row comes back with an axis more than it had.",
    ko="행이 하나일 때 차원이 하나 늘어서 나옵니다.",
)
def ln_always_batched(x, gamma, beta, eps=1e-5):
    return normalized(torch.atleast_2d(x), eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="`view` refuses a tensor that does not lie in order in memory; `reshape` takes any.",
    ko="`view`는 메모리에서 연속적이지 않은 텐서를 받지 않습니다. `reshape`는 무엇이든 받습니다.",
)
def ln_by_view(x, gamma, beta, eps=1e-5):
    return normalized(x.view(-1, x.shape[-1]), eps).view(x.shape) * gamma + beta


@mistake(
    "layer_norm",
    hint="One mean and one variance were taken over everything; each row or feature has its own.",
    ko="전체에서 평균과 분산을 하나씩만 구했습니다. 행이나 특징마다 따로 구하세요.",
)
def ln_over_everything(x, gamma, beta, eps=1e-5):
    return (x - x.mean()) / torch.sqrt(x.var(correction=0) + eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="Without eps a variance of 0 divides 0 by 0, and small variances blow up.",
    ko="eps가 없으면 분산이 0일 때 0을 0으로 나누고, 작은 분산에서 값이 커집니다.",
)
def ln_eps_forgotten(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: variance.sqrt(), eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="eps stands outside the root; it is added to the variance before the root is taken.",
    ko="eps가 제곱근 밖에 있습니다. 제곱근을 구하기 전에 분산에 더해야 합니다.",
)
def ln_eps_outside(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: variance.sqrt() + eps, eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="eps was squared; add it to the variance as it is.",
    ko="eps를 제곱했습니다. 분산에 그대로 더하세요.",
)
def ln_eps_squared(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: torch.sqrt(variance + eps**2), eps) * gamma
        + beta
    )


@mistake(
    "layer_norm",
    hint="The argument eps is not used; a number of its own stands in the formula.",
    ko="eps 인자를 쓰지 않고 식에 다른 수를 적었습니다.",
)
def ln_eps_ignored(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: torch.sqrt(variance + 1e-5), eps) * gamma + beta
    )


@mistake(
    "layer_norm",
    hint="The variance is only kept from falling below eps; eps has to be added to it.",
    ko="분산이 eps보다 작아지지 않게만 했습니다. eps를 더해야 합니다.",
)
def ln_variance_clamped(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: variance.clamp(min=eps).sqrt(), eps) * gamma
        + beta
    )


@mistake(
    "layer_norm",
    hint="The deviations were divided by the variance; divide by its root.",
    ko="편차를 분산으로 나누었습니다. 분산의 제곱근으로 나누세요.",
    marks="slip",
)
def ln_by_variance(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: variance + eps, eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="The mean is subtracted, but nothing is divided by the standard deviation.",
    ko="평균만 빼고 표준편차로 나누지 않았습니다.",
)
def ln_not_divided(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=-1, keepdim=True), lambda variance, eps: 1.0, eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="The mean is not subtracted, and the root of the mean square stands for the deviation: that is RMS normalization.",
    ko="평균을 빼지 않고 제곱평균제곱근으로 나누었습니다. 그것은 RMS 정규화입니다.",
)
def ln_rms(x, gamma, beta, eps=1e-5):
    return rooted(x, lambda square, eps: torch.sqrt(square + eps), eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="Centred by the mean, but divided by the root mean square of x itself: it is the deviations' that counts.",
    ko="평균을 뺐지만 x 자체의 제곱평균제곱근으로 나누었습니다. 편차의 것으로 나누어야 합니다.",
)
def ln_centred_by_rms(x, gamma, beta, eps=1e-5):
    return (x - x.mean(dim=-1, keepdim=True)) / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * gamma + beta


@mistake("layer_norm", hint="The mean is not subtracted before dividing.", ko="나누기 전에 평균을 빼지 않았습니다.")
def ln_not_centred(x, gamma, beta, eps=1e-5):
    return x / torch.sqrt(x.var(dim=-1, keepdim=True, correction=0) + eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="The mean absolute deviation is another measure of spread; the root of the variance is asked for.",
    ko="평균절대편차는 다른 척도입니다. 분산의 제곱근이 필요합니다.",
)
def ln_absolute_deviation(x, gamma, beta, eps=1e-5):
    deviations = x - x.mean(dim=-1, keepdim=True)
    return deviations / torch.sqrt(deviations.abs().mean(dim=-1, keepdim=True) ** 2 + eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="The squared deviations were added up; take their mean.",
    ko="편차의 제곱을 더하기만 했습니다. 평균을 구하세요.",
)
def ln_summed_squares(x, gamma, beta, eps=1e-5):
    deviations = x - x.mean(dim=-1, keepdim=True)
    return deviations / torch.sqrt(deviations.square().sum(dim=-1, keepdim=True) + eps) * gamma + beta


@mistake("layer_norm", hint="The scale and the shift are not applied.", ko="스케일과 시프트를 적용하지 않았습니다.")
def ln_no_affine(x, gamma, beta, eps=1e-5):
    return normalized(x, eps)


@mistake(
    "layer_norm",
    hint="Scale and shift are swapped: the scale multiplies, the shift is added.",
    ko="스케일과 시프트가 바뀌었습니다. 스케일은 곱하고 시프트는 더합니다.",
)
def ln_swapped(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * beta + gamma


@mistake("layer_norm", hint="The shift is subtracted; add it.", ko="시프트를 뺐습니다. 더하세요.", marks="slip")
def ln_shift_subtracted(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * gamma - beta


@mistake("layer_norm", marks="slip", hint="The shift is missing.", ko="시프트를 더하지 않았습니다.")
def ln_no_shift(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * gamma


@mistake("layer_norm", marks="slip", hint="The scale is missing.", ko="스케일을 곱하지 않았습니다.")
def ln_no_scale(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) + beta


@mistake(
    "layer_norm",
    hint="The scale multiplies the shift as well: scale first, then shift.",
    ko="스케일이 시프트까지 곱해집니다. 먼저 스케일을 곱하고 그다음 시프트를 더하세요.",
)
def ln_shift_scaled(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps) + beta) * gamma


@mistake(
    "layer_norm",
    hint="The scale was taken as 1 + scale; multiply by it as it is.",
    ko="스케일에 1을 더해서 곱했습니다. 그대로 곱하세요.",
)
def ln_scale_plus_one(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * (1 + gamma) + beta


@mistake(
    "layer_norm",
    hint="Scale and shift were applied before normalizing, which undoes them; they come last.",
    ko="정규화하기 전에 스케일과 시프트를 적용해서 사라졌습니다. 마지막에 적용해야 합니다.",
)
def ln_affine_first(x, gamma, beta, eps=1e-5):
    return normalized(x * gamma + beta, eps)


@mistake(
    "layer_norm",
    hint="The default of eps is another one than the signature's.",
    ko="eps의 기본값이 주어진 시그니처와 다릅니다.",
)
def ln_default_eps(x, gamma, beta, eps=1e-6):
    return normalized(x, eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="mean(x^2) - mean(x)^2 loses its digits when the numbers are large and close together: square the deviations.",
    ko="값이 크고 서로 가까우면 mean(x^2) - mean(x)^2은 자릿수를 잃습니다. 편차를 제곱하세요.",
)
def ln_mean_of_squares(x, gamma, beta, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.square().mean(dim=-1, keepdim=True) - mean**2
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


@mistake(
    "layer_norm",
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
    "layer_norm",
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
    "layer_norm",
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
)
def ln_statistics_detached(x, gamma, beta, eps=1e-5):
    mean, variance = x.mean(dim=-1, keepdim=True).detach(), x.var(dim=-1, keepdim=True, correction=0).detach()
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
)
def ln_variance_detached(x, gamma, beta, eps=1e-5):
    variance = x.detach().var(dim=-1, keepdim=True, correction=0)
    return (x - x.mean(dim=-1, keepdim=True)) / torch.sqrt(variance + eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="The result is cut off from the inputs (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
    marks="point",
)
def ln_detached(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps) * gamma + beta).detach()


@mistake(
    "layer_norm",
    hint="The caller's tensor was changed in place (-=, sub_); make a new one.",
    ko="부른 쪽의 텐서를 제자리에서 바꾸었습니다(-=, sub_). 새 텐서를 만드세요.",
    marks="point",
)
def ln_in_place(x, gamma, beta, eps=1e-5):
    x -= x.mean(dim=-1, keepdim=True)
    return x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
def ln_into_float32(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps) * gamma + beta).float()


@mistake(
    "layer_norm",
    hint="float64 goes through float32 on the way and loses its digits there.",
    ko="계산 도중 float64를 float32로 바꾸어 자릿수를 잃습니다.",
)
def ln_float32_inside(x, gamma, beta, eps=1e-5):
    x, dtype = x.float(), x.dtype
    return (normalized(x, eps) * gamma + beta).to(dtype)


@mistake(
    "layer_norm",
    hint="What one call computed is used in another: a call depends on its own arguments only.",
    ko="한 호출에서 계산한 것을 다른 호출에서 씁니다. 결과는 그 호출의 인자에만 달려 있어야 합니다.",
    unnamed="Only a part of the formula is old, so the numbers look like those of any wrong answer.",
)
def ln_remembered(x, gamma, beta, eps=1e-5):
    mean = vars(ln_remembered).setdefault(str(x.shape), x.mean(dim=-1, keepdim=True).detach())
    return (x - mean) / torch.sqrt(x.var(dim=-1, keepdim=True, correction=0) + eps) * gamma + beta


@mistake(
    "layer_norm",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
    marks="library",
)
def ln_by_library(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps)


@mistake(
    "layer_norm",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
)
def ln_by_batch_norm(x, gamma, beta, eps=1e-5):
    rows = x.reshape(-1, x.shape[-1])
    return F.batch_norm(rows.T, None, None, training=True, eps=eps).T.reshape(x.shape) * gamma + beta


@mistake(
    "layer_norm",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
    marks="library",
)
def ln_by_group_norm(x, gamma, beta, eps=1e-5):
    return F.group_norm(x.reshape(-1, x.shape[-1]), 1, gamma, beta, eps).reshape(x.shape)


@mistake(
    "layer_norm",
    hint="bfloat16 comes back as float32; keep the dtype of the input.",
    ko="bfloat16 입력의 결과가 float32로 나옵니다. 입력의 dtype을 지키세요.",
)
def ln_widens_bfloat16(x, gamma, beta, eps=1e-5):
    if x.dtype == torch.bfloat16:
        x = x.float()
    return normalized(x, eps) * gamma + beta


@right("layer_norm", why="torch.var_mean and rsqrt")
def ln_var_mean(x, gamma, beta, eps=1e-5):
    variance, mean = torch.var_mean(x, dim=-1, unbiased=False, keepdim=True)
    return torch.addcmul(beta, (x - mean) * torch.rsqrt(variance + eps), gamma)


@right("layer_norm", why="a loop over the rows, the variance as a dot product")
def ln_looped(x, gamma, beta, eps=1e-5):
    rows = []
    for row in x.reshape(-1, x.size(-1)):
        deviations = row - row.sum() / len(row)
        rows.append(deviations / (deviations @ deviations / len(row) + eps) ** 0.5 * gamma + beta)
    return torch.stack(rows).view_as(x)


@right("layer_norm", why="float64 inside, with the mean of squares")
def ln_wide_inside(x, gamma, beta, eps=1e-5):
    wide = x.double()
    mean = wide.mean(-1, keepdim=True)
    variance = (wide * wide).mean(-1, keepdim=True) - mean * mean
    return ((wide - mean) / (variance.clamp(min=0) + eps).sqrt() * gamma.double() + beta.double()).to(x.dtype)


@right("layer_norm", why="einsum, and in place on a tensor of its own")
def ln_einsum_in_place(x, gamma, beta, eps=1e-5):
    d = x.shape[-1]
    result = x - torch.einsum("...d->...", x).unsqueeze(-1) / d
    result /= torch.sqrt(torch.einsum("...d,...d->...", result, result).unsqueeze(-1) / d + eps)
    result *= gamma
    result += beta
    return result


@right("layer_norm", why="the standard deviation squared again")
def ln_by_std(x, gamma, beta, eps=1e-5):
    std = torch.std(x, -1, unbiased=False).unsqueeze(-1)
    return gamma * ((x - torch.mean(x, -1).unsqueeze(-1)) / torch.sqrt(std**2 + eps)) + beta


@right("layer_norm", why="a projection that takes the mean away")
def ln_by_projection(x, gamma, beta, eps=1e-5):
    d = x.shape[-1]
    centred = x - (x @ torch.ones(d, d, dtype=x.dtype, device=x.device)) / d
    return centred * (centred.pow(2).sum(-1, keepdim=True) / d + eps).pow(-0.5) * gamma + beta


@right("layer_norm", why="the features brought to the front")
def ln_features_first(x, gamma, beta, eps=1e-5):
    front = x.movedim(-1, 0)
    centred = front - front.mean(0)
    return (centred / (centred.square().mean(0) + eps).sqrt()).movedim(0, -1) * gamma + beta


@right("layer_norm", why="a callable object")
class ln_callable:
    def __new__(cls, *args, **kwargs):
        return functools.partial(cls.run, power=0.5)(*args, **kwargs)

    @staticmethod
    def run(x, gamma, beta, eps=1e-5, *, power):
        deviations = x - x.mean(dim=-1, keepdim=True)
        return deviations / (deviations.square().mean(dim=-1, keepdim=True) + eps) ** power * gamma + beta


# --- LayerNorm --------------------------------------------------------------------------------------------------------


@mistake(
    "LayerNorm",
    hint="Every number is scaled and shifted for itself: there is no mean and no variance.",
    ko="숫자마다 따로 곱하고 더할 뿐입니다. 평균도 분산도 없습니다.",
    marks="trivial",
)
class lnm_elementwise(solution.LayerNorm):
    def forward(self, x):
        return x * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="The result is the same whatever x is.",
    ko="x가 무엇이든 결과가 같습니다.",
    marks="trivial",
)
class lnm_constant(solution.LayerNorm):
    def forward(self, x):
        return self.bias.expand(x.shape).clone()


@mistake(
    "LayerNorm",
    hint="The variance was divided by d - 1; here it is the mean of the squared deviations (look at torch.var's options).",
    ko="분산을 d - 1로 나누었습니다. 여기서는 편차 제곱의 평균입니다(torch.var의 옵션을 보세요).",
    marks="slip",
)
class lnm_unbiased(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps, correction=1) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="eps is kept by the class, so the layer that was made last decides for all; keep it in self.",
    ko="eps를 클래스에 두어, 마지막에 만든 층의 값이 모두에게 쓰입니다. self에 두세요.",
    unnamed="a layer by itself is right, and a wrong eps looks like any other",
)
class lnm_eps_shared_by_all(solution.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        del self.eps
        type(self).eps = eps


@mistake(
    "LayerNorm",
    hint="The mean and the variance were taken over the first axis (the batch); take them over the features.",
    ko="첫 축(배치) 방향으로 평균과 분산을 구했습니다. 특징 방향으로 구하세요.",
    marks="slip",
)
class lnm_first_axis(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps, dim=0) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="The mean and the variance were taken over axis 1, which is the features only where x has two axes.",
    ko="1번 축으로 평균과 분산을 구했습니다. x가 2차원일 때만 그것이 특징 축입니다.",
)
class lnm_second_axis(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps, dim=min(1, x.dim() - 1)) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="The mean and the variance were taken over the tokens, the axis before the last.",
    ko="마지막 축 바로 앞의 토큰 방향으로 평균과 분산을 구했습니다.",
)
class lnm_token_axis(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps, dim=-2) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="One mean and one variance were taken over everything; each row or feature has its own.",
    ko="전체에서 평균과 분산을 하나씩만 구했습니다. 행이나 특징마다 따로 구하세요.",
)
class lnm_over_everything(solution.LayerNorm):
    def forward(self, x):
        return (x - x.mean()) / torch.sqrt(x.var(correction=0) + self.eps) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="Without eps a variance of 0 divides 0 by 0, and small variances blow up.",
    ko="eps가 없으면 분산이 0일 때 0을 0으로 나누고, 작은 분산에서 값이 커집니다.",
)
class lnm_eps_forgotten(solution.LayerNorm):
    def forward(self, x):
        return (
            rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: variance.sqrt(), self.eps) * self.weight
            + self.bias
        )


@mistake(
    "LayerNorm",
    hint="eps stands outside the root; it is added to the variance before the root is taken.",
    ko="eps가 제곱근 밖에 있습니다. 제곱근을 구하기 전에 분산에 더해야 합니다.",
)
class lnm_eps_outside(solution.LayerNorm):
    def forward(self, x):
        return (
            rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: variance.sqrt() + eps, self.eps) * self.weight
            + self.bias
        )


@mistake(
    "LayerNorm",
    hint="eps was squared; add it to the variance as it is.",
    ko="eps를 제곱했습니다. 분산에 그대로 더하세요.",
)
class lnm_eps_squared(solution.LayerNorm):
    def forward(self, x):
        return (
            rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: torch.sqrt(variance + eps**2), self.eps)
            * self.weight
            + self.bias
        )


@mistake(
    "LayerNorm",
    hint="The argument eps is not used; a number of its own stands in the formula.",
    ko="eps 인자를 쓰지 않고 식에 다른 수를 적었습니다.",
)
class lnm_eps_ignored(solution.LayerNorm):
    def forward(self, x):
        return (
            rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: torch.sqrt(variance + 1e-5), self.eps)
            * self.weight
            + self.bias
        )


@mistake(
    "LayerNorm",
    hint="The variance is only kept from falling below eps; eps has to be added to it.",
    ko="분산이 eps보다 작아지지 않게만 했습니다. eps를 더해야 합니다.",
)
class lnm_variance_clamped(solution.LayerNorm):
    def forward(self, x):
        return (
            rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: variance.clamp(min=eps).sqrt(), self.eps)
            * self.weight
            + self.bias
        )


@mistake(
    "LayerNorm",
    hint="The deviations were divided by the variance; divide by its root.",
    ko="편차를 분산으로 나누었습니다. 분산의 제곱근으로 나누세요.",
    marks="slip",
)
class lnm_by_variance(solution.LayerNorm):
    def forward(self, x):
        return (
            rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: variance + eps, self.eps) * self.weight
            + self.bias
        )


@mistake(
    "LayerNorm",
    hint="The mean is subtracted, but nothing is divided by the standard deviation.",
    ko="평균만 빼고 표준편차로 나누지 않았습니다.",
)
class lnm_not_divided(solution.LayerNorm):
    def forward(self, x):
        return rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: 1.0, self.eps) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="The mean is not subtracted, and the root of the mean square stands for the deviation: that is RMS normalization.",
    ko="평균을 빼지 않고 제곱평균제곱근으로 나누었습니다. 그것은 RMS 정규화입니다.",
)
class lnm_rms(solution.LayerNorm):
    def forward(self, x):
        return rooted(x, lambda square, eps: torch.sqrt(square + eps), self.eps) * self.weight + self.bias


@mistake("LayerNorm", hint="The scale and the shift are not applied.", ko="스케일과 시프트를 적용하지 않았습니다.")
class lnm_no_affine(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps)


@mistake(
    "LayerNorm",
    hint="Scale and shift are swapped: the scale multiplies, the shift is added.",
    ko="스케일과 시프트가 바뀌었습니다. 스케일은 곱하고 시프트는 더합니다.",
)
class lnm_swapped(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps) * self.bias + self.weight


@mistake("LayerNorm", hint="The shift is missing.", ko="시프트를 더하지 않았습니다.")
class lnm_no_shift(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps) * self.weight


@mistake("LayerNorm", hint="The scale is missing.", ko="스케일을 곱하지 않았습니다.")
class lnm_no_scale(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps) + self.bias


@mistake(
    "LayerNorm",
    hint="The scale multiplies the shift as well: scale first, then shift.",
    ko="스케일이 시프트까지 곱해집니다. 먼저 스케일을 곱하고 그다음 시프트를 더하세요.",
)
class lnm_shift_scaled(solution.LayerNorm):
    def forward(self, x):
        return (normalized(x, self.eps) + self.bias) * self.weight


@mistake(
    "LayerNorm",
    hint="The scale was taken as 1 + scale; multiply by it as it is.",
    ko="스케일에 1을 더해서 곱했습니다. 그대로 곱하세요.",
)
class lnm_scale_plus_one(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps) * (1 + self.weight) + self.bias


@mistake(
    "LayerNorm",
    hint="Scale and shift were applied before normalizing, which undoes them; they come last.",
    ko="정규화하기 전에 스케일과 시프트를 적용해서 사라졌습니다. 마지막에 적용해야 합니다.",
)
class lnm_affine_first(solution.LayerNorm):
    def forward(self, x):
        return normalized(x * self.weight + self.bias, self.eps)


@mistake(
    "LayerNorm",
    hint="mean(x^2) - mean(x)^2 loses its digits when the numbers are large and close together: square the deviations.",
    ko="값이 크고 서로 가까우면 mean(x^2) - mean(x)^2은 자릿수를 잃습니다. 편차를 제곱하세요.",
)
class lnm_mean_of_squares(solution.LayerNorm):
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = x.square().mean(-1, keepdim=True) - mean**2
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
)
class lnm_statistics_detached(solution.LayerNorm):
    def forward(self, x):
        still = x.detach()
        mean, variance = still.mean(-1, keepdim=True), still.var(-1, keepdim=True, correction=0)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="The caller's tensor was changed in place (-=, sub_); make a new one.",
    ko="부른 쪽의 텐서를 제자리에서 바꾸었습니다(-=, sub_). 새 텐서를 만드세요.",
    marks="point",
)
class lnm_in_place(solution.LayerNorm):
    def forward(self, x):
        x -= x.mean(-1, keepdim=True)
        return x / torch.sqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
class lnm_into_float32(solution.LayerNorm):
    def forward(self, x):
        return (normalized(x, self.eps) * self.weight + self.bias).float()


@mistake(
    "LayerNorm",
    hint="float64 goes through float32 on the way and loses its digits there.",
    ko="계산 도중 float64를 float32로 바꾸어 자릿수를 잃습니다.",
)
class lnm_float32_inside(solution.LayerNorm):
    def forward(self, x):
        return (normalized(x.float(), self.eps) * self.weight + self.bias).to(x.dtype)


@mistake(
    "LayerNorm",
    hint="The default of eps is another one than the signature's.",
    ko="eps의 기본값이 주어진 시그니처와 다릅니다.",
)
class lnm_default_eps(solution.LayerNorm):
    def __init__(self, d, eps=1e-6):
        super().__init__(d, eps)


@mistake(
    "LayerNorm",
    hint="The weight or the bias is used without its gradient (.data, detach), so it is never trained.",
    ko="weight나 bias를 그래디언트 없이(.data, detach) 써서 학습되지 않습니다.",
)
class lnm_weight_detached(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps) * self.weight.data + self.bias


@mistake(
    "LayerNorm",
    hint="The parameters were made with requires_grad=False, so they are never trained.",
    ko="매개변수를 requires_grad=False로 만들어 학습되지 않습니다.",
)
class lnm_frozen(solution.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        self.requires_grad_(False)


@mistake(
    "LayerNorm",
    hint="In eval nothing is normalized; layer normalization does the same in both modes.",
    ko="eval에서 정규화하지 않습니다. 층 정규화는 두 모드에서 똑같이 합니다.",
)
class lnm_off_in_eval(solution.LayerNorm):
    def forward(self, x):
        return super().forward(x) if self.training else x * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="In eval the mean and the variance of an earlier call are used, as in batch normalization; take those of x.",
    ko="eval에서 배치 정규화처럼 이전 호출의 평균과 분산을 씁니다. 언제나 x의 것을 쓰세요.",
)
class lnm_statistics_kept_for_eval(solution.LayerNorm):
    mean, variance = 0.0, torch.ones(())

    def forward(self, x):
        if self.training:
            self.mean, self.variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, correction=0)
        return (x - self.mean) / (self.variance + self.eps).sqrt() * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="The weight starts as zeros, so a new layer gives zeros; it starts as ones.",
    ko="weight가 0으로 시작하여 새 층의 결과가 0입니다. 1로 시작해야 합니다.",
)
class lnm_zero_weight(solution.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        nn.init.zeros_(self.weight)


@mistake(
    "LayerNorm",
    hint="Weight and bias start at random; a new layer has a weight of ones and a bias of zeros.",
    ko="weight와 bias를 무작위로 시작했습니다. 새 층의 weight는 1, bias는 0입니다.",
)
class lnm_random_weight(solution.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        nn.init.normal_(self.weight)
        nn.init.normal_(self.bias)


@mistake(
    "LayerNorm", hint="The bias starts as ones; it starts as zeros.", ko="bias가 1로 시작합니다. 0으로 시작해야 합니다."
)
class lnm_bias_of_ones(solution.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        nn.init.ones_(self.bias)


@mistake(
    "LayerNorm",
    hint="Plain tensors are no parameters: an optimizer, `.to()` and state_dict do not see them.",
    ko="보통 텐서는 매개변수가 아닙니다. 옵티마이저, `.to()`, state_dict가 보지 못합니다.",
)
class lnm_plain_tensors(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight, self.bias = torch.ones(d), torch.zeros(d)

    def forward(self, x):
        return normalized(x, self.eps) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="The bias is a buffer: it is saved, but no optimizer trains it.",
    ko="bias가 버퍼입니다. 저장되지만 옵티마이저가 학습하지 않습니다.",
)
class lnm_bias_as_buffer(solution.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        del self.bias
        self.register_buffer("bias", torch.zeros(d))


@mistake(
    "LayerNorm",
    hint="weight and bias are buffers: they are saved, but no optimizer trains them.",
    ko="weight와 bias가 버퍼입니다. 저장되지만 옵티마이저가 학습하지 않습니다.",
)
class lnm_buffers(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.register_buffer("weight", torch.ones(d))
        self.register_buffer("bias", torch.zeros(d))

    def forward(self, x):
        return normalized(x, self.eps) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="The parameters have other names than `weight` and `bias`, so saved weights do not find them.",
    ko="매개변수의 이름이 `weight`와 `bias`가 아니어서 저장된 가중치를 불러올 수 없습니다.",
)
class lnm_other_names(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gamma, self.beta = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))

    def forward(self, x):
        return normalized(x, self.eps) * self.gamma + self.beta


@mistake(
    "LayerNorm",
    hint="There is one scale and one shift for all features; each feature has its own.",
    ko="모든 특징에 스케일과 시프트가 하나뿐입니다. 특징마다 있어야 합니다.",
)
class lnm_one_weight_for_all(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight, self.bias = nn.Parameter(torch.ones(1)), nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return normalized(x, self.eps) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="eps was made a parameter; it is a fixed number.",
    ko="eps를 매개변수로 만들었습니다. 고정된 수입니다.",
)
class lnm_learned_eps(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))
        self.eps = nn.Parameter(torch.tensor(float(eps)))

    def forward(self, x):
        return normalized(x, self.eps) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="What one call computed is used in another: a call depends on its own arguments only.",
    ko="한 호출에서 계산한 것을 다른 호출에서 씁니다. 결과는 그 호출의 인자에만 달려 있어야 합니다.",
    unnamed="Only a part of the formula is old, so the numbers look like those of any wrong answer.",
)
class lnm_remembers_the_mean(solution.LayerNorm):
    def forward(self, x):
        if not hasattr(self, "mean") or self.mean.shape != x.shape[:-1]:
            self.mean = x.mean(-1).detach()
        return (x - self.mean.unsqueeze(-1)) / torch.sqrt(
            x.var(-1, keepdim=True, correction=0) + self.eps
        ) * self.weight + self.bias


@mistake(
    "LayerNorm",
    hint="All layers share the same weight and bias; every layer has its own.",
    ko="모든 층이 같은 weight와 bias를 함께 씁니다. 층마다 따로 있어야 합니다.",
    twins=("earlier_result",),
)
class lnm_shared_by_all(solution.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        kind, name = type(self), f"first_of_{d}"
        first = getattr(kind, name, self)
        setattr(kind, name, first)
        self.weight, self.bias = first.weight, first.bias


@mistake(
    "LayerNorm",
    hint="The weight itself was changed by the call; leave the parameters to the optimizer.",
    ko="호출이 weight 자체를 바꾸었습니다. 매개변수는 옵티마이저에 맡기세요.",
    twins=("changing_result",),
)
class lnm_weight_changed(solution.LayerNorm):
    def forward(self, x):
        result = super().forward(x)
        with torch.no_grad():
            self.weight.mul_(0.5)
        return result


@mistake(
    "LayerNorm",
    hint="A single row without leading dimensions has to work as well.",
    ko="앞에 차원이 없는 행 하나도 되어야 합니다.",
)
class lnm_one_row_refused(solution.LayerNorm):
    def forward(self, x):
        rows, d = x.shape[-2:]
        return super().forward(x.reshape(-1, rows, d)).reshape(x.shape)


@mistake(
    "LayerNorm",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
    marks="library",
)
class lnm_by_library(solution.LayerNorm):
    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


@mistake(
    "LayerNorm",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
)
class lnm_from_library(nn.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps=eps)


@mistake(
    "LayerNorm",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
)
class lnm_by_library_in_eval(solution.LayerNorm):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        return nn.functional.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


@right("LayerNorm", why="the bias made first, and parameters registered by hand")
class lnm_bias_first(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.register_parameter("bias", nn.Parameter(torch.empty(d)))
        self.register_parameter("weight", nn.Parameter(torch.empty(d)))
        self.variance_epsilon = eps
        nn.init.zeros_(self.bias)
        nn.init.ones_(self.weight)

    def forward(self, hidden):
        u = hidden.mean(-1, keepdim=True)
        s = (hidden - u).pow(2).mean(-1, keepdim=True)
        return self.bias + self.weight * ((hidden - u) / torch.sqrt(s + self.variance_epsilon))


@right("LayerNorm", why="the student's own function, named otherwise")
class lnm_own_function(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.normalized_shape, self.eps = (d,), eps
        self.weight = nn.Parameter(torch.full((d,), 1.0))
        self.bias = nn.Parameter(torch.zeros(self.normalized_shape))

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}"

    def forward(self, x):
        return torch.addcmul(self.bias, normalized(x, self.eps), self.weight)


@right("LayerNorm", why="float64 inside, eps kept in a buffer")
class lnm_wide_inside(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))
        self.bias = nn.Parameter(torch.zeros(d))
        self.register_buffer("eps", torch.tensor(eps, dtype=torch.float64), persistent=False)

    def forward(self, x):
        wide = x.to(torch.float64)
        variance, mean = torch.var_mean(wide, dim=-1, correction=0, keepdim=True)
        return ((wide - mean) * torch.rsqrt(variance + self.eps) * self.weight + self.bias).type_as(x)


@right("LayerNorm", why="a loop over rows, in place on tensors of its own")
class lnm_looped(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.d, self.eps = d, eps
        for name, start in (("weight", 1.0), ("bias", 0.0)):
            setattr(self, name, nn.Parameter(torch.full([d], start)))

    def forward(self, x):
        result = x.new_empty(x.shape).view(-1, self.d)
        for i, row in enumerate(x.reshape(-1, self.d)):
            row = row - row.mean()
            result[i] = self.weight * row * (row.square().mean() + self.eps).pow(-0.5) + self.bias
        return result.view(x.shape)


@right("LayerNorm", why="the class of the solution, with a buffer more that counts calls")
class lnm_counts_calls(solution.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x):
        self.calls += 1
        return super().forward(x)


# --- batch_norm -------------------------------------------------------------------------------------------------------


@mistake(
    "batch_norm",
    hint="Every number is scaled and shifted for itself: there is no mean and no variance.",
    ko="숫자마다 따로 곱하고 더할 뿐입니다. 평균도 분산도 없습니다.",
    marks="trivial",
)
def bn_elementwise(x, gamma, beta, eps=1e-5):
    return x * gamma + beta


@mistake(
    "batch_norm",
    hint="The result is the same whatever x is.",
    ko="x가 무엇이든 결과가 같습니다.",
    marks="trivial",
)
def bn_constant(x, gamma, beta, eps=1e-5):
    return beta.expand(x.shape).clone()


@mistake(
    "batch_norm",
    hint="The variance was divided by N - 1; here it is the mean of the squared deviations (look at torch.var's options).",
    ko="분산을 N - 1로 나누었습니다. 여기서는 편차 제곱의 평균입니다(torch.var의 옵션을 보세요).",
    marks="slip",
)
def bn_unbiased(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=0, correction=1) * gamma + beta


@mistake(
    "batch_norm",
    hint="The mean and the variance were taken over each sample's features: that is layer normalization.",
    ko="샘플마다 특징 방향으로 평균과 분산을 구했습니다. 그것은 층 정규화입니다.",
    marks="slip",
)
def bn_over_features(x, gamma, beta, eps=1e-5):
    return normalized(x, eps) * gamma + beta


@mistake(
    "batch_norm",
    hint="Means over the wrong axis line up only where there are as many samples as features: one is needed for each feature.",
    ko="다른 축의 평균은 샘플과 특징의 수가 같을 때만 맞추어집니다. 특징마다 하나가 필요합니다.",
)
def bn_keepdim_over_features(x, gamma, beta, eps=1e-5):
    return (x - x.mean(1)) / torch.sqrt(x.var(1, correction=0) + eps) * gamma + beta


@mistake(
    "batch_norm",
    hint="gamma and beta were laid along the samples; they belong to the features.",
    ko="gamma와 beta를 샘플 방향으로 놓았습니다. 특징에 속하는 값입니다.",
)
def bn_affine_on_samples(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=0) * gamma[:, None] + beta[:, None]


@mistake(
    "batch_norm",
    hint="A single feature loses its axis: the result has the shape of x.",
    ko="특징이 하나일 때 축이 없어집니다. 결과의 모양은 x와 같아야 합니다.",
)
def bn_squeezed(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps, dim=0) * gamma + beta).squeeze(-1)


@mistake(
    "batch_norm",
    hint="One mean and one variance were taken over everything; each row or feature has its own.",
    ko="전체에서 평균과 분산을 하나씩만 구했습니다. 행이나 특징마다 따로 구하세요.",
)
def bn_over_everything(x, gamma, beta, eps=1e-5):
    return (x - x.mean()) / torch.sqrt(x.var(correction=0) + eps) * gamma + beta


@mistake(
    "batch_norm",
    hint="Without eps a variance of 0 divides 0 by 0, and small variances blow up.",
    ko="eps가 없으면 분산이 0일 때 0을 0으로 나누고, 작은 분산에서 값이 커집니다.",
)
def bn_eps_forgotten(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=0, keepdim=True), lambda variance, eps: variance.sqrt(), eps, dim=0) * gamma + beta


@mistake(
    "batch_norm",
    hint="eps stands outside the root; it is added to the variance before the root is taken.",
    ko="eps가 제곱근 밖에 있습니다. 제곱근을 구하기 전에 분산에 더해야 합니다.",
)
def bn_eps_outside(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=0, keepdim=True), lambda variance, eps: variance.sqrt() + eps, eps, dim=0) * gamma + beta
    )


@mistake(
    "batch_norm",
    hint="eps was squared; add it to the variance as it is.",
    ko="eps를 제곱했습니다. 분산에 그대로 더하세요.",
)
def bn_eps_squared(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=0, keepdim=True), lambda variance, eps: torch.sqrt(variance + eps**2), eps, dim=0) * gamma
        + beta
    )


@mistake(
    "batch_norm",
    hint="The argument eps is not used; a number of its own stands in the formula.",
    ko="eps 인자를 쓰지 않고 식에 다른 수를 적었습니다.",
)
def bn_eps_ignored(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=0, keepdim=True), lambda variance, eps: torch.sqrt(variance + 1e-5), eps, dim=0) * gamma
        + beta
    )


@mistake(
    "batch_norm",
    hint="The variance is only kept from falling below eps; eps has to be added to it.",
    ko="분산이 eps보다 작아지지 않게만 했습니다. eps를 더해야 합니다.",
)
def bn_variance_clamped(x, gamma, beta, eps=1e-5):
    return (
        rooted(x - x.mean(dim=0, keepdim=True), lambda variance, eps: variance.clamp(min=eps).sqrt(), eps, dim=0)
        * gamma
        + beta
    )


@mistake(
    "batch_norm",
    hint="The deviations were divided by the variance; divide by its root.",
    ko="편차를 분산으로 나누었습니다. 분산의 제곱근으로 나누세요.",
    marks="slip",
)
def bn_by_variance(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=0, keepdim=True), lambda variance, eps: variance + eps, eps, dim=0) * gamma + beta


@mistake(
    "batch_norm",
    hint="The mean is subtracted, but nothing is divided by the standard deviation.",
    ko="평균만 빼고 표준편차로 나누지 않았습니다.",
)
def bn_not_divided(x, gamma, beta, eps=1e-5):
    return rooted(x - x.mean(dim=0, keepdim=True), lambda variance, eps: 1.0, eps, dim=0) * gamma + beta


@mistake(
    "batch_norm",
    hint="The mean is not subtracted, and the root of the mean square stands for the deviation: that is RMS normalization.",
    ko="평균을 빼지 않고 제곱평균제곱근으로 나누었습니다. 그것은 RMS 정규화입니다.",
)
def bn_rms(x, gamma, beta, eps=1e-5):
    return rooted(x, lambda square, eps: torch.sqrt(square + eps), eps, dim=0) * gamma + beta


@mistake(
    "batch_norm",
    hint="Centred by the mean, but divided by the root mean square of x itself: it is the deviations' that counts.",
    ko="평균을 뺐지만 x 자체의 제곱평균제곱근으로 나누었습니다. 편차의 것으로 나누어야 합니다.",
)
def bn_centred_by_rms(x, gamma, beta, eps=1e-5):
    return (x - x.mean(dim=0, keepdim=True)) / torch.sqrt(x.square().mean(dim=0, keepdim=True) + eps) * gamma + beta


@mistake("batch_norm", hint="The mean is not subtracted before dividing.", ko="나누기 전에 평균을 빼지 않았습니다.")
def bn_not_centred(x, gamma, beta, eps=1e-5):
    return x / torch.sqrt(x.var(dim=0, keepdim=True, correction=0) + eps) * gamma + beta


@mistake(
    "batch_norm",
    hint="The mean absolute deviation is another measure of spread; the root of the variance is asked for.",
    ko="평균절대편차는 다른 척도입니다. 분산의 제곱근이 필요합니다.",
)
def bn_absolute_deviation(x, gamma, beta, eps=1e-5):
    deviations = x - x.mean(dim=0, keepdim=True)
    return deviations / torch.sqrt(deviations.abs().mean(dim=0, keepdim=True) ** 2 + eps) * gamma + beta


@mistake(
    "batch_norm",
    hint="The squared deviations were added up; take their mean.",
    ko="편차의 제곱을 더하기만 했습니다. 평균을 구하세요.",
)
def bn_summed_squares(x, gamma, beta, eps=1e-5):
    deviations = x - x.mean(dim=0, keepdim=True)
    return deviations / torch.sqrt(deviations.square().sum(dim=0, keepdim=True) + eps) * gamma + beta


@mistake("batch_norm", hint="The scale and the shift are not applied.", ko="스케일과 시프트를 적용하지 않았습니다.")
def bn_no_affine(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=0)


@mistake(
    "batch_norm",
    hint="Scale and shift are swapped: the scale multiplies, the shift is added.",
    ko="스케일과 시프트가 바뀌었습니다. 스케일은 곱하고 시프트는 더합니다.",
)
def bn_swapped(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=0) * beta + gamma


@mistake("batch_norm", marks="slip", hint="The shift is missing.", ko="시프트를 더하지 않았습니다.")
def bn_no_shift(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=0) * gamma


@mistake("batch_norm", marks="slip", hint="The scale is missing.", ko="스케일을 곱하지 않았습니다.")
def bn_no_scale(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=0) + beta


@mistake(
    "batch_norm",
    hint="The scale multiplies the shift as well: scale first, then shift.",
    ko="스케일이 시프트까지 곱해집니다. 먼저 스케일을 곱하고 그다음 시프트를 더하세요.",
)
def bn_shift_scaled(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps, dim=0) + beta) * gamma


@mistake(
    "batch_norm",
    hint="The scale was taken as 1 + scale; multiply by it as it is.",
    ko="스케일에 1을 더해서 곱했습니다. 그대로 곱하세요.",
)
def bn_scale_plus_one(x, gamma, beta, eps=1e-5):
    return normalized(x, eps, dim=0) * (1 + gamma) + beta


@mistake(
    "batch_norm",
    hint="Scale and shift were applied before normalizing, which undoes them; they come last.",
    ko="정규화하기 전에 스케일과 시프트를 적용해서 사라졌습니다. 마지막에 적용해야 합니다.",
)
def bn_affine_first(x, gamma, beta, eps=1e-5):
    return normalized(x * gamma + beta, eps, dim=0)


@mistake(
    "batch_norm",
    hint="The default of eps is another one than the signature's.",
    ko="eps의 기본값이 주어진 시그니처와 다릅니다.",
)
def bn_default_eps(x, gamma, beta, eps=1e-6):
    return normalized(x, eps, dim=0) * gamma + beta


@mistake(
    "batch_norm",
    hint="mean(x^2) - mean(x)^2 loses its digits when the numbers are large and close together: square the deviations.",
    ko="값이 크고 서로 가까우면 mean(x^2) - mean(x)^2은 자릿수를 잃습니다. 편차를 제곱하세요.",
)
def bn_mean_of_squares(x, gamma, beta, eps=1e-5):
    mean = x.mean(dim=0, keepdim=True)
    variance = x.square().mean(dim=0, keepdim=True) - mean**2
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


@mistake(
    "batch_norm",
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
)
def bn_statistics_detached(x, gamma, beta, eps=1e-5):
    mean, variance = x.mean(dim=0, keepdim=True).detach(), x.var(dim=0, keepdim=True, correction=0).detach()
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


@mistake(
    "batch_norm",
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
)
def bn_variance_detached(x, gamma, beta, eps=1e-5):
    variance = x.detach().var(dim=0, keepdim=True, correction=0)
    return (x - x.mean(dim=0, keepdim=True)) / torch.sqrt(variance + eps) * gamma + beta


@mistake(
    "batch_norm",
    hint="The result is cut off from the inputs (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
    marks="point",
)
def bn_detached(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps, dim=0) * gamma + beta).detach()


@mistake(
    "batch_norm",
    hint="The caller's tensor was changed in place (-=, sub_); make a new one.",
    ko="부른 쪽의 텐서를 제자리에서 바꾸었습니다(-=, sub_). 새 텐서를 만드세요.",
    marks="point",
)
def bn_in_place(x, gamma, beta, eps=1e-5):
    x -= x.mean(dim=0, keepdim=True)
    return x / torch.sqrt(x.square().mean(dim=0, keepdim=True) + eps) * gamma + beta


@mistake(
    "batch_norm",
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
def bn_into_float32(x, gamma, beta, eps=1e-5):
    return (normalized(x, eps, dim=0) * gamma + beta).float()


@mistake(
    "batch_norm",
    hint="float64 goes through float32 on the way and loses its digits there.",
    ko="계산 도중 float64를 float32로 바꾸어 자릿수를 잃습니다.",
)
def bn_float32_inside(x, gamma, beta, eps=1e-5):
    x, dtype = x.float(), x.dtype
    return (normalized(x, eps, dim=0) * gamma + beta).to(dtype)


@mistake(
    "batch_norm",
    hint="What one call computed is used in another: a call depends on its own arguments only.",
    ko="한 호출에서 계산한 것을 다른 호출에서 씁니다. 결과는 그 호출의 인자에만 달려 있어야 합니다.",
    unnamed="Only a part of the formula is old, so the numbers look like those of any wrong answer.",
)
def bn_remembered(x, gamma, beta, eps=1e-5):
    mean = vars(bn_remembered).setdefault(str(x.shape), x.mean(dim=0, keepdim=True).detach())
    return (x - mean) / torch.sqrt(x.var(dim=0, keepdim=True, correction=0) + eps) * gamma + beta


@mistake(
    "batch_norm",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
    marks="library",
)
def bn_by_library(x, gamma, beta, eps=1e-5):
    return F.batch_norm(x, None, None, gamma, beta, training=True, eps=eps)


@mistake(
    "batch_norm",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
)
def bn_by_instance_norm(x, gamma, beta, eps=1e-5):
    return F.instance_norm(x.T.unsqueeze(0), weight=gamma, bias=beta, eps=eps)[0].T


@right("batch_norm", why="torch.var_mean and rsqrt")
def bn_var_mean(x, gamma, beta, eps=1e-5):
    variance, mean = torch.var_mean(x, 0, correction=0)
    return (x - mean) * torch.rsqrt(variance + eps) * gamma + beta


@right("batch_norm", why="a loop over the features")
def bn_looped(x, gamma, beta, eps=1e-5):
    columns = []
    for c in range(x.shape[1]):
        column = x[:, c] - x[:, c].mean()
        columns.append(gamma[c] * column / (column.pow(2).mean() + eps).sqrt() + beta[c])
    return torch.stack(columns, dim=1)


@right("batch_norm", why="the transpose, in place on tensors of its own, so that the result is not contiguous")
def bn_transposed(x, gamma, beta, eps=1e-5):
    columns = x.T - x.T.mean(1, keepdim=True)
    columns = columns / torch.sqrt(columns.square().mean(1, keepdim=True) + eps)
    columns *= gamma.unsqueeze(1)
    columns += beta.unsqueeze(1)
    return columns.T


@right("batch_norm", why="float64 inside, with the mean of squares")
def bn_wide_inside(x, gamma, beta, eps=1e-5):
    wide = x.double()
    mean = wide.mean(0)
    variance = (wide**2).mean(0) - mean**2
    return ((wide - mean) / (variance.clamp(min=0) + eps).sqrt() * gamma + beta).to(x.dtype)


@right("batch_norm", why="matrix products for the means")
def bn_by_products(x, gamma, beta, eps=1e-5):
    ones = x.new_ones(1, len(x))
    centred = x - ones @ x / len(x)
    return torch.addcmul(beta, centred / torch.sqrt(ones @ centred.square() / len(x) + eps), gamma)


@mistake(
    "batch_norm",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
)
def bn_by_layer_norm(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x.T, (len(x),), eps=eps).T * gamma + beta


# --- BatchNorm1d ------------------------------------------------------------------------------------------------------


@helper
def moved(module, mean, variance, momentum=None):
    # moves both running statistics by new values
    momentum = module.momentum if momentum is None else momentum
    with torch.no_grad():
        module.running_mean.mul_(1 - momentum).add_(mean, alpha=momentum)
        module.running_var.mul_(1 - momentum).add_(variance, alpha=momentum)


@helper
def by(module, x, mean, variance):
    return (x - mean) / torch.sqrt(variance + module.eps) * module.weight + module.bias


@mistake(
    "BatchNorm1d",
    hint="Every number is scaled and shifted for itself: there is no mean and no variance.",
    ko="숫자마다 따로 곱하고 더할 뿐입니다. 평균도 분산도 없습니다.",
    marks="trivial",
)
class bnm_elementwise(solution.BatchNorm1d):
    def forward(self, x):
        return x * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="The result is the same whatever x is.",
    ko="x가 무엇이든 결과가 같습니다.",
    marks="trivial",
)
class bnm_constant(solution.BatchNorm1d):
    def forward(self, x):
        return self.bias.expand(x.shape).clone()


@mistake(
    "BatchNorm1d",
    hint="The mean and the variance were taken over each sample's features: that is layer normalization.",
    ko="샘플마다 특징 방향으로 평균과 분산을 구했습니다. 그것은 층 정규화입니다.",
    marks="slip",
)
class bnm_over_features(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        return normalized(x, self.eps) * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="eps is kept by the class, so the layer that was made last decides for all; keep it in self.",
    ko="eps를 클래스에 두어, 마지막에 만든 층의 값이 모두에게 쓰입니다. self에 두세요.",
    unnamed="a layer by itself is right, and a wrong eps looks like any other",
)
class bnm_eps_shared_by_all(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        del self.eps
        type(self).eps = eps


@mistake(
    "BatchNorm1d",
    hint="momentum is kept by the class, so the layer that was made last decides for all; keep it in self.",
    ko="momentum을 클래스에 두어, 마지막에 만든 층의 값이 모두에게 쓰입니다. self에 두세요.",
    unnamed="a layer by itself is right, and a wrong momentum looks like any other",
)
class bnm_momentum_shared_by_all(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        del self.momentum
        type(self).momentum = momentum


@mistake(
    "BatchNorm1d",
    hint="This batch is normalized by the variance divided by N - 1; that one is for running_var only.",
    ko="이 배치를 N - 1로 나눈 분산으로 정규화했습니다. 그것은 running_var에만 씁니다.",
    marks="slip",
)
class bnm_unbiased_for_the_batch(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        return by(self, x, x.mean(0), x.var(0))


@mistake(
    "BatchNorm1d",
    hint="running_var got the variance divided by N; as a guess about all the data it takes the one divided by N - 1.",
    ko="running_var에 N으로 나눈 분산을 넣었습니다. 전체 데이터의 추정값이므로 N - 1로 나눈 것을 씁니다.",
)
class bnm_biased_running_var(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0, correction=0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The two variances are exchanged: the batch is normalized by N's, running_var remembers that of N - 1.",
    ko="두 분산이 서로 바뀌었습니다. 정규화에는 N, running_var에는 N - 1로 나눈 것을 씁니다.",
)
class bnm_variances_exchanged(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0, correction=0))
        return by(self, x, x.mean(0), x.var(0))


@mistake(
    "BatchNorm1d",
    hint="In training the running statistics were used; this batch's own are asked for.",
    ko="학습 중에 이동 통계를 썼습니다. 그 배치 자신의 통계를 써야 합니다.",
)
class bnm_running_in_training(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            moved(self, x.mean(0), x.var(0))
        return by(self, x, self.running_mean, self.running_var)


@mistake(
    "BatchNorm1d",
    hint="In training the running statistics of before were used; this batch's own are asked for.",
    ko="학습 중에 이전의 이동 통계를 썼습니다. 그 배치 자신의 통계를 써야 합니다.",
)
class bnm_running_before_the_update(solution.BatchNorm1d):
    def forward(self, x):
        result = by(self, x, self.running_mean.clone(), self.running_var.clone())
        if self.training:
            moved(self, x.mean(0), x.var(0))
        return result


@mistake(
    "BatchNorm1d",
    hint="In eval the batch's own statistics are used, so a single sample gives nothing; use the running ones.",
    ko="eval에서 배치의 통계를 썼습니다. 이동 통계를 써야 합니다.",
    marks="point",
)
class bnm_batch_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            moved(self, x.mean(0), x.var(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake("BatchNorm1d", hint="Training and eval are exchanged.", ko="학습과 eval이 서로 바뀌었습니다.")
class bnm_modes_exchanged(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            return by(self, x, self.running_mean, self.running_var)
        moved(self, x.mean(0), x.var(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The shares are exchanged: momentum is the share of the new batch.",
    ko="비율이 바뀌었습니다. momentum은 새 배치의 몫입니다.",
)
class bnm_momentum_inverted(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0), 1 - self.momentum)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake("BatchNorm1d", hint="The argument momentum is not used.", ko="momentum 인자를 쓰지 않았습니다.")
class bnm_momentum_ignored(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0), 0.1)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="A momentum of 0 is taken for none given: `or` treats 0 as missing.",
    ko="momentum 0을 주지 않은 것으로 여깁니다. `or`는 0을 없는 값으로 다룹니다.",
)
class bnm_momentum_of_zero_replaced(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum or 0.1)


@mistake(
    "BatchNorm1d",
    hint="Only the mean follows the argument momentum, the variance does not.",
    ko="평균만 momentum 인자를 따르고 분산은 따르지 않습니다.",
)
class bnm_momentum_for_the_mean_only(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        with torch.no_grad():
            self.running_mean.lerp_(x.mean(0), self.momentum)
            self.running_var.lerp_(x.var(0), 0.1)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The running statistics stay as they start; move them at every call in training.",
    ko="이동 통계가 처음 그대로입니다. 학습 중 호출할 때마다 움직이세요.",
)
class bnm_never_moved(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The running statistics are those of the last batch; keep the share 1 - momentum of the old ones.",
    ko="이동 통계가 마지막 배치의 것입니다. 이전 값의 1 - momentum만큼을 남기세요.",
)
class bnm_last_batch_only(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0), 1.0)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="All batches count alike; with momentum the newer ones count more.",
    ko="모든 배치를 똑같이 평균했습니다. momentum을 쓰면 새 배치가 더 크게 들어갑니다.",
)
class bnm_plain_average(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        self.batches = getattr(self, "batches", 0) + 1
        moved(self, x.mean(0), x.var(0), 1 / self.batches)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The new share is added, but the old statistics do not shrink by 1 - momentum.",
    ko="새 몫을 더하기만 하고 이전 통계를 1 - momentum배로 줄이지 않았습니다.",
)
class bnm_old_not_decayed(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        with torch.no_grad():
            self.running_mean += self.momentum * x.mean(0)
            self.running_var += self.momentum * x.var(0)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The running statistics move at the first batch only.",
    ko="이동 통계가 첫 배치에서만 움직입니다.",
)
class bnm_first_batch_only(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        if not getattr(self, "begun", False):
            moved(self, x.mean(0), x.var(0))
            self.begun = True
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The first batch replaces the running statistics; it too moves them by momentum only, from 0 and 1.",
    ko="첫 배치가 이동 통계를 통째로 바꿉니다. 첫 배치도 0과 1에서 momentum만큼만 움직입니다.",
)
class bnm_begins_with_the_first_batch(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0), self.momentum if getattr(self, "begun", False) else 1.0)
        self.begun = True
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d", hint="One call moves the running statistics twice.", ko="한 번 호출에 이동 통계가 두 번 움직입니다."
)
class bnm_moved_twice(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        moved(self, x.mean(0), x.var(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake("BatchNorm1d", hint="The running statistics move in eval as well.", ko="eval에서도 이동 통계가 움직입니다.")
class bnm_moved_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        result = super().forward(x)
        if not self.training and len(x) > 1:
            moved(self, x.mean(0), x.var(0))
        return result


@mistake("BatchNorm1d", hint="running_mean never moves.", ko="running_mean이 움직이지 않습니다.")
class bnm_mean_not_moved(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, self.running_mean.clone(), x.var(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake("BatchNorm1d", hint="running_var never moves.", ko="running_var가 움직이지 않습니다.")
class bnm_var_not_moved(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), self.running_var.clone())
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="running_var holds standard deviations; it holds variances.",
    ko="running_var에 표준편차가 들어 있습니다. 분산이어야 합니다.",
)
class bnm_standard_deviation_kept(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.std(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="eps is kept in running_var and added once more in eval; remember the variance alone.",
    ko="running_var에 eps까지 들어 있어 eval에서 eps를 두 번 더합니다. 분산만 기억하세요.",
)
class bnm_eps_kept(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0) + self.eps)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The running statistics are the same for all features; every feature has its own.",
    ko="모든 특징의 이동 통계가 같습니다. 특징마다 따로 있어야 합니다.",
)
class bnm_one_statistic_for_all(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean().expand(x.shape[1]), x.var().expand(x.shape[1]))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="running_var starts at 0, which makes eval of a new layer blow up; it starts at 1.",
    ko="running_var가 0에서 시작하여 새 층의 eval 결과가 커집니다. 1에서 시작해야 합니다.",
)
class bnm_var_starts_at_zero(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.running_var.zero_()


@mistake(
    "BatchNorm1d",
    hint="running_mean starts at 1; it starts at 0.",
    ko="running_mean이 1에서 시작합니다. 0에서 시작해야 합니다.",
)
class bnm_mean_starts_at_one(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.running_mean.fill_(1.0)


@mistake(
    "BatchNorm1d",
    hint="Weight and bias start at random; a new layer has a weight of ones and a bias of zeros.",
    ko="weight와 bias를 무작위로 시작했습니다. 새 층의 weight는 1, bias는 0입니다.",
    unnamed="What was not asked for is drawn at random, so the numbers look like those of any wrong answer.",
)
class bnm_random_weight(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        nn.init.normal_(self.weight)
        nn.init.normal_(self.bias)


@mistake(
    "BatchNorm1d",
    hint="The running statistics are parameters, so an optimizer would train them; make them buffers.",
    ko="이동 통계가 매개변수여서 옵티마이저가 학습시킵니다. 버퍼로 만드세요.",
)
class bnm_statistics_as_parameters(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight, self.bias = nn.Parameter(torch.ones(num_features)), nn.Parameter(torch.zeros(num_features))
        self.running_mean = nn.Parameter(torch.zeros(num_features), requires_grad=False)
        self.running_var = nn.Parameter(torch.ones(num_features), requires_grad=False)

    def forward(self, x):
        if not self.training:
            return by(self, x, self.running_mean, self.running_var)
        moved(self, x.mean(0), x.var(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The running statistics are plain attributes: state_dict and `.to()` do not see them. Use register_buffer.",
    ko="이동 통계가 보통 속성이어서 state_dict와 `.to()`가 보지 못합니다. register_buffer를 쓰세요.",
)
class bnm_plain_attributes(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight, self.bias = nn.Parameter(torch.ones(num_features)), nn.Parameter(torch.zeros(num_features))
        self.running_mean, self.running_var = torch.zeros(num_features), torch.ones(num_features)

    def forward(self, x):
        if not self.training:
            return by(self, x, self.running_mean, self.running_var)
        moved(self, x.mean(0), x.var(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The buffers are left out of state_dict (persistent=False), so a loaded layer has forgotten them.",
    ko="버퍼가 state_dict에서 빠져 있어(persistent=False) 불러온 층이 통계를 잊습니다.",
)
class bnm_not_saved(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.register_buffer("running_mean", torch.zeros(num_features), persistent=False)
        self.register_buffer("running_var", torch.ones(num_features), persistent=False)


@mistake(
    "BatchNorm1d",
    hint="The buffers have other names than `running_mean` and `running_var`.",
    ko="버퍼의 이름이 `running_mean`과 `running_var`가 아닙니다.",
)
class bnm_other_names(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight, self.bias = nn.Parameter(torch.ones(num_features)), nn.Parameter(torch.zeros(num_features))
        self.register_buffer("moving_mean", torch.zeros(num_features))
        self.register_buffer("moving_var", torch.ones(num_features))

    def forward(self, x):
        if not self.training:
            return by(self, x, self.moving_mean, self.moving_var)
        with torch.no_grad():
            self.moving_mean.lerp_(x.mean(0), self.momentum)
            self.moving_var.lerp_(x.var(0), self.momentum)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The running statistics have an axis more than asked for (keepdim): their shape is (num_features,).",
    ko="이동 통계의 축이 하나 더 많습니다(keepdim). 모양은 (num_features,)이어야 합니다.",
)
class bnm_row_of_statistics(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight, self.bias = nn.Parameter(torch.ones(num_features)), nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(1, num_features))
        self.register_buffer("running_var", torch.ones(1, num_features))

    def forward(self, x):
        if not self.training:
            return by(self, x, self.running_mean, self.running_var)
        moved(self, x.mean(0, keepdim=True), x.var(0, keepdim=True))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="All layers share the same running statistics; every layer has its own.",
    ko="모든 층이 이동 통계를 함께 씁니다. 층마다 따로 있어야 합니다.",
    unnamed="What the numbers become hangs on the calls before, so they look like those of any wrong answer.",
)
class bnm_shared_statistics(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        kind, name = type(self), f"first_of_{num_features}"
        first = getattr(kind, name, self)
        setattr(kind, name, first)
        self.running_mean, self.running_var = first.running_mean, first.running_var


@mistake(
    "BatchNorm1d",
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
)
class bnm_statistics_detached(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        return by(self, x, x.detach().mean(0), x.detach().var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The whole computation runs without gradients (torch.no_grad); only the update of the running statistics should.",
    ko="계산 전체가 그래디언트 없이(torch.no_grad) 이루어집니다. 이동 통계의 갱신만 그래야 합니다.",
    marks="point",
)
class bnm_no_gradient_in_training(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        with torch.no_grad():
            moved(self, x.mean(0), x.var(0))
            return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="In eval the result is cut off from x; gradients may be asked for there too.",
    ko="eval에서 결과가 x와 끊깁니다. 거기서도 그래디언트가 필요할 수 있습니다.",
)
class bnm_no_gradient_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        result = super().forward(x)
        return result if self.training else result.detach()


@mistake(
    "BatchNorm1d",
    hint="Without eps a variance of 0 divides 0 by 0, and small variances blow up.",
    ko="eps가 없으면 분산이 0일 때 0을 0으로 나누고, 작은 분산에서 값이 커집니다.",
)
class bnm_eps_forgotten(solution.BatchNorm1d):
    def forward(self, x):
        mean = x.mean(0) if self.training else self.running_mean
        variance = x.var(0, correction=0) if self.training else self.running_var
        if self.training:
            moved(self, x.mean(0), x.var(0))

        def root(variance, eps):
            return variance.sqrt()

        return (x - mean) / root(variance, self.eps) * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="eps stands outside the root; it is added to the variance before the root is taken.",
    ko="eps가 제곱근 밖에 있습니다. 제곱근을 구하기 전에 분산에 더해야 합니다.",
)
class bnm_eps_outside(solution.BatchNorm1d):
    def forward(self, x):
        mean = x.mean(0) if self.training else self.running_mean
        variance = x.var(0, correction=0) if self.training else self.running_var
        if self.training:
            moved(self, x.mean(0), x.var(0))

        def root(variance, eps):
            return variance.sqrt() + eps

        return (x - mean) / root(variance, self.eps) * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="eps was squared; add it to the variance as it is.",
    ko="eps를 제곱했습니다. 분산에 그대로 더하세요.",
)
class bnm_eps_squared(solution.BatchNorm1d):
    def forward(self, x):
        mean = x.mean(0) if self.training else self.running_mean
        variance = x.var(0, correction=0) if self.training else self.running_var
        if self.training:
            moved(self, x.mean(0), x.var(0))

        def root(variance, eps):
            return torch.sqrt(variance + eps**2)

        return (x - mean) / root(variance, self.eps) * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="The argument eps is not used; a number of its own stands in the formula.",
    ko="eps 인자를 쓰지 않고 식에 다른 수를 적었습니다.",
)
class bnm_eps_ignored(solution.BatchNorm1d):
    def forward(self, x):
        mean = x.mean(0) if self.training else self.running_mean
        variance = x.var(0, correction=0) if self.training else self.running_var
        if self.training:
            moved(self, x.mean(0), x.var(0))

        def root(variance, eps):
            return torch.sqrt(variance + 1e-5)

        return (x - mean) / root(variance, self.eps) * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="The variance is only kept from falling below eps; eps has to be added to it.",
    ko="분산이 eps보다 작아지지 않게만 했습니다. eps를 더해야 합니다.",
)
class bnm_variance_clamped(solution.BatchNorm1d):
    def forward(self, x):
        mean = x.mean(0) if self.training else self.running_mean
        variance = x.var(0, correction=0) if self.training else self.running_var
        if self.training:
            moved(self, x.mean(0), x.var(0))

        def root(variance, eps):
            return variance.clamp(min=eps).sqrt()

        return (x - mean) / root(variance, self.eps) * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="The deviations were divided by the variance; divide by its root.",
    ko="편차를 분산으로 나누었습니다. 분산의 제곱근으로 나누세요.",
    marks="slip",
)
class bnm_by_variance(solution.BatchNorm1d):
    def forward(self, x):
        mean = x.mean(0) if self.training else self.running_mean
        variance = x.var(0, correction=0) if self.training else self.running_var
        if self.training:
            moved(self, x.mean(0), x.var(0))

        def root(variance, eps):
            return variance + eps

        return (x - mean) / root(variance, self.eps) * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="The mean is subtracted, but nothing is divided by the standard deviation.",
    ko="평균만 빼고 표준편차로 나누지 않았습니다.",
)
class bnm_not_divided(solution.BatchNorm1d):
    def forward(self, x):
        mean = x.mean(0) if self.training else self.running_mean
        variance = x.var(0, correction=0) if self.training else self.running_var
        if self.training:
            moved(self, x.mean(0), x.var(0))

        def root(variance, eps):
            return 1.0

        return (x - mean) / root(variance, self.eps) * self.weight + self.bias


@mistake("BatchNorm1d", hint="In eval eps is missing under the root.", ko="eval에서 제곱근 안에 eps가 없습니다.")
class bnm_eps_forgotten_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        return (x - self.running_mean) / torch.sqrt(self.running_var) * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="In eval the weight and the bias are not applied.",
    ko="eval에서 weight와 bias를 적용하지 않았습니다.",
)
class bnm_affine_in_training_only(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        return (x - self.running_mean) / torch.sqrt(self.running_var + self.eps)


@mistake("BatchNorm1d", hint="The scale and the shift are not applied.", ko="스케일과 시프트를 적용하지 않았습니다.")
class bnm_no_affine(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        mean, variance = x.mean(0), x.var(0, correction=0)
        return (x - mean) / torch.sqrt(variance + self.eps)


@mistake(
    "BatchNorm1d",
    hint="Scale and shift are swapped: the scale multiplies, the shift is added.",
    ko="스케일과 시프트가 바뀌었습니다. 스케일은 곱하고 시프트는 더합니다.",
)
class bnm_swapped(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        mean, variance = x.mean(0), x.var(0, correction=0)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.bias + self.weight


@mistake("BatchNorm1d", hint="The shift is missing.", ko="시프트를 더하지 않았습니다.")
class bnm_no_shift(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        mean, variance = x.mean(0), x.var(0, correction=0)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight


@mistake("BatchNorm1d", hint="The scale is missing.", ko="스케일을 곱하지 않았습니다.")
class bnm_no_scale(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        mean, variance = x.mean(0), x.var(0, correction=0)
        return (x - mean) / torch.sqrt(variance + self.eps) + self.bias


@mistake(
    "BatchNorm1d",
    hint="mean(x^2) - mean(x)^2 loses its digits when the numbers are large and close together: square the deviations.",
    ko="값이 크고 서로 가까우면 mean(x^2) - mean(x)^2은 자릿수를 잃습니다. 편차를 제곱하세요.",
)
class bnm_mean_of_squares(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        mean = x.mean(0)
        variance = x.square().mean(0) - mean**2
        moved(self, mean, variance * len(x) / (len(x) - 1))
        return by(self, x, mean, variance)


@mistake(
    "BatchNorm1d",
    hint="The running statistics were updated with a graph behind them: do it under torch.no_grad() or with detached values.",
    ko="이동 통계를 계산 그래프가 붙은 채로 갱신했습니다. torch.no_grad() 안에서 하거나 detach한 값을 쓰세요.",
)
class bnm_graph_kept(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * x.mean(0)
        self.running_var = (1 - self.momentum) * self.running_var + self.momentum * x.var(0)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="After an update in training the running statistics have another dtype than the layer.",
    ko="학습에서 갱신한 뒤 이동 통계의 dtype이 층과 다릅니다.",
)
class bnm_buffers_in_float32(solution.BatchNorm1d):
    def forward(self, x):
        result = super().forward(x)
        self.running_mean, self.running_var = self.running_mean.float(), self.running_var.float()
        return result


@mistake(
    "BatchNorm1d",
    hint="`x -= ...` changes the caller's tensor while it takes part in the graph; make a new one.",
    ko="`x -= ...`는 부른 쪽의 텐서를 바꿉니다. 새 텐서를 만드세요.",
)
class bnm_plainly_in_place(solution.BatchNorm1d):
    def forward(self, x):
        mean, variance = self.running_mean, self.running_var
        if self.training:
            mean, variance = x.mean(0), x.var(0, correction=0)
            moved(self, mean.detach(), x.detach().var(0))
        x -= mean
        return x / torch.sqrt(variance + self.eps) * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="The variance of the batch is taken around the running mean; take it around the batch's own mean.",
    ko="배치의 분산을 이동 평균을 중심으로 구했습니다. 배치 자신의 평균을 중심으로 구하세요.",
)
class bnm_variance_around_the_running_mean(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        variance = (x - self.running_mean).square().mean(0)
        moved(self, x.detach().mean(0), x.detach().var(0))
        return by(self, x, x.mean(0), variance)


@mistake(
    "BatchNorm1d",
    hint="The correction of running_var is upside down: multiply by N / (N - 1), not by (N - 1) / N.",
    ko="running_var의 보정이 거꾸로입니다. (N - 1) / N이 아니라 N / (N - 1)을 곱하세요.",
)
class bnm_correction_inverted(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        variance = x.var(0, correction=0)
        moved(self, x.mean(0), variance * (len(x) - 1) / len(x))
        return by(self, x, x.mean(0), variance)


@mistake(
    "BatchNorm1d",
    hint="The correction of running_var counts the features; it is the N samples of the batch that count.",
    ko="running_var의 보정에 특징 수를 썼습니다. 배치의 샘플 수 N을 쓰세요.",
)
class bnm_correction_by_features(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        variance, count = x.var(0, correction=0), x.shape[1]
        moved(self, x.mean(0), variance * count / (count - 1))
        return by(self, x, x.mean(0), variance)


@mistake(
    "BatchNorm1d",
    hint="The caller's tensor was changed in place (-=, sub_); make a new one.",
    ko="부른 쪽의 텐서를 제자리에서 바꾸었습니다(-=, sub_). 새 텐서를 만드세요.",
)
class bnm_in_place(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        x -= x.mean(0)
        return x / torch.sqrt(x.square().mean(0) + self.eps) * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="The caller's tensor was changed in place (-=, sub_); make a new one.",
    ko="부른 쪽의 텐서를 제자리에서 바꾸었습니다(-=, sub_). 새 텐서를 만드세요.",
)
class bnm_in_place_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        x -= self.running_mean
        return x / torch.sqrt(self.running_var + self.eps) * self.weight + self.bias


@mistake(
    "BatchNorm1d",
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
class bnm_into_float32(solution.BatchNorm1d):
    def forward(self, x):
        return super().forward(x).float()


@mistake(
    "BatchNorm1d",
    hint="float64 goes through float32 on the way and loses its digits there.",
    ko="계산 도중 float64를 float32로 바꾸어 자릿수를 잃습니다.",
)
class bnm_float32_inside(solution.BatchNorm1d):
    def forward(self, x):
        return super().forward(x.float()).to(x.dtype)


@mistake(
    "BatchNorm1d",
    hint="The default of eps is another one than the signature's.",
    ko="eps의 기본값이 주어진 시그니처와 다릅니다.",
)
class bnm_default_eps(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-3, momentum=0.1):
        super().__init__(num_features, eps, momentum)


@mistake(
    "BatchNorm1d",
    hint="The default of momentum is another one than the signature's.",
    ko="momentum의 기본값이 주어진 시그니처와 다릅니다.",
)
class bnm_default_momentum(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.9):
        super().__init__(num_features, eps, momentum)


@mistake(
    "BatchNorm1d",
    hint="The default of momentum is smaller than the signature's, so the running statistics hardly move.",
    ko="momentum의 기본값이 주어진 시그니처보다 작아 이동 통계가 거의 움직이지 않습니다.",
)
class bnm_small_default_momentum(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.01):
        super().__init__(num_features, eps, momentum)


@mistake(
    "BatchNorm1d",
    hint="Once in eval, the layer never goes back to the batch's statistics in training.",
    ko="한 번 eval이 되면 다시 학습으로 돌아와도 배치의 통계를 쓰지 않습니다.",
)
class bnm_stays_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            self.done = True
        if getattr(self, "done", False):
            return by(self, x, self.running_mean, self.running_var)
        return super().forward(x)


@mistake(
    "BatchNorm1d",
    hint="After the first eval the running statistics do not move any more.",
    ko="처음 eval을 한 뒤에는 이동 통계가 더 움직이지 않습니다.",
)
class bnm_statistics_frozen_after_eval(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            self.done = True
            return super().forward(x)
        if not getattr(self, "done", False):
            moved(self, x.mean(0), x.var(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    "BatchNorm1d",
    hint="The parameters were made with requires_grad=False, so they are never trained.",
    ko="매개변수를 requires_grad=False로 만들어 학습되지 않습니다.",
)
class bnm_frozen(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.requires_grad_(False)


@mistake(
    "BatchNorm1d",
    hint="There is a parameter more than asked for; even unused it is trained and saved.",
    ko="요구한 것보다 매개변수가 더 있습니다. 쓰지 않아도 학습되고 저장됩니다.",
)
class bnm_extra_layer(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.scale = nn.Parameter(torch.ones(1))


@mistake(
    "BatchNorm1d",
    hint="The weight itself was changed by the call; leave the parameters to the optimizer.",
    ko="호출이 weight 자체를 바꾸었습니다. 매개변수는 옵티마이저에 맡기세요.",
)
class bnm_weight_changed(solution.BatchNorm1d):
    def forward(self, x):
        result = super().forward(x)
        with torch.no_grad():
            self.weight.mul_(1.01)
        return result


@mistake(
    "BatchNorm1d",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
    marks="library",
)
class bnm_by_library(solution.BatchNorm1d):
    def forward(self, x):
        return F.batch_norm(
            x, self.running_mean, self.running_var, self.weight, self.bias, self.training, self.momentum, self.eps
        )


@mistake(
    "BatchNorm1d",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
)
class bnm_from_library(nn.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps=eps, momentum=momentum)


@mistake(
    "BatchNorm1d",
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
)
class bnm_by_library_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        return F.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, eps=self.eps)


@right("BatchNorm1d", why="counts batches, assigns new buffers")
class bnm_counting(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.weight = nn.Parameter(torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.tensor(0))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))

    def forward(self, x):
        if self.training:
            n = x.size(0)
            mean = x.mean(dim=0)
            var = ((x - mean) ** 2).mean(dim=0)
            self.num_batches_tracked += 1
            self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean.detach()
            self.running_var = (1 - self.momentum) * self.running_var + self.momentum * var.detach() * n / (n - 1)
        else:
            mean, var = self.running_mean, self.running_var
        return self.weight * ((x - mean) / torch.sqrt(var + self.eps)) + self.bias


@right("BatchNorm1d", why="lerp_ after the result is made, and torch.var_mean")
class bnm_lerp(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.running_mean = nn.Buffer(torch.zeros(num_features))
        self.running_var = nn.Buffer(torch.ones(num_features))

    def forward(self, x):
        if not self.training:
            scale = self.weight * torch.rsqrt(self.running_var + self.eps)
            return (x - self.running_mean) * scale + self.bias
        variance, mean = torch.var_mean(x, dim=0, correction=0)
        result = torch.addcmul(self.bias, (x - mean) * torch.rsqrt(variance + self.eps), self.weight)
        self.running_mean.data.lerp_(mean.data, self.momentum)
        self.running_var.data.lerp_(x.data.var(dim=0), self.momentum)
        return result


@right("BatchNorm1d", why="a loop over the features, the statistics updated one by one")
class bnm_looped(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.ones(num_features)))
        self.register_parameter("bias", nn.Parameter(torch.zeros(num_features)))
        for name, start in (("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, torch.full((num_features,), start))
        self.eps, self.momentum = eps, momentum

    def forward(self, x):
        columns = []
        for c, column in enumerate(x.unbind(1)):
            mean, variance = self.running_mean[c].clone(), self.running_var[c].clone()
            if self.training:
                mean = column.sum() / len(column)
                squares = (column - mean).square().sum()
                variance = squares / len(column)
                with torch.no_grad():
                    self.running_mean[c] += self.momentum * (mean - self.running_mean[c])
                    self.running_var[c] += self.momentum * (squares / (len(column) - 1) - self.running_var[c])
            columns.append(self.weight[c] * (column - mean) * (variance + self.eps) ** -0.5 + self.bias[c])
        return torch.stack(columns, 1)


@right("BatchNorm1d", why="float64 inside, and other methods for the two modes")
class bnm_two_methods(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))

    def forward(self, x):
        statistics = self.of_the_batch(x) if self.training else self.remembered()
        mean, variance = (each.unsqueeze(0) for each in statistics)
        wide = (x.double() - mean) / torch.sqrt(variance + self.eps)
        return (wide * self.weight + self.bias).to(x.dtype)

    def remembered(self):
        return self.running_mean.double(), self.running_var.double()

    def of_the_batch(self, x):
        wide = x.double()
        with torch.no_grad():
            keep = 1 - self.momentum
            self.running_mean.copy_(keep * self.running_mean + self.momentum * wide.mean(0))
            self.running_var.copy_(keep * self.running_var + self.momentum * wide.var(0, unbiased=True))
        return wide.mean(0), wide.var(0, unbiased=False)


@right("BatchNorm1d", why="train overridden, in place on tensors of its own")
class bnm_own_train(solution.BatchNorm1d):
    def train(self, mode=True):
        self.use_batch = bool(mode)
        return super().train(mode)

    def forward(self, x):
        if getattr(self, "use_batch", True):
            centred = x - x.mean(0)
            squares = centred.square().sum(0)
            with torch.no_grad():
                self.running_mean.mul_(1 - self.momentum).add_(x.mean(0) * self.momentum)
                self.running_var.mul_(1 - self.momentum).add_(squares / (len(x) - 1) * self.momentum)
            centred /= (squares / len(x) + self.eps).sqrt()
        else:
            centred = (x - self.running_mean) / (self.running_var + self.eps).sqrt()
        centred *= self.weight
        centred += self.bias
        return centred


# --- pre_norm ---------------------------------------------------------------------------------------------------------


@mistake(
    "pre_norm",
    hint="This is x as it came: neither of the two layers is called.",
    ko="x를 그대로 돌려줍니다. 두 층 가운데 어느 것도 부르지 않았습니다.",
    marks="trivial",
)
def pre_input_itself(x, sublayer, norm):
    return x


@mistake(
    "pre_norm",
    hint="The result is the same whatever x is.",
    ko="x가 무엇이든 결과가 같습니다.",
    marks="trivial",
)
def pre_constant(x, sublayer, norm):
    return torch.zeros_like(x)


@mistake(
    "pre_norm",
    hint="The normalized input is added; the residual path carries the input as it came.",
    ko="정규화된 입력을 더했습니다. 잔차 경로에는 들어온 입력을 그대로 더하세요.",
    marks="slip",
)
def pre_adds_the_normalized(x, sublayer, norm):
    return norm(x) + sublayer(norm(x))


@mistake(
    "pre_norm",
    hint="The norm is used a second time, behind the sublayer.",
    ko="정규화를 서브레이어 뒤에서 한 번 더 썼습니다.",
)
def pre_norm_on_both_sides(x, sublayer, norm):
    return x + norm(sublayer(norm(x)))


@mistake(
    "pre_norm",
    hint="The norm stands behind the sum: that is post-norm. Here it stands in front of the sublayer.",
    ko="정규화가 합 뒤에 있습니다. 그것은 post-norm입니다. 여기서는 서브레이어 앞에 있어야 합니다.",
)
def pre_norm_on_the_sum(x, sublayer, norm):
    return norm(x + sublayer(x))


@mistake(
    "pre_norm",
    hint="The normalized input was added; the residual path carries x as it came.",
    ko="정규화된 입력을 더했습니다. 잔차 경로는 x를 그대로 지나게 합니다.",
)
def pre_residual_normalized(x, sublayer, norm):
    normal = norm(x)
    return normal + sublayer(normal)


@mistake(
    "pre_norm",
    hint="The norm was applied to what the sublayer gives; it comes before the sublayer.",
    ko="서브레이어의 결과를 정규화했습니다. 정규화가 서브레이어보다 먼저입니다.",
    twins=("pre_exchanged",),
    marks="slip",
)
def pre_norm_of_the_sublayer(x, sublayer, norm):
    return x + norm(sublayer(x))


@mistake(
    "pre_norm",
    hint="The two layers are exchanged: the sublayer is the second argument, the norm the third.",
    ko="두 층이 바뀌었습니다. 두 번째 인자가 서브레이어, 세 번째 인자가 정규화입니다.",
    twins=("pre_norm_of_the_sublayer",),
)
def pre_exchanged(x, sublayer, norm):
    sublayer, norm = norm, sublayer
    return x + sublayer(norm(x))


@mistake("pre_norm", hint="The input itself is not added.", ko="입력 자체를 더하지 않았습니다.")
def pre_no_residual(x, sublayer, norm):
    return sublayer(norm(x))


@mistake("pre_norm", hint="The norm is not used.", ko="정규화를 쓰지 않았습니다.")
def pre_no_norm(x, sublayer, norm):
    return x + sublayer(x)


@mistake("pre_norm", hint="The norm is used a second time, on the sum.", ko="합에도 정규화를 한 번 더 했습니다.")
def pre_both_norms(x, sublayer, norm):
    return norm(x + sublayer(norm(x)))


@mistake(
    "pre_norm",
    hint="The sublayer's result is subtracted; add it.",
    ko="서브레이어의 결과를 뺐습니다. 더하세요.",
    marks="slip",
)
def pre_subtracted(x, sublayer, norm):
    return x - sublayer(norm(x))


@mistake(
    "pre_norm",
    hint="Input and sublayer's result are multiplied; add them.",
    ko="입력과 서브레이어의 결과를 곱했습니다. 더하세요.",
)
def pre_multiplied(x, sublayer, norm):
    return x * sublayer(norm(x))


@mistake(
    "pre_norm",
    hint="The sum was halved; a residual connection only adds.",
    ko="합을 반으로 나누었습니다. 잔차 연결은 더하기만 합니다.",
)
def pre_averaged(x, sublayer, norm):
    return (x + sublayer(norm(x))) / 2


@mistake("pre_norm", hint="The sublayer was applied twice in a row.", ko="서브레이어를 두 번 이어서 적용했습니다.")
def pre_sublayer_twice(x, sublayer, norm):
    return x + sublayer(sublayer(norm(x)))


@mistake("pre_norm", hint="The sublayer plays no part.", ko="서브레이어가 쓰이지 않습니다.")
def pre_sublayer_left_out(x, sublayer, norm):
    return x + norm(x)


@mistake(
    "pre_norm",
    hint="A layer norm of its own is used instead of the norm that was handed over.",
    ko="건네받은 norm 대신 따로 만든 층 정규화를 썼습니다.",
)
def pre_own_layer_norm(x, sublayer, norm):
    return x + sublayer(F.layer_norm(x, x.shape[-1:]))


@mistake(
    "pre_norm",
    hint="The numbers of the norm that was handed over are used, but not the norm: call it, whatever it is.",
    ko="건네받은 norm의 값만 꺼내 썼습니다. 무엇이든 그것을 부르세요.",
)
def pre_own_norm_for_layer_norm(x, sublayer, norm):
    if not hasattr(norm, "normalized_shape"):
        return x + sublayer(x)
    return x + sublayer(norm(x))


@mistake(
    "pre_norm",
    hint="The result is cut off from the inputs (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
    marks="point",
)
def pre_detached(x, sublayer, norm):
    return (x + sublayer(norm(x))).detach()


@mistake(
    "pre_norm",
    hint="No gradient passes the sublayer (no_grad, detach): x and the layers would learn nothing from it.",
    ko="서브레이어로 그래디언트가 지나가지 않습니다(no_grad, detach). 거기에서 아무것도 배우지 못합니다.",
)
def pre_sublayer_detached(x, sublayer, norm):
    return x + sublayer(norm(x)).detach()


@mistake(
    "pre_norm",
    hint="No gradient passes along the residual path: x itself was detached.",
    ko="잔차 경로로 그래디언트가 지나가지 않습니다. x 자체가 끊겨 있습니다.",
)
def pre_residual_detached(x, sublayer, norm):
    return x.detach() + sublayer(norm(x))


@mistake(
    "pre_norm",
    hint="The caller's tensor was changed in place (-=, sub_); make a new one.",
    ko="부른 쪽의 텐서를 제자리에서 바꾸었습니다(-=, sub_). 새 텐서를 만드세요.",
    marks="point",
)
def pre_in_place(x, sublayer, norm):
    x += sublayer(norm(x))
    return x


@mistake(
    "pre_norm",
    hint="The code takes x apart into exactly three sizes; any shape that the layers take has to work.",
    ko="x의 크기를 꼭 세 개로 나누어 받습니다. 층이 받는 모양이면 무엇이든 되어야 합니다.",
)
def pre_three_axes_only(x, sublayer, norm):
    if x.dim() != 2:
        B, T, d = x.shape
        x = x.view(B, T, d)
    return x + sublayer(norm(x))


@mistake(
    "pre_norm",
    hint="A single token comes back with an axis more than it had.",
    ko="토큰이 하나일 때 차원이 하나 늘어서 나옵니다.",
)
def pre_batched(x, sublayer, norm):
    x = torch.atleast_2d(x)
    return x + sublayer(norm(x))


@mistake(
    "pre_norm",
    hint="A layer is called once only to look at its result, and again to use it: what it remembers or draws changes.",
    ko="결과를 보려고 한 번, 쓰려고 또 한 번 층을 불렀습니다. 층이 기억하거나 추첨하는 것이 달라집니다.",
)
def pre_called_twice(x, sublayer, norm):
    assert sublayer(norm(x)).shape == x.shape
    return x + sublayer(norm(x))


@mistake(
    "pre_norm",
    hint="A copy of a layer is called: what the layer itself should remember of the call is lost.",
    ko="층의 복사본을 불렀습니다. 그 층이 이 호출에서 기억해야 할 것이 사라집니다.",
)
def pre_copied_layer(x, sublayer, norm):
    return x + copy.deepcopy(sublayer)(norm(x))


@mistake(
    "pre_norm",
    hint="A layer's mode was changed by train() or eval(); leave both in the mode in which they come.",
    ko="train()이나 eval()로 층의 모드를 바꾸었습니다. 두 층 모두 받은 모드 그대로 두세요.",
)
def pre_sets_eval(x, sublayer, norm):
    for layer in (sublayer, norm):
        layer.eval()
    return x + sublayer(norm(x))


@mistake(
    "pre_norm",
    hint="A layer's mode was changed by train() or eval(); leave both in the mode in which they come.",
    ko="train()이나 eval()로 층의 모드를 바꾸었습니다. 두 층 모두 받은 모드 그대로 두세요.",
)
def pre_sets_training(x, sublayer, norm):
    for layer in (sublayer, norm):
        layer.train()
    return x + sublayer(norm(x))


@mistake(
    "pre_norm",
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
def pre_into_float32(x, sublayer, norm):
    return (x + sublayer(norm(x))).float()


@mistake(
    "pre_norm",
    hint="The layers' parameters were initialized anew or changed; use the layers as they come.",
    ko="층의 매개변수를 다시 초기화하거나 바꾸었습니다. 받은 그대로 쓰세요.",
    unnamed="What the numbers become hangs on the calls before, so they look like those of any wrong answer.",
)
def pre_weights_changed(x, sublayer, norm):
    result = x + sublayer(norm(x))
    for parameter in norm.parameters():
        nn.init.ones_(parameter)
    return result


@right("pre_norm", why="step by step, with torch.add")
def pre_stepwise(x, sublayer, norm):
    residual = x
    hidden = norm(x)
    hidden = sublayer(hidden)
    return torch.add(residual, hidden)


@right("pre_norm", why="forward called by name, in place on a tensor of its own")
def pre_in_place_on_its_own(x, sublayer, norm):
    result = x.clone()
    result += sublayer.forward(norm.forward(x))
    return result


@right("pre_norm", why="a class whose call is the function")
class pre_block(nn.Module):
    def __new__(cls, x, sublayer, norm):
        block = super().__new__(cls)
        return block.connect(x, sublayer, norm)

    def connect(self, x, *layers):
        sublayer, norm = layers
        return x + sublayer(norm(x))


@right("pre_norm", why="checks its arguments and adds by stacking")
def pre_stacked(x, sublayer, norm):
    if not (callable(sublayer) and callable(norm)):
        raise TypeError("layers must be callable")
    return torch.stack([x, sublayer(norm(x))]).sum(dim=0)


# --- post_norm --------------------------------------------------------------------------------------------------------


@mistake(
    "post_norm",
    hint="This is x as it came: neither of the two layers is called.",
    ko="x를 그대로 돌려줍니다. 두 층 가운데 어느 것도 부르지 않았습니다.",
    marks="trivial",
)
def post_input_itself(x, sublayer, norm):
    return x


@mistake(
    "post_norm",
    hint="The result is the same whatever x is.",
    ko="x가 무엇이든 결과가 같습니다.",
    marks="trivial",
)
def post_constant(x, sublayer, norm):
    return torch.zeros_like(x)


@mistake(
    "post_norm",
    hint="The norm stands in front of the sublayer: that is pre-norm. Here it has the last word.",
    ko="정규화가 서브레이어 앞에 있습니다. 그것은 pre-norm입니다. 여기서는 마지막에 합니다.",
    marks="slip",
)
def post_norm_first(x, sublayer, norm):
    return x + sublayer(norm(x))


@mistake(
    "post_norm",
    hint="The input was added after the norm; add it first and normalize the sum.",
    ko="정규화한 뒤에 입력을 더했습니다. 먼저 더하고 그 합을 정규화하세요.",
    marks="slip",
)
def post_residual_after_the_norm(x, sublayer, norm):
    return x + norm(sublayer(x))


@mistake(
    "post_norm",
    hint="The two layers are exchanged: the sublayer is the second argument, the norm the third.",
    ko="두 층이 바뀌었습니다. 두 번째 인자가 서브레이어, 세 번째 인자가 정규화입니다.",
)
def post_exchanged(x, sublayer, norm):
    sublayer, norm = norm, sublayer
    return norm(x + sublayer(x))


@mistake("post_norm", hint="The input itself is not added.", ko="입력 자체를 더하지 않았습니다.")
def post_no_residual(x, sublayer, norm):
    return norm(sublayer(x))


@mistake("post_norm", hint="The norm is not used.", ko="정규화를 쓰지 않았습니다.")
def post_no_norm(x, sublayer, norm):
    return x + sublayer(x)


@mistake(
    "post_norm",
    hint="The norm is used a second time, in front of the sublayer.",
    ko="서브레이어 앞에서도 정규화를 한 번 더 했습니다.",
)
def post_both_norms(x, sublayer, norm):
    return norm(x + sublayer(norm(x)))


@mistake(
    "post_norm",
    hint="Input and sublayer's result are normalized apart; normalize their sum.",
    ko="입력과 서브레이어의 결과를 따로 정규화했습니다. 합을 정규화하세요.",
)
def post_norm_of_each(x, sublayer, norm):
    return norm(x) + norm(sublayer(x))


@mistake(
    "post_norm",
    hint="The sublayer's result is subtracted; add it.",
    ko="서브레이어의 결과를 뺐습니다. 더하세요.",
    marks="slip",
)
def post_subtracted(x, sublayer, norm):
    return norm(x - sublayer(x))


@mistake(
    "post_norm",
    hint="Input and sublayer's result are multiplied; add them.",
    ko="입력과 서브레이어의 결과를 곱했습니다. 더하세요.",
)
def post_multiplied(x, sublayer, norm):
    return norm(x * sublayer(x))


@mistake(
    "post_norm",
    hint="Only the input is normalized; normalize the sum of input and sublayer's result.",
    ko="입력만 정규화했습니다. 입력과 서브레이어 결과의 합을 정규화하세요.",
)
def post_norm_of_the_input(x, sublayer, norm):
    return norm(x) + sublayer(x)


@mistake(
    "post_norm",
    hint="The norm was applied twice in a row.",
    ko="정규화를 두 번 이어서 적용했습니다.",
)
def post_norm_twice(x, sublayer, norm):
    return norm(norm(x + sublayer(x)))


@mistake(
    "post_norm",
    hint="The residual path goes around the norm as well: nothing is added behind the norm.",
    ko="잔차 경로가 정규화까지 돌아갑니다. 정규화 뒤에는 아무것도 더하지 않습니다.",
)
def post_residual_around_all(x, sublayer, norm):
    return x + norm(x + sublayer(x))


@mistake(
    "post_norm",
    hint="The sum was halved; a residual connection only adds.",
    ko="합을 반으로 나누었습니다. 잔차 연결은 더하기만 합니다.",
)
def post_averaged(x, sublayer, norm):
    return norm((x + sublayer(x)) / 2)


@mistake("post_norm", hint="The sublayer was applied twice in a row.", ko="서브레이어를 두 번 이어서 적용했습니다.")
def post_sublayer_twice(x, sublayer, norm):
    return norm(x + sublayer(sublayer(x)))


@mistake("post_norm", hint="The sublayer plays no part.", ko="서브레이어가 쓰이지 않습니다.")
def post_sublayer_left_out(x, sublayer, norm):
    return norm(x + x)


@mistake(
    "post_norm",
    hint="A layer norm of its own is used instead of the norm that was handed over.",
    ko="건네받은 norm 대신 따로 만든 층 정규화를 썼습니다.",
)
def post_own_layer_norm(x, sublayer, norm):
    return F.layer_norm(x + sublayer(x), x.shape[-1:])


@mistake(
    "post_norm",
    hint="The numbers of the norm that was handed over are used, but not the norm: call it, whatever it is.",
    ko="건네받은 norm의 값만 꺼내 썼습니다. 무엇이든 그것을 부르세요.",
)
def post_own_norm_for_layer_norm(x, sublayer, norm):
    if not hasattr(norm, "normalized_shape"):
        return x + sublayer(x)
    return norm(x + sublayer(x))


@mistake(
    "post_norm",
    hint="The result is cut off from the inputs (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
    marks="point",
)
def post_detached(x, sublayer, norm):
    return (norm(x + sublayer(x))).detach()


@mistake(
    "post_norm",
    hint="No gradient passes the sublayer (no_grad, detach): x and the layers would learn nothing from it.",
    ko="서브레이어로 그래디언트가 지나가지 않습니다(no_grad, detach). 거기에서 아무것도 배우지 못합니다.",
)
def post_sublayer_detached(x, sublayer, norm):
    return norm(x + sublayer(x).detach())


@mistake(
    "post_norm",
    hint="No gradient passes along the residual path: x itself was detached.",
    ko="잔차 경로로 그래디언트가 지나가지 않습니다. x 자체가 끊겨 있습니다.",
)
def post_residual_detached(x, sublayer, norm):
    return norm(x.detach() + sublayer(x))


@mistake(
    "post_norm",
    hint="The caller's tensor was changed in place (-=, sub_); make a new one.",
    ko="부른 쪽의 텐서를 제자리에서 바꾸었습니다(-=, sub_). 새 텐서를 만드세요.",
    marks="point",
)
def post_in_place(x, sublayer, norm):
    x += sublayer(x)
    return norm(x)


@mistake(
    "post_norm",
    hint="The code takes x apart into exactly three sizes; any shape that the layers take has to work.",
    ko="x의 크기를 꼭 세 개로 나누어 받습니다. 층이 받는 모양이면 무엇이든 되어야 합니다.",
)
def post_three_axes_only(x, sublayer, norm):
    if x.dim() != 2:
        B, T, d = x.shape
        x = x.view(B, T, d)
    return norm(x + sublayer(x))


@mistake(
    "post_norm",
    hint="A single token comes back with an axis more than it had.",
    ko="토큰이 하나일 때 차원이 하나 늘어서 나옵니다.",
)
def post_batched(x, sublayer, norm):
    x = torch.atleast_2d(x)
    return norm(x + sublayer(x))


@mistake(
    "post_norm",
    hint="A layer is called once only to look at its result, and again to use it: what it remembers or draws changes.",
    ko="결과를 보려고 한 번, 쓰려고 또 한 번 층을 불렀습니다. 층이 기억하거나 추첨하는 것이 달라집니다.",
)
def post_called_twice(x, sublayer, norm):
    assert sublayer(x).shape == x.shape
    return norm(x + sublayer(x))


@mistake(
    "post_norm",
    hint="A copy of a layer is called: what the layer itself should remember of the call is lost.",
    ko="층의 복사본을 불렀습니다. 그 층이 이 호출에서 기억해야 할 것이 사라집니다.",
)
def post_copied_layer(x, sublayer, norm):
    return norm(x + copy.deepcopy(sublayer)(x))


@mistake(
    "post_norm",
    hint="A layer's mode was changed by train() or eval(); leave both in the mode in which they come.",
    ko="train()이나 eval()로 층의 모드를 바꾸었습니다. 두 층 모두 받은 모드 그대로 두세요.",
)
def post_sets_eval(x, sublayer, norm):
    for layer in (sublayer, norm):
        layer.eval()
    return norm(x + sublayer(x))


@mistake(
    "post_norm",
    hint="A layer's mode was changed by train() or eval(); leave both in the mode in which they come.",
    ko="train()이나 eval()로 층의 모드를 바꾸었습니다. 두 층 모두 받은 모드 그대로 두세요.",
)
def post_sets_training(x, sublayer, norm):
    for layer in (sublayer, norm):
        layer.train()
    return norm(x + sublayer(x))


@mistake(
    "post_norm",
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
def post_into_float32(x, sublayer, norm):
    return (norm(x + sublayer(x))).float()


@mistake(
    "post_norm",
    hint="The layers' parameters were initialized anew or changed; use the layers as they come.",
    ko="층의 매개변수를 다시 초기화하거나 바꾸었습니다. 받은 그대로 쓰세요.",
    unnamed="What the numbers become hangs on the calls before, so they look like those of any wrong answer.",
)
def post_weights_changed(x, sublayer, norm):
    result = norm(x + sublayer(x))
    for parameter in norm.parameters():
        nn.init.ones_(parameter)
    return result


@right("post_norm", why="step by step, with torch.add")
def post_stepwise(x, sublayer, norm):
    residual = x
    hidden = x
    hidden = sublayer(hidden)
    hidden = torch.add(hidden, residual)
    return norm(hidden)


@right("post_norm", why="forward called by name, in place on a tensor of its own")
def post_in_place_on_its_own(x, sublayer, norm):
    result = x.clone()
    result += sublayer.forward(x)
    return norm.forward(result)


@right("post_norm", why="a class whose call is the function")
class post_block(nn.Module):
    def __new__(cls, x, sublayer, norm):
        block = super().__new__(cls)
        return block.connect(x, sublayer, norm)

    def connect(self, x, *layers):
        sublayer, norm = layers
        return norm(x + sublayer(x))


@right("post_norm", why="checks its arguments and adds by stacking")
def post_stacked(x, sublayer, norm):
    if not (callable(sublayer) and callable(norm)):
        raise TypeError("layers must be callable")
    return norm(torch.stack([sublayer(x), x]).sum(dim=0))
