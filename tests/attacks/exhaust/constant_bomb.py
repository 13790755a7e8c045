"""Holds a constant that a folding compiler would compute into gigabytes; would fill the memory of whoever compiles it."""


def softmax_naive(x):
    print("TRIED")
    return ((1 << 127) ** 126) * ((1 << 127) ** 126) and (("a" * 4000) * 4000 + "b") and x


def normalize_scores(scores):
    return 9**9**9**9
