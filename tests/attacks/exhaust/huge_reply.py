"""Returns more bytes than a reply may have, as one tensor and as many; would fill the grader's memory."""

import torch


def attention_scores_for_query(inputs, query):
    return inputs @ query


def softmax_naive(x):
    print("TRIED")
    return torch.zeros(2**25)


def normalize_scores(scores):
    print("TRIED")
    return [torch.zeros(2**20) for _ in range(30)]


def softmax_stable(x, dim=-1):
    return [torch.zeros(0) for _ in range(100_000)]
