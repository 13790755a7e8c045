"""Wrong answers to `LayerNorm`, each with the hint that a student with this answer gets."""

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, solution


@helper
def normalized(x, eps, dim=-1, correction=0):
    deviations = x - x.mean(dim=dim, keepdim=True)
    return deviations / torch.sqrt(x.var(dim=dim, keepdim=True, correction=correction) + eps)


@helper
def rooted(deviations, root, eps, dim=-1):
    # `root` makes the divisor of the variance and eps
    return deviations / root(deviations.square().mean(dim=dim, keepdim=True), eps)


@mistake(hint="There is no mean and no variance.", ko="평균도 분산도 없습니다.", marks="trivial")
class lnm_elementwise(solution.LayerNorm):
    def forward(self, x):
        return x * self.weight + self.bias


@mistake(
    hint="The variance was divided by d - 1; here it is the mean of the squared deviations (look at torch.var's options).",
    ko="분산을 d - 1로 나누었습니다. 여기서는 편차 제곱의 평균입니다(torch.var의 옵션을 보세요).",
    marks="slip",
)
class lnm_unbiased(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps, correction=1) * self.weight + self.bias


@mistake(hint="Take mean and variance over the features.", ko="평균과 분산을 특징 방향으로 구하세요.", marks="slip")
class lnm_first_axis(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps, dim=0) * self.weight + self.bias


@mistake(
    hint="The mean and the variance were taken over axis 1, which is the features only where x has two axes.",
    ko="1번 축으로 평균과 분산을 구했습니다. x가 2차원일 때만 그것이 특징 축입니다.",
)
class lnm_second_axis(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps, dim=min(1, x.dim() - 1)) * self.weight + self.bias


@mistake(hint="These are means over tokens; take them over features.", ko="토큰이 아니라 특징 방향으로 구하세요.")
class lnm_token_axis(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps, dim=-2) * self.weight + self.bias


@mistake(hint="Each row or feature has its own mean and variance.", ko="행이나 특징마다 평균과 분산이 따로 있습니다.")
class lnm_over_everything(solution.LayerNorm):
    def forward(self, x):
        return (x - x.mean()) / torch.sqrt(x.var(correction=0) + self.eps) * self.weight + self.bias


@mistake(hint="Without eps a variance of 0 divides 0 by 0.", ko="eps가 없으면 분산이 0일 때 0을 0으로 나눕니다.")
class lnm_eps_forgotten(solution.LayerNorm):
    def forward(self, x):
        return (
            rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: variance.sqrt(), self.eps) * self.weight
            + self.bias
        )


@mistake(hint="eps is added under the root, not outside.", ko="eps는 제곱근 밖이 아니라 안에서 더합니다.")
class lnm_eps_outside(solution.LayerNorm):
    def forward(self, x):
        return (
            rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: variance.sqrt() + eps, self.eps) * self.weight
            + self.bias
        )


@mistake(
    marks="point", hint="Use the argument eps, not a number of your own.", ko="다른 수를 쓰지 말고 eps 인자를 쓰세요."
)
class lnm_eps_ignored(solution.LayerNorm):
    def forward(self, x):
        return (
            rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: torch.sqrt(variance + 1e-5), self.eps)
            * self.weight
            + self.bias
        )


@mistake(hint="Divide by the root of the variance.", ko="분산의 제곱근으로 나누세요.", marks="slip")
class lnm_by_variance(solution.LayerNorm):
    def forward(self, x):
        return (
            rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: variance + eps, self.eps) * self.weight
            + self.bias
        )


@mistake(hint="Nothing is divided by the standard deviation.", ko="표준편차로 나누지 않았습니다.")
class lnm_not_divided(solution.LayerNorm):
    def forward(self, x):
        return rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: 1.0, self.eps) * self.weight + self.bias


@mistake(hint="The mean is not subtracted: this is RMS normalization.", ko="평균을 빼지 않았습니다(RMS 정규화).")
class lnm_rms(solution.LayerNorm):
    def forward(self, x):
        return rooted(x, lambda square, eps: torch.sqrt(square + eps), self.eps) * self.weight + self.bias


@mistake(hint="The scale and the shift are not applied.", ko="스케일과 시프트를 적용하지 않았습니다.")
class lnm_no_affine(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps)


@mistake(hint="Swapped: multiply by the scale, add the shift.", ko="반대입니다. 스케일은 곱하고 시프트는 더하세요.")
class lnm_swapped(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps) * self.bias + self.weight


@mistake(hint="The scale is missing.", ko="스케일을 곱하지 않았습니다.")
class lnm_no_scale(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps) + self.bias


