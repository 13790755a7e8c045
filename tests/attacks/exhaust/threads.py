"""Starts ten thousand threads that spin; would take every core and every thread of the machine."""

import threading
import time


def spin():
    end = time.monotonic() + 3
    while time.monotonic() < end:
        pass


def softmax_naive(x):
    started = 0
    try:
        for _ in range(10_000):
            threading.Thread(target=spin, daemon=True).start()
            started += 1
    except (RuntimeError, MemoryError, OSError) as error:
        print("TRIED", started, type(error).__name__)
    return x
