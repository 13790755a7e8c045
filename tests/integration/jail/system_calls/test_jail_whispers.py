"""What one worker leaves for another, on every tier that this machine proves: nothing that the other could read."""

import errno

import pytest

from grader.inside.sandbox.syscalls import NUMBERS, libc, machine
from grader.jail import open_jail

from ....support.jails.raw_jails import CALL, LIMITS, RAW, Ended, RawWorker, raw_worker, wait_status_of

KCMP = {"x86_64": 312, "aarch64": 272}
FUTEX = NUMBERS[machine()]["futex"]
WORD = f"""{CALL}
word = ctypes.cast(libc.qsort, ctypes.c_void_p).value & ~3
class Moment(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("rest", ctypes.c_long)]
def wait(kind, seconds):
    value, moment = ctypes.c_uint32.from_address(word).value, Moment(0, int(seconds * 1e9))
    return call({FUTEX}, word, kind, value, ctypes.addressof(moment))
"""
"""A word of libc's code, which every worker maps from the same file."""


@pytest.fixture
def listener(jail):
    with raw_worker(jail) as worker:
        yield worker


def test_no_two_workers_share_an_open_file(worker, listener):
    """Flags and position belong to what was opened, so each worker opens its own nothing for its standard streams."""
    pids = [process.lease.pid for process in (worker, listener)]
    for number in (0, 1, 2, 3):
        order = libc.syscall(KCMP[machine()], *pids, 0, number, number)
        if order == -1:
            pytest.skip("this kernel does not compare the descriptors of two processes")
        assert order != 0, f"descriptor {number} is one open file in both workers"


def test_nobody_waits_for_a_word_in_a_file_that_all_map(worker, listener):
    """To wait there and to wake needs no right to write, and the number of those woken is told."""
    worker.send(f"{WORD}\nanswer = [wait(kind, 0.5) for kind in (0, 9, 0x109)]")
    woken = listener.run(f"{WORD}\nimport time\ntime.sleep(0.2)\nanswer = call({FUTEX}, word, 1, 100)")
    assert worker.answer() == [[-1, errno.EAGAIN]] * 3
    assert woken == 0


def test_threads_of_one_worker_wait_for_each_other(worker):
    """By locks, which are private to a process, and by the end of a thread, for which libc waits on a shared word."""
    text = f"""{WORD}
import threading, time
def work(_=None):
    time.sleep(0.1)
    done.append(1)
done, number = [], ctypes.c_ulong()
thread = threading.Thread(target=work)
thread.start()
thread.join()
entry = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(work)
libc.pthread_create(ctypes.byref(number), None, entry, None)
answer = [libc.pthread_join(number, None), len(done), wait(0x80, 0.05)]
"""
    assert worker.run(text) == [0, 2, [-1, errno.ETIMEDOUT]]


@pytest.mark.parametrize("end", ["os._exit(93)", "os.kill(os.getpid(), 34)"])
def test_how_a_worker_ended_is_in_no_other_ones_memory(jail, end):
    """Workers are copies of the process that is told the exit code, which a student chooses."""
    with raw_worker(jail) as speaker:
        pid = speaker.run("import os; answer = os.getpid()")
        with pytest.raises(Ended):
            speaker.run(f"import os; {end}")
        status = wait_status_of(jail, speaker)
    assert status in (93 << 8, 34)
    text = f"""
import gc
def numbers(things):
    return [thing for thing in things if type(thing) is int]
gc.unfreeze()
answer = []
for thing in gc.get_objects():
    if issubclass(type(thing), dict) and numbers([dict.get(thing, {pid})]) == [{status}]:
        answer.append("by number")
    elif type(thing) in (list, tuple) and numbers(thing[:9]) == [{pid}, {status}]:
        answer.append("side by side")
"""
    with raw_worker(jail) as listener:
        assert listener.run(text) == []


def test_queued_signals_of_one_worker_are_not_counted_against_another(worker, listener):
    """The kernel counts them for all processes of a user, so none is queued: each is pending once."""
    text = """
import os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, {40})
for _ in range(100):
    os.kill(os.getpid(), 40)
answer = 0
while signal.sigtimedwait({40}, 0):
    answer += 1
"""
    assert [process.run(text) for process in (worker, listener)] == [1, 1]


def test_shared_memory_that_an_import_made_is_not_shared_by_workers(tier, jails):
    """Some libraries map such memory for themselves, and a fork keeps it one for both sides."""
    jails(tier)  # Skips where the tier is not proven.
    entry = RAW.replace("import json", "import json, mmap; PAGE = mmap.mmap(-1, 4096); PAGE[:4] = b'kept'", 1)
    page = "import sys; page = sys._getframe(1).f_globals['PAGE']"
    jail = open_jail(tier, limits=LIMITS, pool=0, extra_entries={"raw": entry})
    try:
        speaker, listener = RawWorker(jail.lease("raw")), RawWorker(jail.lease("raw"))
        assert speaker.run(f"{page}; page[8:12] = b'word'; answer = page[:12].hex()") == b"kept\0\0\0\0word".hex()
        assert listener.run(f"{page}; answer = page[:12].hex()") == b"kept\0\0\0\0\0\0\0\0".hex()
        speaker.close()
        listener.close()
    finally:
        jail.close()
