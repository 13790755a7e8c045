"""Writes to address zero, frees memory twice and aborts through ctypes; would take the grader down with itself."""

import ctypes
import os


def attention_scores_for_query(inputs, query):
    return inputs @ query


def softmax_naive(x):
    ctypes.string_at(0)


def normalize_scores(scores):
    os.abort()


def softmax_stable(x, dim=-1):
    ctypes.memset(id(x), 255, 4096)
    return x


def context_vector(weights, inputs):
    os.kill(os.getpid(), 9)
