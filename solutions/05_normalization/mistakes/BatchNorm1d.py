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


@mistake(hint="There is no mean and no variance.", ko="평균도 분산도 없습니다.", marks="trivial")
class bnm_elementwise(solution.BatchNorm1d):
    def forward(self, x):
        return x * self.weight + self.bias


@mistake(hint="This is layer norm: average over the batch.", ko="층 정규화입니다. 배치로 평균하세요.", marks="slip")
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


@mistake(hint="In training use the batch's own statistics.", ko="학습 중에는 배치의 통계를 쓰세요.")
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


@mistake(hint="momentum is the share of the new batch.", ko="momentum은 새 배치의 몫입니다.")
class bnm_momentum_inverted(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0), 1 - self.momentum)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(marks="point", hint="Use the layer's momentum, not 0.1.", ko="0.1이 아니라 층의 momentum을 쓰세요.")
class bnm_momentum_ignored(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0), 0.1)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(marks="point", hint="Use the layer's eps, not 1e-5.", ko="1e-5가 아니라 층의 eps를 쓰세요.")
class bnm_eps_ignored(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, momentum=momentum)


@mistake(hint="Move the running statistics in every training call.", ko="학습할 때마다 이동 통계를 움직이세요.")
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


@mistake(hint="Without eps a variance of 0 divides 0 by 0.", ko="eps가 없으면 분산이 0일 때 0을 0으로 나눕니다.")
class bnm_eps_forgotten(solution.BatchNorm1d):
    def forward(self, x):
        mean = x.mean(0) if self.training else self.running_mean
        variance = x.var(0, correction=0) if self.training else self.running_var
        if self.training:
            moved(self, x.mean(0), x.var(0))

        def root(variance, eps):
            return variance.sqrt()

        return (x - mean) / root(variance, self.eps) * self.weight + self.bias


@mistake(hint="Divide by the root of the variance.", ko="분산의 제곱근으로 나누세요.", marks="slip")
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


@mistake(hint="Swapped: multiply by the scale, add the shift.", ko="반대입니다. 스케일은 곱하고 시프트는 더하세요.")
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


@mistake(hint="The caller's tensor changes (-=, sub_).", ko="부른 쪽의 텐서가 바뀝니다(-=, sub_).")
class bnm_in_place_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        x -= self.running_mean
        return x / torch.sqrt(self.running_var + self.eps) * self.weight + self.bias


@mistake(hint="This is the library's own; write it out.", ko="라이브러리 것입니다. 직접 쓰세요.", marks="library")
class bnm_by_library(solution.BatchNorm1d):
    def forward(self, x):
        return F.batch_norm(
            x, self.running_mean, self.running_var, self.weight, self.bias, self.training, self.momentum, self.eps
        )


@mistake(hint="The running statistics are replaced; move them by momentum.", ko="이동 통계를 momentum만큼만 옮기세요.")
class bnm_replaced(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            moved(self, x.mean(0), x.var(0), 1.0)
            return by(self, x, x.mean(0), x.var(0, correction=0))
        return super().forward(x)


@mistake(hint="running_var starts as ones.", ko="running_var는 1로 시작합니다.")
class bnm_variance_from_zeros(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.running_var.zero_()


@mistake(hint="running_mean starts as zeros.", ko="running_mean은 0으로 시작합니다.")
class bnm_mean_from_ones(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.running_mean.fill_(1)


@mistake(hint="running_var holds variances, not deviations.", ko="running_var에는 표준편차가 아니라 분산을 넣으세요.")
class bnm_deviation_remembered(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            moved(self, x.mean(0), x.std(0))
            return by(self, x, x.mean(0), x.var(0, correction=0))
        return super().forward(x)


@mistake(
    marks="device",
    hint="The number of batches is a plain attribute on the CPU.",
    ko="배치 수가 CPU에 남는 일반 속성입니다.",
)
class batch_ones_on_the_cpu(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.ones = torch.ones(num_features)

    def forward(self, x):
        return super().forward(x * self.ones.to(x.dtype))


@mistake(hint="The mode decides alone, not whether autograd is on.", ko="autograd가 아니라 모드만이 정합니다.")
class bnm_still_under_no_grad(solution.BatchNorm1d):
    def forward(self, x):
        if self.training and not torch.is_grad_enabled():
            return normalized(x, self.eps, dim=0) * self.weight + self.bias
        return super().forward(x)


@mistake(
    hint="The parameters have other names than `weight` and `bias`, so saved weights do not find them.",
    ko="매개변수의 이름이 `weight`와 `bias`가 아니어서, 저장된 가중치를 넣을 수 없습니다.",
    marks="slip",
)
class bnm_other_names(solution.BatchNorm1d):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.gamma, self.beta = self.weight, self.bias
        del self.weight, self.bias

    def forward(self, x):
        mean, variance = (x.mean(0), x.var(0, correction=0)) if self.training else (self.running_mean, self.running_var)
        if self.training:
            moved(self, mean, x.var(0))
        return (x - mean) / torch.sqrt(variance + self.eps) * self.gamma + self.beta
