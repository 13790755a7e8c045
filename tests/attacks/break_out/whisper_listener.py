"""Looks for a word that another worker left in a shared place; would learn answers from student to student."""

import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)


def softmax_naive(x):
    for path in (
        "/dev/shm/attacked-word",
        "/tmp/attacked-word",
        "/var/tmp/attacked-word",
        "/run/attacked-word",
        "attacked-word",
    ):
        try:
            with open(path) as file:
                print("GAINED the word:", file.read())
        except OSError:
            pass
    if max(LIBC.shmget(0x77AA, 4096, 0), LIBC.msgget(0x77AA, 0), LIBC.semget(0x77AA, 1, 0)) >= 0:
        print("GAINED a System V object")
    try:
        import socket

        made = socket.socket(socket.AF_UNIX)
        made.connect("\0attacked-word")
        print("GAINED the word's socket")
    except OSError:
        pass
    for handle in range(3, 64):
        try:
            if os.lseek(handle, 0, os.SEEK_CUR) == 4242:
                print("GAINED a shared file position on", handle)
        except OSError:
            pass
    print("TRIED")
    return x
