"""Catches MemoryError and goes on with smaller pieces for ever; would never come back from its memory limit."""


def softmax_naive(x):
    keep = []
    size = 2**28
    while True:
        try:
            keep.append(bytearray(size))
        except MemoryError:
            size = max(1, size // 2)