@mistake(
    hint="Square deviations; mean(x^2) - mean(x)^2 loses digits.",
    ko="편차를 제곱해야 자릿수가 남습니다.",
    marks="point",
)
class lnm_mean_of_squares(solution.LayerNorm):
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = x.square().mean(-1, keepdim=True) - mean**2
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@mistake(
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
    marks="point",
)
class lnm_statistics_detached(solution.LayerNorm):
    def forward(self, x):
        still = x.detach()
        mean, variance = still.mean(-1, keepdim=True), still.var(-1, keepdim=True, correction=0)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@mistake(hint="The caller's tensor changes (-=, sub_).", ko="부른 쪽의 텐서가 바뀝니다(-=, sub_).", marks="point")
class lnm_in_place(solution.LayerNorm):
    def forward(self, x):
        x -= x.mean(-1, keepdim=True)
        return x / torch.sqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.weight + self.bias


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
class lnm_into_float32(solution.LayerNorm):
    def forward(self, x):
        return (normalized(x, self.eps) * self.weight + self.bias).float()


@mistake(hint="float64 loses digits by way of float32.", ko="float32를 거쳐 float64의 자릿수를 잃습니다.")
class lnm_float32_inside(solution.LayerNorm):
    def forward(self, x):
        return (normalized(x.float(), self.eps) * self.weight + self.bias).to(x.dtype)


@mistake(hint="Normalize in eval as well as in training.", ko="학습 때처럼 eval에서도 정규화하세요.")
class lnm_off_in_eval(solution.LayerNorm):
    def forward(self, x):
        return super().forward(x) if self.training else x * self.weight + self.bias


@mistake(hint="The weight starts as ones, not zeros.", ko="weight는 0이 아니라 1로 시작합니다.")
class lnm_zero_weight(solution.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        nn.init.zeros_(self.weight)


@mistake(
    hint="Plain tensors are not parameters: an optimizer, `.to()` and state_dict do not see them.",
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
    hint="The parameters have other names than `weight` and `bias`, so saved weights do not find them.",
    ko="매개변수의 이름이 `weight`와 `bias`가 아니어서 저장된 가중치를 불러올 수 없습니다.",
    marks="slip",
)
class lnm_other_names(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gamma, self.beta = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))

    def forward(self, x):
        return normalized(x, self.eps) * self.gamma + self.beta


@mistake(hint="eps was made a parameter; it is a fixed number.", ko="eps를 매개변수로 만들었습니다. 고정된 수입니다.")
class lnm_learned_eps(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))
        self.eps = nn.Parameter(torch.tensor(float(eps)))

    def forward(self, x):
        return normalized(x, self.eps) * self.weight + self.bias


@mistake(hint="This is the library's own; write it out.", ko="라이브러리 것입니다. 직접 쓰세요.", marks="library")
class lnm_by_library(solution.LayerNorm):
    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


@mistake(hint="The shift is missing.", ko="시프트가 빠졌습니다.")
class lnm_no_shift(solution.LayerNorm):
    def forward(self, x):
        return super().forward(x) - self.bias


@mistake(hint="The shift is added, not subtracted.", ko="시프트를 빼지 말고 더하세요.")
class lnm_shift_subtracted(solution.LayerNorm):
    def forward(self, x):
        return super().forward(x) - 2 * self.bias


@mistake(hint="Normalize first, then scale and shift.", ko="먼저 정규화하고, 그다음에 스케일과 시프트를 하세요.")
class lnm_affine_first(solution.LayerNorm):
    def forward(self, x):
        return normalized(x * self.weight + self.bias, self.eps)


@mistake(hint="Divide by the deviations' root mean square, not x's.", ko="x가 아니라 편차의 것으로 나누세요.")
class lnm_centred_by_rms(solution.LayerNorm):
    def forward(self, x):
        root = torch.sqrt((x * x).mean(-1, keepdim=True) + self.eps)
        return (x - x.mean(-1, keepdim=True)) / root * self.weight + self.bias


@mistake(
    marks="device",
    hint="Zeros that are made on the CPU are added.",
    ko="CPU에서 만든 0을 더했습니다.",
)
class layer_zeros_on_the_cpu(solution.LayerNorm):
    def forward(self, x):
        return super().forward(x) + torch.zeros(x.shape[-1], dtype=x.dtype)


@mistake(
    hint="In eval the result is kept, and comes again for another input of its shape.",
    ko="eval에서 결과를 남겨 두었다가 모양이 같은 다른 입력에 다시 돌려줍니다.",
)
class lnm_kept_in_eval(solution.LayerNorm):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        results = self.__dict__.setdefault("results", {})
        if x.shape not in results:
            results[x.shape] = super().forward(x)
        return results[x.shape]


@mistake(
    hint="In eval the mean is that of the last batch in training; a row is normalized by its own.",
    ko="eval에서 학습 때 마지막 배치의 평균을 썼습니다. 행마다 자기 평균으로 정규화하세요.",
)
class lnm_mean_of_training(solution.LayerNorm):
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        if self.training:
            self.mean = mean.detach()
        elif self.__dict__.get("mean", x).shape == mean.shape:
            mean = self.mean
        variance = x.var(dim=-1, keepdim=True, correction=0)
        return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias
