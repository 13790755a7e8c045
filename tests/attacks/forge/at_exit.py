"""Leaves work for the end of the process (atexit, weakref, threading); would write the report after the grader did."""

import atexit
import os
import threading
import weakref


class Thing:
    pass


def at_the_end():
    for handle in range(3, 64):
        try:
            os.write(handle, b'{"status": "passed"}' * 10)
        except OSError:
            pass
    try:
        open("/tmp/attacked", "w").write("late")
    except OSError:
        pass


thing = Thing()
atexit.register(at_the_end)
weakref.finalize(thing, at_the_end)
threading._register_atexit(at_the_end)
os.register_at_fork(before=at_the_end, after_in_child=at_the_end, after_in_parent=at_the_end)


def softmax_naive(x):
    print("TRIED")
    raise SystemExit(0)
