"""Raises words on which searching takes hours, past the worker's own limit; would hang whoever explains the exception."""

import sys

WORDS = "permute(sparse_coo)" * 1100 + "input.dim() = 1" * 1400 + "dtype " * 3600


def softmax_naive(x):
    frame = sys._getframe()
    while frame:
        if "explain" in frame.f_globals:
            frame.f_globals["explain"].__globals__["LONGEST_MESSAGE"] = len(WORDS)
        frame = frame.f_back
    raise RuntimeError(WORDS)
