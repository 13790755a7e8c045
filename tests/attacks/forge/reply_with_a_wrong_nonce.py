"""Sends well-formed replies with made-up nonces on every descriptor; would be taken for an answer without being one."""

import os
import struct

import msgspec


def softmax_naive(x):
    for nonce in (b"\0" * 16, os.urandom(16)):
        row = ["tensor", "float32", list(x.shape), 0, 4 * x.numel(), False, True, "cpu", None]
        header = msgspec.msgpack.encode({"type": "returned", "nonce": nonce, "nodes": [row], "value": 0})
        frame = struct.pack(">IQ", len(header), 4 * x.numel()) + header + b"\0" * (4 * x.numel())
        for handle in range(3, 64):
            try:
                os.write(handle, frame)
            except OSError:
                pass
    return x
