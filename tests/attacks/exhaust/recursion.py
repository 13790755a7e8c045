"""Recurses for ever, with the limit of recursion switched off; would overflow the C stack under the worker."""

import sys


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


def attention_weights(x):
    sys.setrecursionlimit(2**31 - 1)
    return eval("[" * 90 + "again(x)" + "]" * 90)
