"""Asks for a name at its top, in a cell of its own."""

import torch


# %%
name = input("Your name? ")


# %%
def attention_scores_for_query(inputs, query):
    return inputs @ query


# %%
def normalize_scores(scores):
    return scores / scores.sum()


# %%
def softmax_naive(x):
    powers = torch.exp(x)
    return powers / powers.sum()


# %%
def softmax_stable(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


# %%
def context_vector(weights, inputs):
    return weights @ inputs


# %%
def attention_scores(inputs):
    return inputs @ inputs.T


# %%
def attention_weights(scores):
    return torch.softmax(scores, dim=-1)


# %%
def all_context_vectors(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1) @ inputs


# %%
def attention(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value
