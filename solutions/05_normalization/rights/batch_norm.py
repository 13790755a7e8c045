"""Right answers to `batch_norm` in other styles than the solution's, which must have full marks."""

import torch

from grader.course.variants import right


@right(why="torch.var_mean and rsqrt")
def bn_var_mean(x, gamma, beta, eps=1e-5):
    variance, mean = torch.var_mean(x, 0, correction=0)
    return (x - mean) * torch.rsqrt(variance + eps) * gamma + beta


@right(why="a loop over the features")
def bn_looped(x, gamma, beta, eps=1e-5):
    columns = []
    for c in range(x.shape[1]):
        column = x[:, c] - x[:, c].mean()
        columns.append(gamma[c] * column / (column.pow(2).mean() + eps).sqrt() + beta[c])
    return torch.stack(columns, dim=1)


@right(why="the transpose, in place on tensors of its own, so that the result is not contiguous")
def bn_transposed(x, gamma, beta, eps=1e-5):
    columns = x.T - x.T.mean(1, keepdim=True)
    columns = columns / torch.sqrt(columns.square().mean(1, keepdim=True) + eps)
    columns *= gamma.unsqueeze(1)
    columns += beta.unsqueeze(1)
    return columns.T


@right(why="float64 inside, with the mean of squares")
def bn_wide_inside(x, gamma, beta, eps=1e-5):
    wide = x.double()
    mean = wide.mean(0)
    variance = (wide**2).mean(0) - mean**2
    return ((wide - mean) / (variance.clamp(min=0) + eps).sqrt() * gamma + beta).to(x.dtype)


@right(why="matrix products for the means")
def bn_by_products(x, gamma, beta, eps=1e-5):
    ones = x.new_ones(1, len(x))
    centred = x - ones @ x / len(x)
    return torch.addcmul(beta, centred / torch.sqrt(ones @ centred.square() / len(x) + eps), gamma)
