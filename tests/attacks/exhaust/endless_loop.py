"""Loops for ever with every signal ignored; would hang the run, or outlive its time limit."""

import signal


def softmax_naive(x):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
