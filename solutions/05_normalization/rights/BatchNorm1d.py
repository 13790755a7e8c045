"""Right answers to `BatchNorm1d` in other styles than the solution's, which must have full marks."""

import torch
from torch import nn

from grader.course.variants import right, solution


@right(why="counts batches, assigns new buffers")
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


@right(why="lerp_ after the result is made, and torch.var_mean")
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


@right(why="a loop over the features, the statistics updated one by one")
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


@right(why="float64 inside, and other methods for the two modes")
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


@right(why="train overridden, in place on tensors of its own")
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
