"""The list of system calls that student code may make, and the filter made of it.

It is an allowlist: Python and torch need about ninety calls once they are imported, and calls that a new kernel adds
are refused automatically. Refused calls fail with EPERM, so that a student sees a PermissionError and a line; a call by
another architecture's convention ends the process, since its numbers mean something else.
"""

import ctypes
import errno
import os

from .bpf import OWN_PID, Bits, OneOf, Outside, Program, Rule, Test, Zero, assemble, refuse
from .syscalls import NUMBERS, PR_GET_NAME, PR_SET_NAME, PR_SET_SECCOMP, machine, prctl

SECCOMP_MODE_FILTER = 2

_ALWAYS = """
brk close dup dup2 dup3 exit exit_group faccessat faccessat2 access fstat fstatfs getcpu getcwd getdents64 getegid
geteuid getgid getgroups getitimer getpgrp getpid getppid getrandom getresgid getresuid getrlimit getrusage gettid
gettimeofday getuid lseek lstat madvise membarrier mmap mprotect mremap msync munmap nanosleep newfstatat pause poll
ppoll pread64 pselect6 read readlink readlinkat readv restart_syscall rseq rt_sigaction rt_sigpending rt_sigprocmask
rt_sigreturn rt_sigsuspend rt_sigtimedwait sched_get_priority_max sched_get_priority_min sched_yield select
set_robust_list setitimer alarm sigaltstack stat statfs statx sysinfo time times uname write writev
"""
_CLOCKS = "clock_getres clock_gettime clock_nanosleep"
_OF_ONE_PROCESS = "getpgid getsid sched_getparam sched_getscheduler"
_FOR_A_DRIVER = "pipe pipe2 eventfd2 epoll_create1 epoll_ctl epoll_pwait epoll_wait get_mempolicy"

O_ACCMODE, O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND = 0o3, 0o1, 0o2, 0o100, 0o1000, 0o2000
O_ASYNC, O_PATH, O_TMPFILE_BIT = 0o20000, 0o10000000, 0o20000000
WRITING = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | O_ASYNC | O_PATH | O_TMPFILE_BIT
F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC = 0, 1, 2, 3, 4, 1030
TCGETS, FIONREAD, FIOCLEX, FIONCLEX, TIOCGWINSZ = 0x5401, 0x541B, 0x5451, 0x5450, 0x5413
TERMINAL_GROUP, GROUP_MASK = 0x5400, 0xFF00
FILE_GROUPS = (0x5800, 0x6600, 0x9400)
"""Requests that change a file's attributes or extents, for which its owner needs no descriptor to write on."""
FUTEX_WAKE, FUTEX_PRIVATE = 1, 0x80
DYNAMIC_CLOCK, OF_A_THREAD = 1 << 31, 1 << 2
"""Bits of a clock's number: made of a process, thread or descriptor; of a thread, which must be one of the caller's."""
PRIO_PROCESS = 0
AF_UNIX, SOCK_SEQPACKET, SOCK_CLOEXEC = 1, 5, 0o2000000
STANDARD_INPUT = 0
ALL_BITS = 0xFFFFFFFF
THREAD_NEEDED = 0x00010900
"""CLONE_VM, CLONE_SIGHAND and CLONE_THREAD: what makes a new task a thread of this process."""
THREAD_FLAGS = 0x007D0F00
"""Every flag that glibc and musl give to a new thread; no namespace, no tracing, no vfork among them."""


def _rules(reading: bool, device: bool) -> dict[str, Rule]:
    denied = refuse(errno.EPERM)
    rules = {name: Rule(((),), denied) for name in [*_ALWAYS.split(), *(_FOR_A_DRIVER.split() if device else [])]}
    harmless: tuple[Test, ...] = (OneOf(1, (TCGETS, TIOCGWINSZ, FIONREAD, FIOCLEX, FIONCLEX)),)
    driver: tuple[Test, ...] = tuple(Outside(1, GROUP_MASK, group) for group in (TERMINAL_GROUP, *FILE_GROUPS))
    barred = WRITING & ~O_RDWR if device else WRITING
    unreadable = Rule((), refuse(errno.EACCES))
    duplicate: tuple[Test, ...] = (OneOf(1, (F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC)),)
    flags: tuple[Test, ...] = (OneOf(1, (F_SETFL,)), Bits(2, O_ASYNC))
    return (
        rules
        | {name: Rule(((OneOf(0, (OWN_PID,)),),), denied) for name in ("kill", "tgkill")}
        | _rules_against_covert_channels()
        | {
            "openat": Rule(((Bits(2, barred),),), denied) if reading else unreadable,
            "open": Rule(((Bits(1, barred),),), denied) if reading else unreadable,
            "openat2": Rule((), refuse(errno.ENOSYS)),
            "clone3": Rule((), refuse(errno.ENOSYS)),
            "clone": Rule(((Bits(0, ALL_BITS & ~THREAD_FLAGS, THREAD_NEEDED),),), denied),
            "ioctl": Rule((harmless, driver) if device else (harmless,), denied),
            "fcntl": Rule((duplicate, flags) if device else (duplicate,), denied),
            "prctl": Rule(((OneOf(0, (PR_SET_NAME, PR_GET_NAME)),),), denied),
            "prlimit64": Rule(((OneOf(0, (0,)), Zero(2)),), denied),
        }
        | (_pretended_to_a_driver(barred) if device else {})
    )


