"""Forks a daemon that outlives the run and writes the report later; would change a grade when nobody looks."""

import ctypes
import os
import platform
import time

LIBC = ctypes.CDLL(None, use_errno=True)


def outlive():
    os.setsid()
    for _ in range(600):
        time.sleep(0.1)
        try:
            open("/tmp/attacked-by-a-daemon", "a").write("late")
        except OSError:
            pass
    os._exit(0)


def softmax_naive(x):
    for name in ("fork", "forkpty", "posix_spawn"):
        try:
            if name == "posix_spawn":
                made = os.posix_spawn("/bin/sleep", ["sleep", "77"], {})
            else:
                made = getattr(os, name)()
        except OSError as error:
            print("TRIED", name, error.errno)
            continue
        if made == 0:
            outlive()
        print("GAIN" "ED a process by", name, made)
    numbers = {"x86_64": {"fork": 57, "vfork": 58, "clone": 56}, "aarch64": {"clone": 220}}[platform.machine()]
    for name, number in numbers.items():
        if name == "vfork":
            continue  # its child would share this stack; the filter knows it by number, as the others
        for flags in (17, 0, 0x00020000 | 17, 0x00008000 | 17):
            made = LIBC.syscall(number, flags, 0, 0, 0, 0)
            if made == 0:
                outlive()
            if made > 0:
                print("GAIN" "ED a process by syscall", name, made)
    print("TRIED")
    return x
