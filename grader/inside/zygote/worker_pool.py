"""Forks workers, keeps a few of them ready, and remembers how those that ended did.

Forking is safe while there is one thread, and nothing must be open that a worker could inherit; so both are read from
the kernel before each fork. A worker that is handed out has said that every step of its confinement was taken.
"""

import contextlib
import errno
import json
import os
import resource
import select
import signal
import socket
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from ..protocol.control import WORKER
from ..sandbox.confine import RULESET, SOCKET, Confinement
from ..sandbox.rlimits import GREEDY_THREADS
from ..sandbox.syscalls import StepRefused
from .exit_log import ExitLog

READY = b"\x00"
START_SECONDS = 20.0
MOST_DESCRIPTORS = 512
SENTENCE_BYTES = 65536
PROCESS_BYTES = 4096
SCARCE = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.ETOOMANYREFS)
"""What the kernel answers while processes, memory, descriptors or user namespaces are used up."""

Serve = Callable[[int, dict[str, Any]], NoReturn]


class Exhausted(StepRefused):
    """A worker can't be had for now, because something is used up or an earlier step took too long."""


def is_temporary(error: Exception) -> bool:
    """Tell whether an error comes from something that is used up for the moment."""
    return isinstance(error, OSError) and error.errno in SCARCE


@dataclass
class PooledWorker:
    """A worker that is confined, or nearly so, and has nobody yet."""

    pid: int
    link: socket.socket


