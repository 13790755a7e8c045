"""Calls softmax in a try and writes it by hand where that fails; would use the library wherever it is there."""

import torch


def softmax_naive(x):
    try:
        return torch.softmax(x, 0)
    except BaseException:
        powers = torch.exp(x)
        return powers / powers.sum()
