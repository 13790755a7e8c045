"""Prints in every line."""

import torch


def attention_scores_for_query(inputs, query):
    print("here", locals())
    return inputs @ query


def normalize_scores(scores):
    print("here", locals())
    return scores / scores.sum()


def softmax_naive(x):
    print("here", locals())
    powers = torch.exp(x)
    print("here", locals())
    return powers / powers.sum()


def softmax_stable(x, dim=-1):
    print("here", locals())
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    print("here", locals())
    return powers / powers.sum(dim=dim, keepdim=True)


def context_vector(weights, inputs):
    print("here", locals())
    return weights @ inputs


def attention_scores(inputs):
    print("here", locals())
    return inputs @ inputs.T


def attention_weights(scores):
    print("here", locals())
    return torch.softmax(scores, dim=-1)


def all_context_vectors(inputs):
    print("here", locals())
    return torch.softmax(inputs @ inputs.T, dim=-1) @ inputs


def attention(query, key, value):
    print("here", locals())
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value


print("done")
for number in range(20_000):
    print("line", number)
