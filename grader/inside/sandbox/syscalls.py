"""Calls the kernel directly, for what the standard library has no function for.

Namespaces, Landlock, seccomp and capabilities are used through libc by ctypes, so the kit needs no compiler and no
package. The numbers differ between architectures; a name that is missing in a table does not exist there.
"""

import ctypes
import errno
import os
from typing import Any

_X86_64 = """
accept=43 access=21 add_key=248 alarm=37 bpf=321 bind=49 brk=12 capget=125 capset=126 clock_getres=229
clock_gettime=228 clock_nanosleep=230 clone=56 clone3=435 close=3 close_range=436 connect=42 dup=32 dup2=33 dup3=292
epoll_create1=291 epoll_ctl=233 epoll_pwait=281 epoll_wait=232 eventfd2=290 execve=59 execveat=322 exit=60
exit_group=231 faccessat=269 faccessat2=439 fcntl=72 fork=57 fstat=5 fstatfs=138 futex=202 get_mempolicy=239
getcpu=309 getcwd=79 getdents64=217 getegid=108 geteuid=107 getgid=104 getgroups=115 getitimer=36 getpgid=121
getpgrp=111 getpid=39 getppid=110 getpriority=140 getrandom=318 getresgid=120 getresuid=118 getrlimit=97 getrusage=98
getsid=124 gettid=186 gettimeofday=96 getuid=102 io_uring_setup=425 ioctl=16 keyctl=250 kill=62 landlock_add_rule=445
landlock_create_ruleset=444 landlock_restrict_self=446 listen=50 lseek=8 lstat=6 madvise=28 membarrier=324
memfd_create=319 memfd_secret=447 mincore=27 mlock=149 mmap=9 mount=165 mount_setattr=442 mprotect=10 mremap=25
msgget=68 msync=26 munmap=11 nanosleep=35 newfstatat=262 open=2 open_by_handle_at=304 open_tree=428 openat=257
openat2=437 pause=34 perf_event_open=298 personality=135 pidfd_getfd=438 pidfd_open=434 pidfd_send_signal=424 pipe=22
pipe2=293 pivot_root=155 poll=7 ppoll=271 prctl=157 pread64=17 prlimit64=302 process_vm_readv=310
process_vm_writev=311 pselect6=270 ptrace=101 read=0 readlink=89 readlinkat=267 readv=19 request_key=249
restart_syscall=219 rseq=334 rt_sigaction=13 rt_sigpending=127 rt_sigprocmask=14 rt_sigqueueinfo=129 rt_sigreturn=15
rt_sigsuspend=130 rt_sigtimedwait=128 sched_get_priority_max=146 sched_get_priority_min=147 sched_getaffinity=204
sched_getparam=143 sched_getscheduler=145 sched_setaffinity=203 sched_yield=24 seccomp=317 select=23 semget=64
sendmsg=46 set_mempolicy=238 set_robust_list=273 setitimer=38 setns=308 setresuid=117 setrlimit=160 setsid=112
shmget=29 sigaltstack=131 socket=41 socketpair=53 stat=4 statfs=137 statx=332 sysinfo=99 tgkill=234 time=201 times=100
tkill=200 umount2=166 uname=63 unlink=87 unlinkat=263 unshare=272 userfaultfd=323 vfork=58 wait4=61 write=1 writev=20
"""
_AARCH64 = """
accept=202 add_key=217 bpf=280 bind=200 brk=214 capget=90 capset=91 clock_getres=114 clock_gettime=113
clock_nanosleep=115 clone=220 clone3=435 close=57 close_range=436 connect=203 dup=23 dup3=24 epoll_create1=20
epoll_ctl=21 epoll_pwait=22 eventfd2=19 execve=221 execveat=281 exit=93 exit_group=94 faccessat=48 faccessat2=439
fcntl=25 fstat=80 fstatfs=44 futex=98 get_mempolicy=236 getcpu=168 getcwd=17 getdents64=61 getegid=177 geteuid=175
getgid=176 getgroups=158 getitimer=102 getpgid=155 getpid=172 getppid=173 getpriority=141 getrandom=278 getresgid=150
getresuid=148 getrlimit=163 getrusage=165 getsid=156 gettid=178 gettimeofday=169 getuid=174 io_uring_setup=425
ioctl=29 keyctl=219 kill=129 landlock_add_rule=445 landlock_create_ruleset=444 landlock_restrict_self=446 listen=201
lseek=62 madvise=233 membarrier=283 memfd_create=279 memfd_secret=447 mincore=232 mlock=228 mmap=222 mount=40
mount_setattr=442 mprotect=226 mremap=216 msgget=186 msync=227 munmap=215 nanosleep=101 newfstatat=79
open_by_handle_at=265 open_tree=428 openat=56 openat2=437 perf_event_open=241 personality=92 pidfd_getfd=438
pidfd_open=434 pidfd_send_signal=424 pipe2=59 pivot_root=41 ppoll=73 prctl=167 pread64=67 prlimit64=261
process_vm_readv=270 process_vm_writev=271 pselect6=72 ptrace=117 read=63 readlinkat=78 readv=65 request_key=218
restart_syscall=128 rseq=293 rt_sigaction=134 rt_sigpending=136 rt_sigprocmask=135 rt_sigqueueinfo=138
rt_sigreturn=139 rt_sigsuspend=133 rt_sigtimedwait=137 sched_get_priority_max=125 sched_get_priority_min=126
sched_getaffinity=123 sched_getparam=121 sched_getscheduler=120 sched_setaffinity=122 sched_yield=124 seccomp=277
semget=190 sendmsg=211 set_mempolicy=237 set_robust_list=99 setitimer=103 setns=268 setresuid=147 setrlimit=164
setsid=157 shmget=194 sigaltstack=132 socket=198 socketpair=199 statfs=43 statx=291 sysinfo=179 tgkill=131 times=153
tkill=130 umount2=39 uname=160 unlinkat=35 unshare=97 userfaultfd=282 wait4=260 write=64 writev=66
"""


