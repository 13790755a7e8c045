"""Starts the zygote of one tier, or says in a sentence why it did not start.

The process starts in two steps with the same start-up text: a plain Python that enters the isolation, and by exec the
interpreter that imports torch. Both read everything that they need from one socket; no file of the kit is visible to
them.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from grader.inside.protocol import control
from grader.inside.sandbox import landlock
from grader.inside.sandbox.syscalls import StepRefused

from . import bootstrap, leftovers, rootfs

START_SECONDS = 180.0
STOP_SECONDS = 10.0
FIRST_NUMBER = 64
"""The first number of inherited descriptors, above those that a worker uses."""
NOBODY = 65534
PARTS = ("worker.request_loop", "sandbox.probe_attempts")
ENVIRONMENT = {
    "HOME": "/",
    "USER": "student",
    "LOGNAME": "student",
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "OMP_THREAD_LIMIT": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "TORCHINDUCTOR_CACHE_DIR": "/tmp",
    "TORCHDYNAMO_DISABLE": "1",
    "KINETO_LOG_LEVEL": "99",  # a profiler that student code starts would write about itself
}


@dataclass(frozen=True)
class JailOptions:
    """The options of a zygote.

    Attributes:
        tier: `namespaces`, `landlock`, `no-open` or `none`.
        pool: Number of workers kept ready.
        many: Whether so many workers are expected that making each fork cheaper saves time.
        limits: `memory_bytes`, `open_files`, `cpu_s`.
        settings: The argument of `worker.serve`.
        extra: Sources of further modules, with `serve`, by name.
    """

    tier: str
    view: rootfs.View
    pool: int
    many: bool
    limits: Mapping[str, int]
    settings: Mapping[str, Any]
    device: str
    extra: Mapping[str, str]


class Zygote:
    """A started zygote: its process, its first control connection, and the folder to remove after it."""

    def __init__(self, process: subprocess.Popen[bytes], link: socket.socket, folder: Path, lock: int) -> None:
        self.process = process
        self.link = link
        self.folder = folder
        self._lock = lock
        self.owner = os.getpid()

    def close(self) -> None:
        """End the process with all its workers; in a process forked later, only close the connection."""
        if os.getpid() == self.owner and self.process.returncode is None:
            self.process.kill()
            self.process.wait()
            self.link.settimeout(STOP_SECONDS)
            with contextlib.suppress(OSError):
                while self.link.recv(1):
                    continue
            shutil.rmtree(self.folder, ignore_errors=True)
        self.link.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


class JailEnded(StepRefused):
    """The processes of a jail ended without a message; they may have been killed, so the tier may still work."""


def start(order: JailOptions, meanwhile: Callable[[], None] | None = None) -> tuple[Zygote, control.Ready]:
    """Start a zygote and wait until it has imported torch and forked its first workers.

    Args:
        meanwhile: Called while the zygote imports torch, which takes a second or two of another processor.

    Raises:
        StepRefused: It could not be started; the sentence says which step failed.
        JailEnded: It ended before it was ready.
    """
    with contextlib.ExitStack() as always, contextlib.ExitStack() as failure:
        folder, lock = leftovers.make_folder()
        failure.callback(os.close, lock)
        failure.callback(shutil.rmtree, folder, ignore_errors=True)
        link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        failure.callback(link.close)
        setup, setup_theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        always.callback(setup.close)
        errors = always.enter_context(tempfile.TemporaryFile())
        with _handed_down(theirs.detach(), setup_theirs.detach(), os.open(os.devnull, os.O_RDWR)) as numbers:
            launcher, zygote = _bundles(order, folder, *numbers)
            process = subprocess.Popen(
                bootstrap.start_command(order.view.python, numbers[1]),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                pass_fds=numbers,
                env=ENVIRONMENT,
                cwd="/",
                start_new_session=True,
            )
        failure.callback(process.wait)
        failure.callback(process.kill)
        with contextlib.suppress(OSError):  # if memory runs out, what runs in the jail should end, not the grader
            Path(f"/proc/{process.pid}/oom_score_adj").write_text("500", encoding="ascii")
        try:
            _send_bundles(order.tier, order.view, process.pid, setup, launcher, zygote)
            if meanwhile is not None:
                meanwhile()
            ready = _await_ready(link)
        except (StepRefused, OSError) as error:
            kind = JailEnded if isinstance(error, JailEnded | ConnectionError) else StepRefused
            raise kind(_explain(error, setup, errors)) from None
        failure.pop_all()
    if order.tier in ("namespaces", "no-open"):
        shutil.rmtree(folder)  # Its content is mounted or imported by now and is not needed while workers run.
    return Zygote(process, link, folder, lock), ready


@contextlib.contextmanager
def _handed_down(*numbers: int) -> Iterator[tuple[int, ...]]:
    """Give descriptors high numbers while a child is started."""
    import fcntl  # Not there on Windows, where this module is imported but starts nothing.

    high = tuple(fcntl.fcntl(number, fcntl.F_DUPFD, FIRST_NUMBER) for number in numbers)
    for number in numbers:
        os.close(number)
    try:
        yield high
    finally:
        for number in high:
            os.close(number)


def _bundles(order: JailOptions, folder: Path, control_fd: int, setup_fd: int, process_fd: int) -> tuple[bytes, bytes]:
    """Return the start-up texts of the launcher and of the zygote."""
    isolated = order.tier == "namespaces"
    if not isolated:
        for name, path in order.view.packages.items():
            (folder / name).symlink_to(path)
    site = rootfs.SITE if isolated else str(folder)
    environment = dict(ENVIRONMENT)
    if order.view.driver:
        environment["LD_LIBRARY_PATH"] = ":".join(order.view.driver)
    environment["CUDA_VISIBLE_DEVICES"] = os.environ.get("CUDA_VISIBLE_DEVICES", "0") if order.device == "cuda" else ""
    rights = [("/", landlock.READ | landlock.FOLDER)]
    if isolated and order.device == "cuda":
        driver = landlock.READ | landlock.WRITE | landlock.DEVICE
        rights += [(device, driver) for device in order.view.devices if "nvidia" in device]
    root = os.geteuid() == 0
    launcher = {
        "tier": order.tier,
        "control": control_fd,
        "process": process_fd,
        "parent": os.getpid(),
        "command": bootstrap.start_command(order.view.python, setup_fd, fixed_hashes=True),
        "environment": environment,
        "plan": order.view.mounts() if isolated else None,
        "base": str(folder),
        "become": NOBODY if root and not isolated and order.tier != "none" else None,
        "reads_all": not order.view.open_to_all(),
    }
    zygote = {
        "tier": order.tier,
        "control": control_fd,
        "process": process_fd,
        "pool": order.pool,
        "many": order.many,
        "limits": dict(order.limits),
        "settings": dict(order.settings),
        "device": order.device,
        "readable": rights if isolated else order.view.readable(site) if order.tier == "landlock" else None,
    }
    parts = [*PARTS, *order.extra]
    return (
        bootstrap.bundle("sandbox.launcher", launcher, []),
        bootstrap.bundle("zygote.fork_server", zygote, [site], parts=parts, extra=order.extra),
    )


def _send_bundles(tier: str, view: rootfs.View, pid: int, setup: socket.socket, launcher: bytes, zygote: bytes) -> None:
    """Send a started process its bundles, and set its user ids in between."""
    setup.settimeout(START_SECONDS)
    setup.sendall(launcher)
    if tier == "namespaces":
        if setup.recv(1, socket.MSG_PEEK) != b"\n":
            raise JailEnded("The process that builds the jail ended before it had namespaces of its own.")
        setup.recv(1)
        _write_maps(pid, view.open_inside())
        setup.sendall(b"m")
    setup.sendall(zygote)


def _await_ready(link: socket.socket) -> control.Ready:
    link.settimeout(START_SECONDS)
    try:
        reply, _ = control.receive_reply(link)
    except TimeoutError:
        raise StepRefused(f"Torch was not imported within {START_SECONDS:.0f} seconds.") from None
    if isinstance(reply, control.Refused):
        raise StepRefused(reply.sentence)
    if not isinstance(reply, control.Ready):
        raise JailEnded("The process that imports torch ended before it was ready.")
    link.settimeout(None)
    return reply


def _write_maps(pid: int, others_can_read: bool) -> None:
    """Map the users of a process's new user namespace to users outside.

    Root maps them to a user that owns nothing; an ordinary user, or root in a container without such a user, can only
    map them to itself.
    """
    folder = Path(f"/proc/{pid}")
    if os.geteuid() == 0 and others_can_read:
        with contextlib.suppress(OSError):
            for name in ("uid_map", "gid_map"):
                (folder / name).write_text(f"0 0 1\n1000 {NOBODY} 1\n", encoding="ascii")
            return
    try:
        (folder / "setgroups").write_text("deny", encoding="ascii")
        (folder / "uid_map").write_text(f"1000 {os.geteuid()} 1\n", encoding="ascii")
        (folder / "gid_map").write_text(f"1000 {os.getegid()} 1\n", encoding="ascii")
    except OSError as error:
        raise StepRefused(f"The users of a new user namespace could not be set ({error.strerror}).") from None


def _explain(error: Exception, setup: socket.socket, errors: IO[bytes]) -> str:
    """Return the failed process's own sentence, else the last line that it printed, else the error's text."""
    setup.settimeout(2.0)
    message = bytearray()
    with contextlib.suppress(OSError):
        while part := setup.recv(65536):
            message += part
    for line in message.splitlines():
        if line.startswith(b'"'):
            return str(json.loads(line))
    errors.seek(0)
    printed = errors.read().decode("utf-8", "replace").strip().splitlines()
    return f"{error} Its last words: {printed[-1]}" if printed else str(error)
