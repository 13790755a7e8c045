"""Uses torch.special, logsumexp and out= variants; would slip past a check for the word softmax."""

import torch


def softmax_naive(x):
    return (x - torch.special.logsumexp(x, 0)).exp()


def softmax_stable(x, dim=-1):
    return torch.special.softmax(x, dim)
