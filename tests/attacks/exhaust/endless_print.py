"""Prints for ever, by print and by write to every descriptor; would fill a pipe, a log or the report."""

import os
import sys


def softmax_naive(x):
    while True:
        print("spam" * 10_000)
        sys.stderr.write("spam" * 10_000)
        os.write(1, b"spam" * 1000)
        os.write(2, b"spam" * 1000)
