"""Hides the forbidden call in a scripted function; would slip past hooks that only see Python calls."""

import torch


def scripted():
    unit = torch.jit.CompilationUnit("def f(x, dim: int):\n    return torch.softmax(x, dim)\n")
    return unit.f


def softmax_naive(x):
    return scripted()(x, 0)
