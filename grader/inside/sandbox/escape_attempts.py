"""The escapes that are tried before a jail is used: one function for each, all of which the kernel should refuse.

Each acts on a real target, and undoes its effect if it succeeds.
"""

import ctypes
import errno
import fcntl
import mmap
import os
import resource
import signal
import stat
import struct
import termios
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from .syscalls import NUMBERS, machine, syscall

LAST_DESCRIPTOR = 1024
PTRACE_SEIZE = 0x4206
CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
SIGNAL_NOTHING = 0
BPF_PROG_LOAD, KEYCTL_GET_KEYRING_ID, KEYCTL_SESSION = 5, 0, -3

Act = Callable[[], object]
EscapeAttempt = tuple[str, str, Act]


def _call(name: str, *arguments: object) -> int:
    """Make a system call and raise its errno as an OSError."""
    result = syscall(name, *arguments)
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def all_attempts(targets: dict[str, Any]) -> Iterator[EscapeAttempt]:
    """Yield every attempt as its kind, what it tries, and the function; `jail/probe.py` names the targets."""
    yield from _reading(targets)
    yield from _writing(targets)
    yield from _network(targets)
    for whom, pid in (("the trusted process", targets["trusted"]), ("the zygote", os.getppid())):
        yield from _touching(whom, pid)
    yield from _starting()
    yield from _kernel()
    yield from _limits(targets)


def _open_and_read(path: str) -> str:
    number = os.open(path, os.O_RDONLY)
    try:
        if stat.S_ISDIR(os.fstat(number).st_mode):
            return repr(next(os.scandir(number), None))
        return repr(os.read(number, 64))
    finally:
        os.close(number)


def _reading(targets: dict[str, Any]) -> Iterator[EscapeAttempt]:
    trusted = targets["trusted"]
    for path in [targets["canary"], *targets["secrets"]]:
        yield "read", f"open {path}", partial(_open_and_read, path)
    if targets["hidden"]:
        yield "look", f"stat {targets['canary']}", lambda: Path(targets["canary"]).stat().st_size
    for path in ("environ", "mem", "maps", "fd", "cwd", "root"):
        yield "read", f"open /proc/{trusted}/{path}", partial(_open_and_read, f"/proc/{trusted}/{path}")
    for path in ("environ", "mem", "fd", "cwd", "root"):  # for a GPU's driver a jail shows maps that tell nothing
        yield "read", f"open /proc/self/{path}", partial(_open_and_read, f"/proc/self/{path}")
    for path in ("/etc/passwd", "/proc/net/tcp", "/proc/version"):
        yield "read", f"open {path}", partial(_open_and_read, path)
    yield "read", "open_by_handle_at", lambda: _call("open_by_handle_at", -100, 0, 0)
    yield "import", "import grader.jail", lambda: __import__("grader.jail")
    yield "import", "import _pytest", lambda: __import__("_pytest")


def _create(path: str) -> str:
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    Path(path).unlink()
    return path


def _writing(targets: dict[str, Any]) -> Iterator[EscapeAttempt]:
    canary, name = Path(targets["canary"]), f"jail-probe-{os.getpid()}"
    mine = Path("/tmp", name)
    for folder in ("/", "/tmp", "/dev/shm", "/var/tmp", str(canary.parent)):
        path = str(Path(folder, name))
        yield "write", f"create {path}", partial(_create, path)
    yield "write", "append to the canary", lambda: os.close(os.open(canary, os.O_WRONLY | os.O_APPEND))
    yield "write", "truncate the canary", lambda: os.truncate(canary, 0)
    yield "write", "remove the canary", canary.unlink
    yield "write", "rename the canary", lambda: canary.rename(f"{canary}.moved")
    yield "write", "chmod the canary", lambda: canary.chmod(0o777)
    yield "write", f"mkdir {mine}", mine.mkdir
    yield "write", f"symlink {mine}", lambda: mine.symlink_to("/")
    yield "write", "make a FIFO", lambda: os.mkfifo(mine)


def _address(port: int) -> bytes:
    return struct.pack("<H", 2) + struct.pack(">H", port) + bytes([127, 0, 0, 1]) + bytes(8)


def _connect(family: int, kind: int, address: bytes) -> int:
    number = _call("socket", family, kind, 0)
    try:
        return _call("connect", number, ctypes.c_char_p(address), len(address))
    finally:
        os.close(number)


def _network(targets: dict[str, Any]) -> Iterator[EscapeAttempt]:
    tcp, udp = _address(targets["tcp"]), _address(targets["udp"])
    abstract = struct.pack("<H", 1) + b"\0" + targets["abstract"].encode()
    yield "network", "connect to a TCP port of this machine", lambda: _connect(2, 1, tcp)
    yield "network", "send to a UDP port of this machine", lambda: _connect(2, 2, udp)
    yield "network", "connect to an abstract Unix socket", lambda: _connect(1, 1, abstract)
    yield "network", "make a pair of Unix sockets", lambda: _call("socketpair", 1, 1, 0, (ctypes.c_int * 2)())
    yield "network", "make a netlink socket", lambda: _call("socket", 16, 3, 0)
    yield "network", "make a packet socket", lambda: _call("socket", 17, 3, 0)


def _touching(whom: str, pid: int) -> Iterator[EscapeAttempt]:
    page = ctypes.create_string_buffer(64)
    piece = struct.pack("<QQ", ctypes.addressof(page), 16)
    both = (ctypes.c_char_p(piece), 1, ctypes.c_char_p(piece), 1, 0)
    yield "signal", f"kill {whom} with signal 0", lambda: _call("kill", pid, SIGNAL_NOTHING)
    yield "signal", f"tgkill {whom} with signal 0", lambda: _call("tgkill", pid, pid, SIGNAL_NOTHING)
    yield "signal", f"tkill {whom} with signal 0", lambda: _call("tkill", pid, SIGNAL_NOTHING)
    yield "signal", f"queue a signal to {whom}", lambda: _call("rt_sigqueueinfo", pid, 0, 0)
    yield "signal", f"open a pidfd of {whom}", lambda: _call("pidfd_open", pid, 0)
    yield "trace", f"ptrace {whom}", lambda: _call("ptrace", PTRACE_SEIZE, pid, 0, 0)
    yield "trace", f"read the memory of {whom}", lambda: _call("process_vm_readv", pid, *both)
    yield "trace", f"write the memory of {whom}", lambda: _call("process_vm_writev", pid, *both)
    yield "trace", f"raise the limits of {whom}", lambda: _call("prlimit64", pid, resource.RLIMIT_CPU, 0, 0)
    yield "trace", f"move {whom} to another processor", lambda: _call("sched_setaffinity", pid, 8, page)


def _fork(name: str, *arguments: int) -> int:
    child = _call(name, *arguments)
    if child == 0:
        os._exit(0)
    return child


def _starting() -> Iterator[EscapeAttempt]:
    program = ctypes.c_char_p(b"/bin/true")
    arguments = (ctypes.c_char_p * 2)(b"/bin/true", None)
    yield "fork", "clone a process", lambda: _fork("clone", int(signal.SIGCHLD), 0, 0, 0, 0)
    yield "fork", "clone3 a process", lambda: _call("clone3", 0, 0)
    yield "fork", "os.fork", lambda: os.fork() or os._exit(0)
    if "fork" in NUMBERS[machine()]:
        yield "fork", "fork", lambda: _fork("fork")
    yield "execute", "execve /bin/true", lambda: _call("execve", program, arguments, arguments)
    yield "execute", "posix_spawn /bin/true", lambda: os.posix_spawn("/bin/true", ["true"], {})
    yield "signal", "kill every process with signal 0", lambda: _call("kill", -1, SIGNAL_NOTHING)


