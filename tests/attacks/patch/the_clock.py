"""Stops every clock and then loops; would never reach a time limit that the student's process measures."""

import signal
import time

time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0.0
time.sleep = lambda seconds: None


def softmax_naive(x):
    signal.alarm(0)
    while True:
        pass
