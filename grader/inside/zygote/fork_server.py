"""The process that has torch imported and answers requests for confined workers.

It imports and forks, and never runs an operation for anybody. Its control connections are those of the grader and of
each grading session that was forked from it; when the last of them ends, so does everything.
"""

import contextlib
import gc
import os
import select
import socket
from pathlib import Path
from typing import Any, NoReturn

from ..protocol import control
from ..sandbox import private_memory, rlimits
from ..sandbox.confine import RULESET, SOCKET, Confinement, redirect_streams_to_null
from ..sandbox.syscalls import StepRefused, die_with_parent, hide_from_tracers, libc
from . import hugepages, preload
from .worker_pool import Exhausted, WorkerPool, is_temporary

SHARED_TASK_TIERS = ("landlock", "no-open")
"""The tiers whose workers share one count of tasks, being one user in one user namespace."""
LOOK_EVERY_MS = 250


def main(fd: int, config: dict[str, Any]) -> NoReturn:
    """Import torch, then serve requests for workers until the last control connection ends.

    The garbage collector does not run before all is imported: it would look through that again and again.

    Args:
        fd: The descriptor that this program came by; closed.
        config: `control` and `process` (descriptors of the connection and of this process's folder in procfs), `tier`,
            `pool`, `many`, `limits`, `settings`, `device`, `readable`, and `parts`: the modules whose
            `serve(fd, settings)` can run in a worker, by name.
    """
    link = socket.socket(fileno=config["control"])
    try:
        config["tasks"] = rlimits.shared_tasks() if config["tier"] in SHARED_TASK_TIERS else None
        preload.run(everything=config["tier"] == "no-open", device=config["device"])
        os.close(fd)
        zygote = Zygote(link, config)
        control.send(link, zygote.status())
    except Exception as error:  # said to whoever waits for it, who would see a closed link otherwise
        sentence = str(error) if isinstance(error, StepRefused) else f"The zygote could not start: {error!r}."
        control.send(link, control.Refused(sentence))
        os._exit(1)
    zygote.run()
    os._exit(0)


class Zygote:
    """The control connections, and the children that are asked for over them.

    Raises:
        StepRefused: Something is open or running that should not be, or the tier cannot be had.
    """

    def __init__(self, link: socket.socket, config: dict[str, Any]) -> None:
        redirect_streams_to_null()
        _reserve_numbers()
        process: int = config["process"]
        status_file = os.open("status", os.O_RDONLY, dir_fd=process)
        hide_from_tracers()
        die_with_parent()
        self._watches_threads = config["tier"] in SHARED_TASK_TIERS and _procfs_is_ours()
        self.links: dict[int, socket.socket] = {}
        self.poll = select.poll()
        self._add(link)
        self.workers = WorkerPool(Confinement(config), config, status_file, self.links.keys())
        _prepare_memory(process, neutral=config["tier"] == "namespaces", many=config["many"])
        os.close(process)
        self.workers.refill()

    def status(self) -> control.Ready:
        """Return how this process is; refuse if it has a second thread or a descriptor too many."""
        self.workers.reap()
        self.workers.require_safe_fork()
        return control.Ready(
            descriptors=len(self.workers.open_descriptors()),
            pooled=len(self.workers.pool),
            alive=len(self.workers.alive),
            landlock=self.workers.confinement.abi,
        )

    def run(self) -> None:
        """Answer requests until no control connection is left."""
        while self.links:
            leased = self._watches_threads and any(self.workers.alive.values())
            for number, _ in self.poll.poll(LOOK_EVERY_MS if leased else None):
                self._answer(self.links[number])
            if leased:
                self.workers.kill_greedy_workers()
            self.workers.reap()
            with contextlib.suppress(StepRefused, OSError):  # The next request meets the same and is told it.
                self.workers.refill()

    def _answer(self, link: socket.socket) -> None:
        try:
            request, received = control.receive_request(link)
        except ConnectionError:
            request, received = None, []
        if request is None:
            self._forget(link)
            return
        handed: list[int] = []
        try:
            reply: control.Reply
            if isinstance(request, control.LeaseRequest):
                reply, handed = self._lease(link, request)
            elif isinstance(request, control.Adopt):
                reply, received = self._adopt(received), []
            elif isinstance(request, control.ExitStatusRequest):
                reply = control.ExitStatus(self.workers.exit_status(request.pid))
            else:
                reply = self.status()
        except (StepRefused, OSError) as error:
            reply = control.Refused(str(error), again=isinstance(error, Exhausted) or is_temporary(error))
        try:
            self._reply(link, reply, handed)
        except OSError:
            self._forget(link)
        for number in [*received, *handed]:
            os.close(number)

    def _reply(self, link: socket.socket, reply: control.Reply, handed: list[int]) -> None:
        try:
            control.send(link, reply, handed)
        except OSError as error:  # The kernel also bounds how many descriptors of one user are on their way.
            if not is_temporary(error):
                raise
            control.send(link, control.Refused(f"A worker could not be handed out ({error.strerror}).", again=True))

    def _add(self, link: socket.socket) -> None:
        self.links[link.fileno()] = link
        self.poll.register(link, select.POLLIN)

    def _forget(self, link: socket.socket) -> None:
        """Close a connection whose other end is gone, with the workers that were handed out over it."""
        self.poll.unregister(link)
        del self.links[link.fileno()]
        link.close()
        self.workers.kill_workers_of(link)

    def _adopt(self, received: list[int]) -> control.Reply:
        if len(received) != 1:
            raise StepRefused(f"A further control connection is one descriptor, and {len(received)} came.")
        self._add(socket.socket(fileno=received[0]))
        return control.Adopted()

    def _lease(self, link: socket.socket, request: control.LeaseRequest) -> tuple[control.Reply, list[int]]:
        if request.entry not in self.workers.parts:
            known = ", ".join(sorted(self.workers.parts))
            raise StepRefused(f"A worker runs one of {known}, not {request.entry!r}.")
        pid, handed = self.workers.hand_out(request.entry, link)
        return control.Leased(pid), handed


def _procfs_is_ours() -> bool:
    """Tell whether `/proc` counts processes as this process does; it may be that of another pid namespace."""
    try:
        return Path("/proc/self").readlink() == Path(str(os.getpid()))
    except OSError:
        return False


def _reserve_numbers() -> None:
    """Occupy the numbers that a worker moves its socket to, so that no descriptor of the zygote ever has them."""
    for number in (SOCKET, RULESET):
        os.dup2(0, number)


def _prepare_memory(process: int, *, neutral: bool, many: bool) -> None:
    """Leave little for a fork to copy or a collection to touch, and nothing that workers would share.

    Args:
        process: This process's folder in procfs.
        neutral: Whether no path that was seen so far says where anything lies outside of the jail.
        many: Whether so many forks are to come that gathering is worth its time.
    """
    if not neutral:
        gc.collect()  # what the imports left behind names the folders that they found things in
    trim = getattr(libc, "malloc_trim", None)
    if trim is not None:
        trim(0)
    private_memory.make_private(_maps(process))
    if many:
        hugepages.gather(_maps(process))
    gc.freeze()
    gc.enable()


def _maps(process: int) -> str:
    with os.fdopen(os.open("maps", os.O_RDONLY, dir_fd=process), encoding="utf-8", errors="replace") as maps:
        return maps.read()