def _kernel() -> Iterator[EscapeAttempt]:
    text = ctypes.create_string_buffer(256)
    order, root, kind = (ctypes.c_char_p(word) for word in (b"probe", b"/", b"tmpfs"))
    yield "kernel", "unshare a user namespace", lambda: _call("unshare", CLONE_NEWUSER)
    yield "kernel", "unshare a mount namespace", lambda: _call("unshare", CLONE_NEWNS)
    yield "kernel", "setns", lambda: _call("setns", 0, 0)
    yield "kernel", "mount a tmpfs", lambda: _call("mount", order, root, kind, 0, 0)
    yield "kernel", "umount /", lambda: _call("umount2", root, 2)
    yield "kernel", "pivot_root", lambda: _call("pivot_root", root, root)
    yield "kernel", "chroot", lambda: os.chroot("/")
    yield "kernel", "memfd_create", lambda: _call("memfd_create", order, 0)
    yield "kernel", "memfd_secret", lambda: _call("memfd_secret", 0)
    yield "kernel", "io_uring_setup", lambda: _call("io_uring_setup", 1, text)
    yield "kernel", "bpf", lambda: _call("bpf", BPF_PROG_LOAD, text, len(text))
    yield "kernel", "userfaultfd", lambda: _call("userfaultfd", 1)
    yield "kernel", "perf_event_open", lambda: _call("perf_event_open", text, 0, -1, -1, 0)
    yield "kernel", "keyctl", lambda: _call("keyctl", KEYCTL_GET_KEYRING_ID, KEYCTL_SESSION, 0)
    yield "kernel", "add_key", lambda: _call("add_key", ctypes.c_char_p(b"user"), order, order, 5, KEYCTL_SESSION)
    yield "kernel", "shmget", lambda: _call("shmget", 0, 4096, 0o1600)
    yield "kernel", "msgget", lambda: _call("msgget", 0, 0o1600)
    yield "kernel", "semget", lambda: _call("semget", 0, 1, 0o1600)
    yield "kernel", "mincore", lambda: _call("mincore", ctypes.addressof(text) & ~0xFFF, 4096, text)
    yield "kernel", "personality", lambda: _call("personality", 0xFFFFFFFF)
    yield "kernel", "pidfd_getfd", lambda: _call("pidfd_getfd", 0, 0, 0)
    yield "kernel", "ask for a new filter", lambda: _call("seccomp", 2, 0, 0)


def _descriptors() -> list[int]:
    """Return the open descriptors but the standard ones and the socket; if there are none, a PermissionError."""
    descriptors = []
    for number in range(4, LAST_DESCRIPTOR):
        try:
            os.fstat(number)
        except OSError:
            continue
        descriptors.append(number)
    null = [os.fstat(number).st_rdev for number in (0, 1, 2)]
    if set(null) != {os.makedev(1, 3)}:
        return [0, 1, 2]
    if not descriptors:
        raise PermissionError(errno.EACCES, "no descriptor is open")
    return descriptors


def _map(size: int, flags: int) -> int:
    try:
        return len(mmap.mmap(-1, size, flags))
    except OSError as error:
        if error.errno == errno.ENOMEM:
            raise MemoryError from None
        raise


def _limits(targets: dict[str, Any]) -> Iterator[EscapeAttempt]:
    endless = struct.pack("<QQ", 2**64 - 1, 2**64 - 1)
    page = ctypes.create_string_buffer(b"x", 8)
    if targets["memory"]:
        yield "limit", "map shared memory past the limit", lambda: _map(targets["memory"], mmap.MAP_SHARED)
        yield "limit", "map private memory past the limit", lambda: _map(targets["memory"], mmap.MAP_PRIVATE)
    for name in ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE"):
        number = getattr(resource, name)
        yield "limit", f"raise {name}", partial(_call, "prlimit64", 0, number, ctypes.c_char_p(endless), 0)
    yield "limit", "lock memory", lambda: _call("mlock", ctypes.addressof(page), 8)
    yield "limit", "become root", lambda: _call("setresuid", 0, 0, 0)
    yield "limit", "leave the session", lambda: _call("setsid")
    yield "limit", "become dumpable", lambda: _call("prctl", 4, 1, 0, 0, 0)
    yield "limit", "outlive the zygote", lambda: _call("prctl", 1, 0, 0, 0, 0)
    yield "limit", "push input into a terminal", lambda: fcntl.ioctl(0, termios.TIOCSTI, b"x")
    yield "limit", "take signals of a descriptor", lambda: fcntl.fcntl(3, fcntl.F_SETOWN, os.getpid())
    yield "descriptor", "find a descriptor besides the own socket", _descriptors
