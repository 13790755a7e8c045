"""Workers that are threads of the tests' own process, so that a test of the unit ring can ask a student's code.

`ThreadWorkers` is a WorkerSource. Its worker runs the loop of a real one and speaks its frames over a socket; all that
is missing is the process. What a worker changes in its process (streams, modules, names in torch, switches) is in place
only between a request and its answer, while the trusted side waits (`World`). Code that ends its process ends the
thread, with the wait status that the process would have had. A limit, a hang and a kill need a process.
"""

import builtins
import contextlib
import logging
import os
import random
import signal
import socket
import sys
import threading
import warnings
from dataclasses import dataclass
from itertools import compress, repeat
from operator import is_not
from pathlib import Path
from types import ModuleType

import numpy
import pytest
import torch
from torch import nn

from grader.inside.forbidden import blocking
from grader.inside.pretended.device import set_up
from grader.inside.protocol.answers import StatementReached
from grader.inside.source.stand_ins import StandIn
from grader.inside.worker.request_loop import Channel, Closed, Worker
from grader.jail import Lease

from .open_workers import ROOT, choose, honest_load, open_student

HOLDERS = (sys.modules, os.environ._data, sys, builtins, os, random, warnings, torch, torch._C, torch.Tensor,
           torch.autograd, torch.linalg, nn, nn.init, nn.functional, nn.Module, nn.Parameter,
           numpy, numpy.random)  # fmt: skip
INSTALLED = (sys.prefix, sys.base_prefix, f"{ROOT}/grader", "built-in", "frozen", torch.__path__[0].rpartition("/")[0])
FRESH_FILTERS = [
    ("default", None, DeprecationWarning, "__main__", 0),
    *(("ignore", None, kind, None, 0) for kind in (DeprecationWarning, PendingDeprecationWarning)),
    *(("ignore", None, kind, None, 0) for kind in (ImportWarning, ResourceWarning)),
]
"""The filters of an interpreter that just started; pytest's would turn a student's warnings into errors."""
GONE = object()
JOIN_S = 1.0
torch.set_num_threads(1)  # as in a worker
set_up()  # once in a process, and before its first gradient


class World:
    """What one worker sees of the process's global state, put in place and taken away with its requests.

    Args:
        stand_ins: What stands in for functions of `os` that would end the process.
    """

    def __init__(self, stand_ins):
        self._changes = [{} for _ in HOLDERS]
        self._changes[HOLDERS.index(os)] = stand_ins
        self._changes[HOLDERS.index(sys)] = {"unraisablehook": sys.__unraisablehook__}
        self._changes[HOLDERS.index(warnings)] = {
            "_showwarnmsg_impl": lambda warning: sys.stderr.write(warnings._formatwarnmsg(warning)),
            "showwarning": warnings._showwarning_orig,
        }
        self._lists = [[*sys.meta_path], [*sys.path], FRESH_FILTERS, []]
        self._is_in = False

    def enter(self):
        """Put the worker's state in place."""
        if self._is_in:
            return
        self._is_in = True
        self._before = [dict(names_of(holder)) for holder in HOLDERS]
        self._lists_before = set_lists(self._lists)
        self._switches = (
            (torch.set_default_dtype, torch.get_default_dtype()),
            (torch.use_deterministic_algorithms, torch.are_deterministic_algorithms_enabled()),
            (torch.autograd.set_detect_anomaly, torch.is_anomaly_enabled()),
            (torch.set_float32_matmul_precision, torch.get_float32_matmul_precision()),
            (torch.set_rng_state, torch.get_rng_state()),
            (random.setstate, random.getstate()),
            (numpy.random.set_state, numpy.random.get_state()),
            (sys.setrecursionlimit, sys.getrecursionlimit()),
            (os.chdir, Path.cwd()),
        )
        for holder, changes in zip(HOLDERS, self._changes, strict=True):
            put(holder, changes)

    def leave(self):
        """Take it away; what was imported from installed packages stays."""
        if not self._is_in:
            return
        self._is_in = False
        self._lists = set_lists(self._lists_before)
        for number, (holder, before) in enumerate(zip(HOLDERS, self._before, strict=True)):
            now = dict(names_of(holder))
            other = compress(now, map(is_not, now.values(), map(before.get, now, repeat(GONE))))
            self._changes[number] = dict.fromkeys(before.keys() - now.keys(), GONE) | {
                name: now[name] for name in other if name in before or not is_installed(now[name])
            }
            put(holder, {name: before.get(name, GONE) for name in self._changes[number]})
        for switch, value in self._switches:
            switch(value)


def names_of(holder):
    return vars(holder) if isinstance(holder, ModuleType | type) else holder


def put(holder, values):
    """Give names their values; GONE takes one away."""
    for name, value in values.items():
        if isinstance(holder, type):
            delattr(holder, name) if value is GONE else setattr(holder, name, value)
        elif value is GONE:
            names_of(holder).pop(name, None)
        else:
            names_of(holder)[name] = value


