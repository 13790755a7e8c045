"""Right answers to `LayerNorm` in other styles than the solution's, which must have full marks."""

import torch
from torch import nn

from grader.course.variants import helper, right, solution


@helper
def normalized(x, eps, dim=-1, correction=0):
    deviations = x - x.mean(dim=dim, keepdim=True)
    return deviations / torch.sqrt(x.var(dim=dim, keepdim=True, correction=correction) + eps)


@right(why="the bias made first, and parameters registered by hand")
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


@right(why="the student's own function, named otherwise")
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


@right(why="float64 inside, eps kept in a buffer")
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


@right(why="a loop over rows, in place on tensors of its own")
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


@right(why="the class of the solution, with a buffer more that counts calls")
class lnm_counts_calls(solution.LayerNorm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x):
        self.calls += 1
        return super().forward(x)
