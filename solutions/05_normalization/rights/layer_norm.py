"""Right answers to `layer_norm` in other styles than the solution's, which must have full marks."""

import functools

import torch

from grader.course.variants import right


@right(why="torch.var_mean and rsqrt")
def ln_var_mean(x, gamma, beta, eps=1e-5):
    variance, mean = torch.var_mean(x, dim=-1, unbiased=False, keepdim=True)
    return torch.addcmul(beta, (x - mean) * torch.rsqrt(variance + eps), gamma)


@right(why="a loop over the rows, the variance as a dot product")
def ln_looped(x, gamma, beta, eps=1e-5):
    rows = []
    for row in x.reshape(-1, x.size(-1)):
        deviations = row - row.sum() / len(row)
        rows.append(deviations / (deviations @ deviations / len(row) + eps) ** 0.5 * gamma + beta)
    return torch.stack(rows).view_as(x)


@right(why="float64 inside, with the mean of squares")
def ln_wide_inside(x, gamma, beta, eps=1e-5):
    wide = x.double()
    mean = wide.mean(-1, keepdim=True)
    variance = (wide * wide).mean(-1, keepdim=True) - mean * mean
    return ((wide - mean) / (variance.clamp(min=0) + eps).sqrt() * gamma.double() + beta.double()).to(x.dtype)


@right(why="einsum, and in place on a tensor of its own")
def ln_einsum_in_place(x, gamma, beta, eps=1e-5):
    d = x.shape[-1]
    result = x - torch.einsum("...d->...", x).unsqueeze(-1) / d
    result /= torch.sqrt(torch.einsum("...d,...d->...", result, result).unsqueeze(-1) / d + eps)
    result *= gamma
    result += beta
    return result


@right(why="the standard deviation squared again")
def ln_by_std(x, gamma, beta, eps=1e-5):
    std = torch.std(x, -1, unbiased=False).unsqueeze(-1)
    return gamma * ((x - torch.mean(x, -1).unsqueeze(-1)) / torch.sqrt(std**2 + eps)) + beta


@right(why="a projection that takes the mean away")
def ln_by_projection(x, gamma, beta, eps=1e-5):
    d = x.shape[-1]
    centred = x - (x @ torch.ones(d, d, dtype=x.dtype, device=x.device)) / d
    return centred * (centred.pow(2).sum(-1, keepdim=True) / d + eps).pow(-0.5) * gamma + beta


@right(why="the features brought to the front")
def ln_features_first(x, gamma, beta, eps=1e-5):
    front = x.movedim(-1, 0)
    centred = front - front.mean(0)
    return (centred / (centred.square().mean(0) + eps).sqrt()).movedim(0, -1) * gamma + beta


@right(why="a callable object")
class ln_callable:
    def __new__(cls, *args, **kwargs):
        return functools.partial(cls.run, power=0.5)(*args, **kwargs)

    @staticmethod
    def run(x, gamma, beta, eps=1e-5, *, power):
        deviations = x - x.mean(dim=-1, keepdim=True)
        return deviations / (deviations.square().mean(dim=-1, keepdim=True) + eps) ** power * gamma + beta