def _table(text: str) -> dict[str, int]:
    return {name: int(number) for name, number in (item.split("=") for item in text.split())}


NUMBERS = {"x86_64": _table(_X86_64), "aarch64": _table(_AARCH64)}

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_NAME = 15
PR_GET_NAME = 16
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2
SIGKILL = 9
CAPABILITY_VERSION = 0x20080522

libc: Any = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


class StepRefused(Exception):
    """The kernel refused one step of the isolation; the text is a whole sentence."""


def machine() -> str:
    """Return the architecture of this machine, which must be one whose system-call numbers are known."""
    name = os.uname().machine
    if name not in NUMBERS:
        raise StepRefused(f"The kit knows the system calls of x86_64 and aarch64, and this machine is {name!r}.")
    return name


def checked(step: str, result: int) -> int:
    """Return libc's result, or raise StepRefused if it is -1; `step` follows "The kernel refused to"."""
    if result == -1:
        number = ctypes.get_errno()
        name = errno.errorcode.get(number, str(number))
        raise StepRefused(f"The kernel refused to {step} ({name}: {os.strerror(number)}).")
    return result


def syscall(name: str, *arguments: object) -> int:
    """Call the kernel by the name of a system call; -1 means that `ctypes.get_errno()` holds the reason."""
    number = NUMBERS[machine()].get(name)
    if number is None:
        ctypes.set_errno(errno.ENOSYS)
        return -1
    words = [ctypes.c_long(item) if isinstance(item, int) else item for item in arguments]
    return int(libc.syscall(ctypes.c_long(number), *words))


def prctl(step: str, option: int, *arguments: int) -> None:
    """Set one attribute of this process; `step` follows "The kernel refused to" in the error."""
    words = [ctypes.c_ulong(item) for item in (*arguments, 0, 0, 0, 0)[:4]]
    checked(step, libc.prctl(option, *words))


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends; must be repeated after a change of user."""
    prctl("tie this process to its parent's life", PR_SET_PDEATHSIG, SIGKILL)


def forbid_new_privileges() -> None:
    """Give up gaining rights by running a program; a filter can be installed only after this."""
    prctl("give up new privileges", PR_SET_NO_NEW_PRIVS, 1)


def hide_from_tracers() -> None:
    """Prevent processes of the same user from reading this one's memory or taking its descriptors."""
    prctl("make this process non-dumpable", PR_SET_DUMPABLE, 0)


def set_capabilities(permitted: int = 0, inheritable: int = 0) -> None:
    """Set this thread's capabilities, effective as permitted.

    Args:
        permitted: Bits by capability number; 0 drops every one.
        inheritable: Bits that may be raised as ambient ones.
    """
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    low, high = permitted & 0xFFFFFFFF, permitted >> 32
    kept_low, kept_high = inheritable & 0xFFFFFFFF, inheritable >> 32
    data = (ctypes.c_uint32 * 6)(low, low, kept_low, high, high, kept_high)
    checked("set the capabilities", libc.capset(header, data))


def capabilities() -> int:
    """Return the bits of the capabilities that this thread may use."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    data = (ctypes.c_uint32 * 6)()
    checked("read the capabilities", libc.capget(header, data))
    return int(data[1]) | int(data[4]) << 32
