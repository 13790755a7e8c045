"""Sleeps without using the processor; would slip under a limit that counts processor time only."""

import time


def attention_scores_for_query(inputs, query):
    return inputs @ query


def softmax_naive(x):
    time.sleep(3600)
