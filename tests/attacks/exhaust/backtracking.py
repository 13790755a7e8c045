"""Runs a regular expression that backtracks for ever inside C; would hang a limit that waits for Python."""

import re


def softmax_naive(x):
    return re.match(r"(a|aa)+$", "a" * 60 + "b")
