"""Starts a shell by every way Python has; would run anything with the grader's rights."""

import ctypes
import multiprocessing
import os
import subprocess


def softmax_naive(x):
    ways = {
        "run": lambda: subprocess.run(["/bin/sh", "-c", "id; touch /tmp/attacked"], capture_output=True).stdout,
        "popen": lambda: os.popen("id").read() or 1 / 0,
        "system": lambda: None if os.system("touch /tmp/attacked") == 0 else 1 / 0,
        "exec": lambda: os.execv("/bin/sh", ["sh", "-c", "touch /tmp/attacked"]),
        "process": lambda: multiprocessing.get_context("spawn").Process(target=print).start(),
        "forked": lambda: multiprocessing.get_context("fork").Process(target=print).start(),
        "libc": lambda: None if ctypes.CDLL(None).system(b"touch /tmp/attacked") == 0 else 1 / 0,
        "popen3": lambda: None if ctypes.CDLL(None).popen(b"id", b"r") else 1 / 0,
    }
    for name, way in ways.items():
        try:
            print("GAINED", name, way())
        except BaseException as error:
            print("TRIED", name, type(error).__name__)
    return x
