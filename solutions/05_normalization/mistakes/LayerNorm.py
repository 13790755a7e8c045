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


@mistake(
    hint="Every number is scaled and shifted for itself: there is no mean and no variance.",
    ko="숫자마다 따로 곱하고 더할 뿐입니다. 평균도 분산도 없습니다.",
    marks="trivial",
)
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


@mistake(
    hint="The mean and the variance were taken over the first axis (the batch); take them over the features.",
    ko="첫 축(배치) 방향으로 평균과 분산을 구했습니다. 특징 방향으로 구하세요.",
    marks="slip",
)
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


@mistake(
    hint="The mean and the variance were taken over the tokens, the axis before the last.",
    ko="마지막 축 바로 앞의 토큰 방향으로 평균과 분산을 구했습니다.",
)
class lnm_token_axis(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps, dim=-2) * self.weight + self.bias


@mistake(
    hint="One mean and one variance were taken over everything; each row or feature has its own.",
    ko="전체에서 평균과 분산을 하나씩만 구했습니다. 행이나 특징마다 따로 구하세요.",
)
class lnm_over_everything(solution.LayerNorm):
    def forward(self, x):
        return (x - x.mean()) / torch.sqrt(x.var(correction=0) + self.eps) * self.weight + self.bias


@mistake(
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
    hint="The mean is subtracted, but nothing is divided by the standard deviation.",
    ko="평균만 빼고 표준편차로 나누지 않았습니다.",
)
class lnm_not_divided(solution.LayerNorm):
    def forward(self, x):
        return rooted(x - x.mean(-1, keepdim=True), lambda variance, eps: 1.0, self.eps) * self.weight + self.bias


@mistake(
    hint="The mean is not subtracted, and the root of the mean square stands for the deviation: that is RMS normalization.",
    ko="평균을 빼지 않고 제곱평균제곱근으로 나누었습니다. 그것은 RMS 정규화입니다.",
)
class lnm_rms(solution.LayerNorm):
    def forward(self, x):
        return rooted(x, lambda square, eps: torch.sqrt(square + eps), self.eps) * self.weight + self.bias


@mistake(hint="The scale and the shift are not applied.", ko="스케일과 시프트를 적용하지 않았습니다.")
class lnm_no_affine(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps)


@mistake(
    hint="Scale and shift are swapped: the scale multiplies, the shift is added.",
    ko="스케일과 시프트가 바뀌었습니다. 스케일은 곱하고 시프트는 더합니다.",
)
class lnm_swapped(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps) * self.bias + self.weight


@mistake(hint="The scale is missing.", ko="스케일을 곱하지 않았습니다.")
class lnm_no_scale(solution.LayerNorm):
    def forward(self, x):
        return normalized(x, self.eps) + self.bias


@mistake(
    hint="mean(x^2) - mean(x)^2 loses its digits when the numbers are large and close together: square the deviations.",
    ko="값이 크고 서로 가까우면 mean(x^2) - mean(x)^2은 자릿수를 잃습니다. 편차를 제곱하세요.",
)
class lnm_mean_of_squares(solution.LayerNorm):
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = x.square().mean(-1, keepdim=True) - mean**2
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@mistake(
    hint="The statistics are cut off from x (detach, no_grad, .data): they depend on x too, so gradients run through them.",
    ko="통계가 x에서 끊겨 있습니다(detach, no_grad, .data). 통계도 x에 따라 달라지므로 그래디언트가 지나가야 합니다.",
)
class lnm_statistics_detached(solution.LayerNorm):
    def forward(self, x):
        still = x.detach()
        mean, variance = still.mean(-1, keepdim=True), still.var(-1, keepdim=True, correction=0)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@mistake(
    hint="The caller's tensor was changed in place (-=, sub_); make a new one.",
    ko="부른 쪽의 텐서를 제자리에서 바꾸었습니다(-=, sub_). 새 텐서를 만드세요.",
    marks="point",
)
class lnm_in_place(solution.LayerNorm):
    def forward(self, x):
        x -= x.mean(-1, keepdim=True)
        return x / torch.sqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.weight + self.bias


@mistake(
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
class lnm_into_float32(solution.LayerNorm):
    def forward(self, x):
        return (normalized(x, self.eps) * self.weight + self.bias).float()


@mistake(
    hint="float64 goes through float32 on the way and loses its digits there.",
    ko="계산 도중 float64를 float32로 바꾸어 자릿수를 잃습니다.",
)
class lnm_float32_inside(solution.LayerNorm):
    def forward(self, x):
        return (normalized(x.float(), self.eps) * self.weight + self.bias).to(x.dtype)


@mistake(
    hint="In eval nothing is normalized; layer normalization does the same in both modes.",
    ko="eval에서 정규화하지 않습니다. 층 정규화는 두 모드에서 똑같이 합니다.",
)
class lnm_off_in_eval(solution.LayerNorm):
    def forward(self, x):
        return super().forward(x) if self.training else x * self.weight + self.bias


@mistake(
    hint="The weight starts as zeros, so a new layer gives zeros; it starts as ones.",
    ko="weight가 0으로 시작하여 새 층의 결과가 0입니다. 1로 시작해야 합니다.",
)
class lnm_zero_weight(solution.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        nn.init.zeros_(self.weight)


@mistake(
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
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
    marks="library",
)
class lnm_by_library(solution.LayerNorm):
    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)