def _pretended_to_a_driver(barred: int) -> dict[str, Rule]:
    """Return the rules of calls that the CUDA driver cannot start without, and whose effect nobody needs.

    It makes a socket on which it would hand memory to other processes, removes an older one, and writes the names of
    its threads into procfs. Each call that makes something returns 0 without being made; so what the driver takes for
    its socket or file is the worker's standard input, which is /dev/null and stays open. There is nothing to remove.
    """
    denied = refuse(errno.EPERM)
    null: tuple[Test, ...] = (OneOf(0, (STANDARD_INPUT,)),)
    return {
        "socket": Rule((), denied, (OneOf(0, (AF_UNIX,)), OneOf(1, (SOCK_SEQPACKET | SOCK_CLOEXEC,)))),
        "bind": Rule((), denied, null),
        "listen": Rule((), denied, null),
        "openat": Rule(((Bits(2, barred),),), denied, (OneOf(2, (O_WRONLY | O_CREAT | O_TRUNC,)),)),
        "close": Rule(((),), denied, null),
        "unlink": Rule((), refuse(errno.ENOENT)),
        "unlinkat": Rule((), refuse(errno.ENOENT)),
    }


def _rules_against_covert_channels() -> dict[str, Rule]:
    """Return the rules of calls by which workers could communicate or observe each other.

    A futex that is not private to one process may be in any file that two processes map; waiting on it and waking need
    no right to write. A wake without a waiter tells nothing, so only the waits are refused, and with EAGAIN: libc takes
    that for a changed word and looks again, as `pthread_join` must.
    """
    denied = refuse(errno.EPERM)
    clock = Rule(((Bits(0, DYNAMIC_CLOCK),), (Bits(0, 0, DYNAMIC_CLOCK | OF_A_THREAD),)), denied)
    own_pid: tuple[Test, ...] = (OneOf(0, (0, OWN_PID)),)
    return (
        dict.fromkeys(_CLOCKS.split(), clock)
        | dict.fromkeys(_OF_ONE_PROCESS.split(), Rule((own_pid,), denied))
        | {
            "getpriority": Rule(((OneOf(0, (PRIO_PROCESS,)), OneOf(1, (0, OWN_PID))),), denied),
            "sched_getaffinity": Rule((own_pid,), refuse(errno.ENOSYS)),  # glibc asks it of threads and can do without.
            "futex": Rule(((Bits(1, 0, FUTEX_PRIVATE),), (OneOf(1, (FUTEX_WAKE,)),)), refuse(errno.EAGAIN)),
        }
    )


def worker_filter(arch: str, reading: bool = True, device: bool = False) -> Program:
    """Build the filter of a worker.

    Args:
        arch: `x86_64` or `aarch64`.
        reading: Files may be opened for reading (the file system or Landlock limits which ones).
        device: The calls of the CUDA driver are allowed too; `/dev/nvidia*` is then opened for writing.

    Returns:
        The program, the same for every worker but for the process's own number.
    """
    numbers = NUMBERS[arch]
    rules = {numbers[name]: rule for name, rule in _rules(reading, device).items() if name in numbers}
    return assemble(arch, rules, refuse(errno.EPERM))


def prepare(reading: bool, device: bool) -> Program:
    """Build the filter for the machine that this runs on."""
    return worker_filter(machine(), reading, device)


class _Code(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def install(program: Program) -> None:
    """Put this process, and every thread that it will start, under the filter for good."""
    code = program.for_process(os.getpid())
    text = ctypes.create_string_buffer(code, len(code))
    header = _Code(len(code) // 8, ctypes.addressof(text))
    prctl("install the system-call filter", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(header))
