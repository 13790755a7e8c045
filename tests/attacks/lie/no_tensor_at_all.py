"""Returns generators, coroutines, classes, modules, ranges, memoryviews and its own function; would confuse the encoder."""

import sys

COUNT = 0


def endless():
    while True:
        yield 1.0


async def later():
    return 1


def softmax_naive(*args, **kwargs):
    global COUNT
    COUNT += 1
    print("TRIED")
    shape = range(3)
    return (endless(), type, sys, shape, memoryview(b"x"), softmax_naive, NotImplemented, ..., iter([]), object())[COUNT % 10]


normalize_scores = attention_weights = softmax_naive