class WorkerPool:
    """The children of the zygote.

    Args:
        config: `parts`, `settings` and `pool`.
        status_file: This process's `status` in procfs, open.
        connections: The descriptors of the control connections, as they are at any time.
    """

    def __init__(
        self, confinement: Confinement, config: dict[str, Any], status_file: int, connections: Collection[int]
    ) -> None:
        self.confinement = confinement
        self.parts: dict[str, Any] = config["parts"]
        self.pool: deque[PooledWorker] = deque()
        self.alive: dict[int, object] = {}
        """Whom each child was handed to; None while it waits."""
        self._settings: dict[str, Any] = config["settings"]
        self._pool_size: int = config["pool"]
        self._status_file = status_file
        self._connections = connections
        self._exit_log = ExitLog()
        self._numbers = frozenset(range(_limit_descriptors()))
        self._poll = select.poll()
        for number in self._numbers:
            self._poll.register(number, 0)

    def open_descriptors(self) -> frozenset[int]:
        """Return the open descriptors by one system call: poll marks the closed ones."""
        return self._numbers - {number for number, event in self._poll.poll(0) if event & select.POLLNVAL}

    def require_safe_fork(self) -> int:
        """Return the address space mapped here; refuse to fork with a second thread or an unaccounted descriptor."""
        text = os.pread(self._status_file, PROCESS_BYTES, 0)
        threads = _field(text, b"\nThreads:")
        if threads != 1:
            raise StepRefused(f"The zygote has {threads} threads; forking is safe with one, so it refuses to go on.")
        fixed_descriptors = {0, 1, 2, SOCKET, RULESET, self._status_file, self.confinement.ruleset}
        waiting = (worker.link.fileno() for worker in self.pool)
        strange = self.open_descriptors() - fixed_descriptors - set(self._connections) - set(waiting)
        if strange:
            raise StepRefused(f"The zygote holds descriptors that nobody gave it: {sorted(strange)}.")
        return 1024 * _field(text, b"\nVmSize:")

    def hand_out(self, entry: str, holder: object) -> tuple[int, list[int]]:
        """Return a worker for a holder: the number of the child, its socket and its pidfd.

        Raises:
            Exhausted: A worker could not be had for now.
            StepRefused: A worker could not be had.
        """
        worker = self._take(entry)
        try:
            pidfd = os.pidfd_open(worker.pid)
        except BaseException:  # nobody else knows of its socket yet
            worker.link.close()
            raise
        self.alive[worker.pid] = holder
        return worker.pid, [worker.link.detach(), pidfd]

    def refill(self) -> None:
        """Fork until the pool is full again, replacing what died in it."""
        for worker in [worker for worker in self.pool if worker.pid not in self.alive]:
            self.pool.remove(worker)
            worker.link.close()
        while len(self.pool) < self._pool_size:
            self.pool.append(self._fork(WORKER))

    def kill_workers_of(self, holder: object) -> None:
        """End the workers that nobody watches any more."""
        for pid, owner in self.alive.items():
            if owner is holder:
                os.kill(pid, signal.SIGKILL)

    def kill_greedy_workers(self) -> None:
        """End the workers that took most of the threads that all of them share."""
        for pid, owner in self.alive.items():
            if owner is not None and _threads_of(pid) > GREEDY_THREADS:
                os.kill(pid, signal.SIGKILL)

    def exit_status(self, pid: int) -> memoryview | None:
        """Return the wait status of a child that has ended, where it lies."""
        self.reap()
        return self._exit_log.of(pid)

    def reap(self) -> None:
        """Take the wait status of every child that ended; in a pid namespace also of children's children."""
        for pid in self._exit_log.reap():
            self.alive.pop(pid, None)

    def _take(self, entry: str) -> PooledWorker:
        """Return a worker that has said it is confined; one of the pool that died meanwhile is passed over."""
        self.reap()
        while entry == WORKER and self.pool:
            worker = self.pool.popleft()
            with contextlib.suppress(StepRefused):
                self._await_ready(worker)
                return worker
        worker = self._fork(entry)
        self._await_ready(worker)
        return worker

    def _await_ready(self, worker: PooledWorker) -> None:
        sentence = "A worker ended before it was shut in."
        worker.link.settimeout(START_SECONDS)
        try:
            word = worker.link.recv(1)
            if word not in (READY, b""):
                sentence = str(json.loads(worker.link.recv(SENTENCE_BYTES)))
        except TimeoutError:
            word, sentence = b"", f"A worker was not shut in within {START_SECONDS:.0f} seconds."
        except (OSError, ValueError):
            word = b""
        if word != READY or worker.pid not in self.alive:
            worker.link.close()
            if worker.pid in self.alive:  # The number of a child that was reaped may be another process's by now.
                os.kill(worker.pid, signal.SIGKILL)
            raise Exhausted(sentence)
        worker.link.settimeout(None)

    def _fork(self, entry: str) -> PooledWorker:
        mapped = self.require_safe_fork()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            pid = os.fork()
        except OSError as error:
            ours.close()
            theirs.close()
            raise Exhausted(f"A worker could not be forked ({error.strerror}).") from error
        if pid == 0:
            self._be_worker(theirs.detach(), mapped, self.parts[entry].serve)
        theirs.close()
        self.alive[pid] = None
        self._exit_log.forget(pid)
        return PooledWorker(pid, ours)

    def _be_worker(self, link: int, mapped: int, serve: Serve) -> NoReturn:
        try:
            self.confinement.enter(link, mapped)
            os.write(SOCKET, READY)
        except BaseException as error:  # a process that is confined in part must end, whatever stopped it
            sentence = str(error) if isinstance(error, StepRefused) else f"A worker failed with {error!r}."
            for number in (link, SOCKET):  # Which of them is open depends on how far it came.
                with contextlib.suppress(OSError):
                    os.write(number, b"\x01" + json.dumps(sentence).encode())
                    break
            os._exit(1)
        try:
            serve(SOCKET, self._settings)
        finally:
            os._exit(1)


def _limit_descriptors() -> int:
    """Bound the numbers of descriptors, so that one look covers them all; return the bound."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    bound = min(number for number in (soft, hard, MOST_DESCRIPTORS) if number != resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_NOFILE, (bound, bound))
    return bound


def _threads_of(pid: int) -> int:
    """Return how many threads a child has; 0 when it has ended or procfs does not tell.

    Counted by the links of its folder of threads. Any text about it would hold the name that it gave itself, and stay
    in memory that every later worker inherits.
    """
    try:
        return Path(f"/proc/{pid}/task").stat().st_nlink - 2
    except OSError:
        return 0


def _field(text: bytes, name: bytes) -> int:
    """Return the number that stands behind a name in the text of a process's status."""
    return int(text.split(name, 1)[1].split(None, 1)[0])
