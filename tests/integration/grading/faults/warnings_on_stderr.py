"""Writes warnings, log lines and words like error to stderr."""

import logging
import sys
import warnings

import torch

logging.basicConfig(level=logging.DEBUG)
log = logging.getLogger("mine")
warnings.simplefilter("always")


def attention_scores_for_query(inputs, query):
    warnings.warn("careful", stacklevel=1)
    print("error: traceback", file=sys.stderr)
    log.error("failed")
    return inputs @ query


def normalize_scores(scores):
    warnings.warn("careful", stacklevel=1)
    print("error: traceback", file=sys.stderr)
    log.error("failed")
    return scores / scores.sum()


def softmax_naive(x):
    warnings.warn("careful", stacklevel=1)
    print("error: traceback", file=sys.stderr)
    log.error("failed")
    powers = torch.exp(x)
    return powers / powers.sum()


def softmax_stable(x, dim=-1):
    warnings.warn("careful", stacklevel=1)
    print("error: traceback", file=sys.stderr)
    log.error("failed")
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


def context_vector(weights, inputs):
    warnings.warn("careful", stacklevel=1)
    print("error: traceback", file=sys.stderr)
    log.error("failed")
    return weights @ inputs


def attention_scores(inputs):
    warnings.warn("careful", stacklevel=1)
    print("error: traceback", file=sys.stderr)
    log.error("failed")
    return inputs @ inputs.T


def attention_weights(scores):
    warnings.warn("careful", stacklevel=1)
    print("error: traceback", file=sys.stderr)
    log.error("failed")
    return torch.softmax(scores, dim=-1)


def all_context_vectors(inputs):
    warnings.warn("careful", stacklevel=1)
    print("error: traceback", file=sys.stderr)
    log.error("failed")
    return torch.softmax(inputs @ inputs.T, dim=-1) @ inputs


def attention(query, key, value):
    warnings.warn("careful", stacklevel=1)
    print("error: traceback", file=sys.stderr)
    log.error("failed")
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value
