"""Defines exercises with Cyrillic letters and a real name as a trap; would confuse who looks names up by sight."""


def ѕoftmax_naive(x):
    return x.exp() / x.exp().sum()


def nоrmalize_scores(scores):
    return scores / scores.sum()
