"""Recurses for ever, with the limit of recursion switched off; would overflow the C stack under the worker."""

import sys


def attention_scores_for_query(inputs, query):
    return inputs @ query


def again(x):
    return again(x)


def softmax_naive(x):
    return again(x)


def normalize_scores(scores):
    sys.setrecursionlimit(2**31 - 1)
    thing = []
    for _ in range(1_000_000):
        thing = [thing]
    return repr(thing)


def softmax_stable(x, dim=-1):
    sys.setrecursionlimit(2**31 - 1)
    return eval("[" * 90 + "again(x)" + "]" * 90)
