"""Calls softmax in a try and writes it by hand where that fails; would use the library wherever it is there."""

import torch


def softmax_naive(x):
    try:
        return torch.softmax(x, 0)
    except BaseException:
        powers = torch.exp(x)
        return powers / powers.sum()


def softmax_stable(x, dim=-1):
    try:
        torch.softmax(torch.ones(1), 0)
    except BaseException:
        powers = torch.exp(x - x.amax(dim, keepdim=True))
        return powers / powers.sum(dim, keepdim=True)
    return torch.softmax(x, dim)
