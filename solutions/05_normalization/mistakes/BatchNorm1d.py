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
    hint="The result is the same whatever x is.",
    ko="x가 무엇이든 결과가 같습니다.",
    marks="trivial",
)
class bnm_constant(solution.BatchNorm1d):
    def forward(self, x):
        return self.bias.expand(x.shape).clone()


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
    hint="In training the running statistics were used; this batch's own are asked for.",
    ko="학습 중에 이동 통계를 썼습니다. 그 배치 자신의 통계를 써야 합니다.",
)
class bnm_running_in_training(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            moved(self, x.mean(0), x.var(0))
        return by(self, x, self.running_mean, self.running_var)


@mistake(
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
    hint="In eval the batch's own statistics are used, so a single sample gives nothing; use the running ones.",
    ko="eval에서 배치의 통계를 썼습니다. 이동 통계를 써야 합니다.",
    marks="point",
)
class bnm_batch_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            moved(self, x.mean(0), x.var(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(hint="Training and eval are exchanged.", ko="학습과 eval이 서로 바뀌었습니다.")
class bnm_modes_exchanged(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            return by(self, x, self.running_mean, self.running_var)
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


@mistake(hint="The argument momentum is not used.", ko="momentum 인자를 쓰지 않았습니다.")
class bnm_momentum_ignored(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0), 0.1)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
    hint="A momentum of 0 is taken for none given: `or` treats 0 as missing.",
    ko="momentum 0을 주지 않은 것으로 여깁니다. `or`는 0을 없는 값으로 다룹니다.",
)
class bnm_momentum_of_zero_replaced(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum or 0.1)


@mistake(
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
    hint="The running statistics stay as they start; move them at every call in training.",
    ko="이동 통계가 처음 그대로입니다. 학습 중 호출할 때마다 움직이세요.",
)
class bnm_never_moved(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
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


@mistake(hint="One call moves the running statistics twice.", ko="한 번 호출에 이동 통계가 두 번 움직입니다.")
class bnm_moved_twice(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        moved(self, x.mean(0), x.var(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(hint="The running statistics move in eval as well.", ko="eval에서도 이동 통계가 움직입니다.")
class bnm_moved_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        result = super().forward(x)
        if not self.training and len(x) > 1:
            moved(self, x.mean(0), x.var(0))
        return result


@mistake(hint="running_mean never moves.", ko="running_mean이 움직이지 않습니다.")
class bnm_mean_not_moved(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, self.running_mean.clone(), x.var(0))
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(hint="running_var never moves.", ko="running_var가 움직이지 않습니다.")
class bnm_var_not_moved(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), self.running_var.clone())
        return by(self, x, x.mean(0), x.var(0, correction=0))


@mistake(
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
    hint="running_var starts at 0, which makes eval of a new layer blow up; it starts at 1.",
    ko="running_var가 0에서 시작하여 새 층의 eval 결과가 커집니다. 1에서 시작해야 합니다.",
)
class bnm_var_starts_at_zero(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.running_var.zero_()


@mistake(
    hint="running_mean starts at 1; it starts at 0.",
    ko="running_mean이 1에서 시작합니다. 0에서 시작해야 합니다.",
)
class bnm_mean_starts_at_one(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.running_mean.fill_(1.0)


@mistake(
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
    hint="The buffers are left out of state_dict (persistent=False), so a loaded layer has forgotten them.",
    ko="버퍼가 state_dict에서 빠져 있어(persistent=False) 불러온 층이 통계를 잊습니다.",
)
class bnm_not_saved(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.register_buffer("running_mean", torch.zeros(num_features), persistent=False)
        self.register_buffer("running_var", torch.ones(num_features), persistent=False)


@mistake(
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
    hint="In eval the result is cut off from x; gradients may be asked for there too.",
    ko="eval에서 결과가 x와 끊깁니다. 거기서도 그래디언트가 필요할 수 있습니다.",
)
class bnm_no_gradient_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        result = super().forward(x)
        return result if self.training else result.detach()


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


@mistake(hint="In eval eps is missing under the root.", ko="eval에서 제곱근 안에 eps가 없습니다.")
class bnm_eps_forgotten_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        return (x - self.running_mean) / torch.sqrt(self.running_var) * self.weight + self.bias


@mistake(
    hint="In eval the weight and the bias are not applied.",
    ko="eval에서 weight와 bias를 적용하지 않았습니다.",
)
class bnm_affine_in_training_only(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        return (x - self.running_mean) / torch.sqrt(self.running_var + self.eps)


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


@mistake(hint="The shift is missing.", ko="시프트를 더하지 않았습니다.")
class bnm_no_shift(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        mean, variance = x.mean(0), x.var(0, correction=0)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight


@mistake(hint="The scale is missing.", ko="스케일을 곱하지 않았습니다.")
class bnm_no_scale(solution.BatchNorm1d):
    def forward(self, x):
        if not self.training:
            return super().forward(x)
        moved(self, x.mean(0), x.var(0))
        mean, variance = x.mean(0), x.var(0, correction=0)
        return (x - mean) / torch.sqrt(variance + self.eps) + self.bias


@mistake(
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
    hint="After an update in training the running statistics have another dtype than the layer.",
    ko="학습에서 갱신한 뒤 이동 통계의 dtype이 층과 다릅니다.",
)
class bnm_buffers_in_float32(solution.BatchNorm1d):
    def forward(self, x):
        result = super().forward(x)
        self.running_mean, self.running_var = self.running_mean.float(), self.running_var.float()
        return result


@mistake(
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
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
class bnm_into_float32(solution.BatchNorm1d):
    def forward(self, x):
        return super().forward(x).float()


@mistake(
    hint="float64 goes through float32 on the way and loses its digits there.",
    ko="계산 도중 float64를 float32로 바꾸어 자릿수를 잃습니다.",
)
class bnm_float32_inside(solution.BatchNorm1d):
    def forward(self, x):
        return super().forward(x.float()).to(x.dtype)


@mistake(
    hint="The default of eps is another one than the signature's.",
    ko="eps의 기본값이 주어진 시그니처와 다릅니다.",
)
class bnm_default_eps(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-3, momentum=0.1):
        super().__init__(num_features, eps, momentum)


@mistake(
    hint="The default of momentum is another one than the signature's.",
    ko="momentum의 기본값이 주어진 시그니처와 다릅니다.",
)
class bnm_default_momentum(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.9):
        super().__init__(num_features, eps, momentum)


@mistake(
    hint="The default of momentum is smaller than the signature's, so the running statistics hardly move.",
    ko="momentum의 기본값이 주어진 시그니처보다 작아 이동 통계가 거의 움직이지 않습니다.",
)
class bnm_small_default_momentum(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.01):
        super().__init__(num_features, eps, momentum)


@mistake(
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
    hint="The parameters were made with requires_grad=False, so they are never trained.",
    ko="매개변수를 requires_grad=False로 만들어 학습되지 않습니다.",
)
class bnm_frozen(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.requires_grad_(False)


@mistake(
    hint="There is a parameter more than asked for; even unused it is trained and saved.",
    ko="요구한 것보다 매개변수가 더 있습니다. 쓰지 않아도 학습되고 저장됩니다.",
)
class bnm_extra_layer(solution.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps, momentum)
        self.scale = nn.Parameter(torch.ones(1))


@mistake(
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
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
)
class bnm_from_library(nn.BatchNorm1d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps=eps, momentum=momentum)


@mistake(
    hint="This is the library's own function or layer, which this exercise asks you to write.",
    ko="라이브러리의 함수나 층을 그대로 썼습니다. 이 문제는 그것을 직접 쓰는 것입니다.",
)
class bnm_by_library_in_eval(solution.BatchNorm1d):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        return F.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, eps=self.eps)
