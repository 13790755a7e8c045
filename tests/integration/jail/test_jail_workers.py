"""What a worker may use, how it is bounded, kept apart and ended, on every tier that this machine proves."""

import contextlib
import errno
import os
import subprocess
import sys
import threading

import pytest

from ...support.jails.raw_jails import Ended, raw_worker


def test_what_refers_to_itself_is_collected_as_in_any_python(worker):
    """The zygote pauses the collector while it imports; a worker without one would run out of memory."""
    assert worker.run("import gc\nanswer = gc.isenabled()\n") is True


def test_threads_without_end_leave_room_for_other_workers(jail, worker):
    """One student's threads are bounded on every tier, so the next student's worker can be forked."""
    text = """
import threading
threading.stack_size(32768)
stop, started = threading.Event(), []
try:
    while len(started) < 3000:
        thread = threading.Thread(target=stop.wait, daemon=True)
        thread.start()
        started.append(thread)
except RuntimeError:
    pass
answer = len(started)
"""
    with contextlib.suppress(Ended):  # It took so many that it was ended for it.
        assert 4 <= worker.run(text) < 1000
    with raw_worker(jail) as other:
        assert other.run("answer = 1") == 1


def test_a_worker_that_takes_most_of_the_threads_is_ended(jail, worker):
    """Where all workers share one count, the one that uses it up is ended; elsewhere it has a count of its own."""
    text = """
import threading
threading.stack_size(32768)
stop = threading.Event()
try:
    for _ in range(400):
        threading.Thread(target=stop.wait, daemon=True).start()
except RuntimeError:
    answer = "the limit came first"
else:
    stop.wait(60)
"""
    if jail.isolation.tier == "namespaces":
        assert worker.run(text) == "the limit came first"
    else:
        with pytest.raises(Ended):
            if worker.run(text) == "the limit came first":
                pytest.skip("this user has too few processes left to tell: other jails are open on this machine")


def test_modules_that_nothing_imported_yet_can_be_imported(jail, worker):
    if jail.isolation.tier == "no-open":
        text = "import colorsys, sched, graphlib, sqlite3; answer = colorsys.ONE_THIRD * 3"
    else:
        text = "import sys; assert 'wave' not in sys.modules; import colorsys, wave; answer = colorsys.ONE_THIRD * 3"
    assert worker.run(text) == 1


def test_memory_past_the_limit_is_refused(worker):
    for text in (
        "bytearray(400 * 2**20)",
        "import torch; torch.zeros(100 * 2**20)",
        "import mmap; mmap.mmap(-1, 400 * 2**20)",
        "import mmap; mmap.mmap(-1, 400 * 2**20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)",
    ):
        answer = worker.run(text)
        assert answer[0] in ("MemoryError", "RuntimeError") or answer[1] == errno.ENOMEM, (text, answer)


def test_memory_within_the_limit_can_be_had(worker):
    assert worker.run("answer = len(bytearray(200 * 2**20))") == 200 * 2**20


def test_the_limits_are_those_that_were_asked_for(worker):
    text = """
import resource as r
answer = {n: r.getrlimit(getattr(r, "RLIMIT_" + n)) for n in ("CORE", "FSIZE", "MEMLOCK", "NOFILE", "CPU")}
"""
    expected = {"CORE": [0, 0], "FSIZE": [0, 0], "MEMLOCK": [0, 0], "NOFILE": [32, 32], "CPU": [21, 21]}
    assert worker.run(text) == expected


def test_hashes_of_strings_are_the_same_in_every_jail(worker):
    text, environment = "print(hash('attention'))", {**os.environ, "PYTHONHASHSEED": "0"}
    outside = subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True, check=True)
    assert worker.run("answer = hash('attention')") == int(outside.stdout)
    assert worker.run("import sys; answer = sys.flags.hash_randomization") == 0


def test_the_caller_keeps_its_threads_and_descriptors(jail):
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208
    threads = threading.active_count()
    with raw_worker(jail) as worker:
        worker.run("answer = 1")
    assert set(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    assert threading.active_count() == threads
