"""Sleeps without using the processor; would slip under a limit that counts processor time only."""

import time


def softmax_naive(x):
    time.sleep(3600)