def set_lists(contents):
    """Give the lists of the process that workers change other contents; returns what they had."""
    lists = sys.meta_path, sys.path, warnings.filters, logging.root.handlers
    before = [[*target] for target in lists]
    for target, content in zip(lists, contents, strict=True):
        target[:] = content
    warnings._filters_mutated()
    return before


def is_installed(value):
    """Tell whether a value is a module of an installed package, which any code may import for the first time."""
    spec = vars(value).get("__spec__") if type(value) is ModuleType else None
    return spec is not None and str(spec.origin).startswith(INSTALLED) and not isinstance(value, StandIn)


class ThreadChannel(Channel):
    """The frames of a worker that takes its world away before anybody reads its answer."""

    def __init__(self, worker):
        super().__init__(worker.theirs.fileno())
        self._worker = worker

    def receive(self):
        asked = super().receive()
        self._worker.world.enter()
        return asked

    def send(self, message, pieces=None):
        if self._worker.status is not None:
            raise Closed
        if not isinstance(message, StatementReached) and not self._buffer:
            self._worker.world.leave()
        super().send(message, pieces)


class WorkerThread(threading.Thread):
    """One worker.

    Attributes:
        status: The wait status that its process would have; None while it lives.
        alive: A descriptor that is closed at its end, which the other end of the pipe tells.
    """

    def __init__(self, theirs, alive):
        super().__init__(name="worker", daemon=True)
        self.theirs, self.status = theirs, None
        self._alive = alive
        self.world = World({"_exit": lambda status: self.end(status << 8), "kill": self._kill,
                            "abort": lambda: self.end(signal.SIGABRT)})  # fmt: skip

    def run(self):
        try:
            self.world.enter()
            try:
                blocking.install()
                channel = ThreadChannel(self)
                worker = Worker(channel, {})
            finally:
                self.world.leave()
            while True:
                worker.answer(*channel.receive())
        except (Closed, OSError, SystemExit):
            pass
        finally:
            with contextlib.suppress(SystemExit):
                self.end(0)

    def end(self, status):
        """Be dead for the trusted side; raises SystemExit where code has just asked for that."""
        if self.status is None:
            self.world.leave()
            self.status = status
            self.theirs.close()
            os.close(self._alive)
        raise SystemExit

    def _kill(self, pid, number):
        if pid != os.getpid():
            raise PermissionError("a worker may send no signals")
        self.end(number)


class ScriptThread(threading.Thread):
    """What speaks for a worker, as the test has written it: `script(sock)`."""

    def __init__(self, script, theirs, alive):
        super().__init__(name="script", daemon=True)
        self.status = 0
        self._script, self._theirs, self._alive = script, theirs, alive

    def run(self):
        with contextlib.suppress(OSError, EOFError), self._theirs:
            self._script(self._theirs)
        os.close(self._alive)


@dataclass(frozen=True)
class ThreadLease(Lease):
    """A worker that is a thread; it ends when its socket is closed."""

    thread: threading.Thread

    def kill(self):
        self.close()
        self.thread.join(JOIN_S)
        if self.thread.is_alive() and isinstance(self.thread, WorkerThread):
            self.thread.world.leave()  # so that no other test has to suffer
        assert not self.thread.is_alive(), "A test's code does not end: it needs a process, so move it to integration."


class ThreadWorkers:
    """Starts workers on demand.

    Attributes:
        pids: The numbers of those that were leased, in order.
    """

    def __init__(self):
        self.pids = []
        self._threads = {}

    def _thread(self, theirs, alive):
        return WorkerThread(theirs, alive)

    def lease(self):
        ours, theirs = socket.socketpair()
        handle, alive = os.pipe()
        thread = self._thread(theirs, alive)
        thread.start()
        self.pids.append(thread.native_id)
        self._threads[thread.native_id] = thread
        return ThreadLease(ours, handle, thread.native_id, thread)

    def exit_status(self, pid):
        return self._threads[pid].status


class ScriptedWorkers(ThreadWorkers):
    """Workers whose every byte the test writes: `script(sock)` speaks for the worker, and ends with the socket."""

    def __init__(self, script):
        super().__init__()
        self._script = script

    def _thread(self, theirs, alive):
        return ScriptThread(self._script, theirs, alive)


@pytest.fixture(autouse=True, scope="module")
def in_threads():
    """Let the tests of a folder ask workers that are threads."""
    with choose(ThreadWorkers()):
        yield


def scripted_student(script, **limits):
    """Return a student whose worker loads honestly; then `script(sock, call)` answers its first call."""
    workers = ScriptedWorkers(lambda sock: script(sock, next(honest_load(sock))))
    return open_student("", workers=workers, **limits), workers
