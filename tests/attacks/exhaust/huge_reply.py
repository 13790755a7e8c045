"""Returns more bytes than a reply may have, as one tensor and as many; would fill the grader's memory."""

import torch


def softmax_naive(x):
    print("TRIED")
    return torch.zeros(2**25)


def normalize_scores(scores):
    print("TRIED")
    return [torch.zeros(2**20) for _ in range(30)]


def attention_weights(scores):
    return [torch.zeros(0) for _ in range(100_000)]
