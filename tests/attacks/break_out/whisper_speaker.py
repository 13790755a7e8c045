"""Leaves a word for another worker in every place two processes may share; would hand answers from student to student."""

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
            with open(path, "w") as file:
                file.write("word")
            print("GAINED a place to write:", path)
        except OSError:
            pass
    shared = LIBC.shmget(0x77AA, 4096, 0o1666)
    queue = LIBC.msgget(0x77AA, 0o1666)
    semaphore = LIBC.semget(0x77AA, 1, 0o1666)
    if max(shared, queue, semaphore) >= 0:
        print("GAINED System V objects", shared, queue, semaphore)
    try:
        import socket

        made = socket.socket(socket.AF_UNIX)
        made.bind("\0attacked-word")
        print("GAINED an abstract socket")
    except OSError:
        pass
    for handle in range(3, 64):
        try:
            os.lseek(handle, 4242, os.SEEK_SET)  # a file opened before both were forked has one position for both
        except OSError:
            pass
        try:
            os.fchmod(handle, 0o712)
            print("GAINED the mode of descriptor", handle)
        except OSError:
            pass
        try:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            pass
    print("TRIED")
    return x
