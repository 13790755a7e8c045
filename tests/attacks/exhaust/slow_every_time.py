"""Takes a good part of the time limit in each call; would stretch a submission to hours without ever running into it."""

import time


def softmax_naive(x):
    time.sleep(0.2)
    print("TRIED")
    return x


def normalize_scores(scores):
    time.sleep(0.2)
    return scores
