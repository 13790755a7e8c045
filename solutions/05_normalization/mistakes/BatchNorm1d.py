"""Wrong answers to `BatchNorm1d`, each with the hint that a student with this answer gets."""

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, solution


@helper
def normalized(x, eps, dim=-1, correction=0):
    deviations = x - x.mean(dim=dim, keepdim=True)
    return deviations / torch.sqrt(x.var(dim=dim, keepdim=True, correction=correction) + eps)


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
    hint="Every number is scaled and shifted for itself: there is no mean and no variance.",
    ko="숫자마다 따로 곱하고 더할 뿐입니다. 평균도 분산도 없습니다.",
    marks="trivial",
)
class bnm_elementwise(solution.BatchNorm1d):
    def forward(self, x):
        return x * self.weight + self.bias


@mistake(
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
    hint="In training the running statistics were used; this batch's own are asked for.",
    ko="학습 중에 이동 통계를 썼습니다. 그 배치 자신의 통계를 써야 합니다.",
)
class bnm_running_in_training(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            moved(self, x.mean(0), x.var(0))
        return by(self, x, self.running_mean, self.running_var)


@mistake(
    hint="In eval the batch's own statistics are used, so a single sample gives nothing; use the running ones.",
    ko="eval에서 배치의 통계를 썼습니다. 이동 통계를 써야 합니다.",
    marks="point",
)
class bnm_batch_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            moved(self, x.mean(0), x.var(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    hint="The shares are exchanged: momentum is the share of the new batch.",
    ko="비율이 바뀌었습니다. momentum은 새 배치의 몫입니다.",
)
class bnm_momentum_inverted(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0), 1 - self.momentum)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    hint="The running statistics stay as they start; move them at every call in training.",
    ko="이동 통계가 처음 그대로입니다. 학습 중 호출할 때마다 움직이세요.",
)
class bnm_never_moved(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(hint="The running statistics move in eval as well.", ko="eval에서도 이동 통계가 움직입니다.")
class bnm_moved_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        result = super().forward(x)
        if not self.training and len(x) > 1:
            moved(self, x.mean(0), x.var(0))
        return result


@mistake(
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


@mistake(hint="The scale and the shift are not applied.", ko="스케일과 시프트를 적용하지 않았습니다.")
class bnm_no_affine(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        mean, variance = x.mean(0), x.var(0, correction=0)
        return (x - mean) / torch.sqrt(variance + self.eps)


@mistake(
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


@mistake(
    hint="After an update in training the running statistics have another dtype than the layer.",
    ko="학습에서 갱신한 뒤 이동 통계의 dtype이 층과 다릅니다.",
)
class bnm_buffers_in_float32(solution.BatchNorm1d):
    def forward(self, x):
        result = super().forward(x)
        self.running_mean, self.running_var = self.running_mean.float(), self.running_var.float()
        return result


@mistake(
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
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
    marks="library",
)
class bnm_by_library(solution.BatchNorm1d):
    def forward(self, x):
        return F.batch_norm(
            x, self.running_mean, self.running_var, self.weight, self.bias, self.training, self.momentum, self.eps
        )
