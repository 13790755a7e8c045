"""Returns one number expanded to 10**12 elements; would make the reader allocate terabytes."""

import torch


def softmax_naive(x):
    print("TRIED")
    return torch.zeros(1).expand(10**12)


def normalize_scores(scores):
    return torch.as_strided(torch.zeros(1), (2**31, 2**31), (0, 0))


def attention_weights(scores):
    return [torch.zeros(1).expand(2**40)] * 4000 + [torch.empty((0, 2**62))]
