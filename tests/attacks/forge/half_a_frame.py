"""Announces a reply and sends only half of it; would keep the reader waiting for ever."""

import os
import struct
import time


def softmax_naive(x):
    for handle in range(3, 64):
        try:
            os.write(handle, struct.pack(">IQ", 1000, 1000) + b"\x85")
        except OSError:
            pass
    time.sleep(1000)
