"""The system-call filter, run by a small interpreter of its instructions: what it allows and what it refuses.

Among the rules are those by which workers neither tell each other something nor see each other.
"""

import errno
import os
import re
from pathlib import Path

import pytest

from grader.inside.sandbox import bpf, seccomp
from grader.inside.sandbox.syscalls import NUMBERS

from .filters import ALLOW, ARCHES, EACCES, ENOSYS, EPERM, KILL, PID, decide, verdict

HIGH = 1 << 32
NEW_NAMESPACES = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
PTHREAD, PRIVATE = 0x003D0F00, 0x80
EAGAIN, PRETENDED = bpf.refuse(errno.EAGAIN), bpf.refuse(0)
WRITING = [0o1, 0o2, 0o3, 0o100, 0o1000, 0o2000, 0o20000, 0o10000000, 0o20000000 | 0o200000]
OTHERS = (0, 1, -1, -PID, PID + 1, 0xFFFFFFFF)
WAITS = (0, 3, 4, 6, 9, 11, 12, 13)
EVERYDAY = "read write mmap munmap brk clock_gettime exit_group getrandom fstat".split()  # noqa: SIM905
WAYS_OUT = """
    socket socketpair connect accept sendmsg execve execveat ptrace process_vm_readv process_vm_writev pidfd_open
    pidfd_getfd pidfd_send_signal unshare setns mount umount2 pivot_root io_uring_setup bpf keyctl add_key
    request_key userfaultfd perf_event_open shmget msgget semget mincore sched_setaffinity memfd_create memfd_secret
    setrlimit setresuid setsid tkill rt_sigqueueinfo seccomp landlock_restrict_self open_by_handle_at mlock
    personality wait4 capset close_range mount_setattr
""".split()  # noqa: SIM905
RULES = {
    "everyday calls are allowed": (ALLOW, [(name,) for name in EVERYDAY]),
    "ways out are refused": (EPERM, [(name,) for name in WAYS_OUT]),
    "calls that hide their flags in memory do not exist": (ENOSYS, [("openat2",), ("clone3",)]),
    "threads can be started": (ALLOW, [("clone", PTHREAD)]),
    "nothing but a thread is cloned": (EPERM, [
        *(("clone", flags) for flags in (17, 0, 0x00000100, 0x00000900, PTHREAD | 0x2000)),
        *(("clone", PTHREAD | flag) for flag in NEW_NAMESPACES),
    ]),
    "this process may be signalled": (ALLOW, [("kill", PID, PID, 6), ("tgkill", PID, PID, 6)]),
    "no other process is": (EPERM, [(name, other, PID, 6) for name in ("kill", "tgkill") for other in OTHERS]),
    "limits are read": (ALLOW, [("prlimit64", 0, 9, 0, 0x1000)]),
    "limits are never set, nor another's read": (EPERM, [
        ("prlimit64", 0, 9, 0x1000, 0), ("prlimit64", 0, 9, HIGH, 0), ("prlimit64", 1, 9, 0, 0x1000),
    ]),
    "no input is pushed into a terminal": (EPERM, [("ioctl", 0, code) for code in (0x5412, 0x541C, 0x5412 | HIGH)]),
    "flags of a terminal's file are left alone": (EPERM, [("ioctl", 0, 0x5421)]),
    "a file keeps its attributes, also from whom it belongs to": (  # these need no descriptor to write on
        EPERM, [("ioctl", 5, 0x40086602), ("ioctl", 5, 0x401C5820), ("ioctl", 5, 0x40049409)],
    ),
    "files cannot be made to send signals": (
        EPERM, [*(("fcntl", 3, command) for command in (8, 10, 1024, 1026, 1027, 15)), ("fcntl", 3, 4, 0o20000)],
    ),
    "flags of an open file are read": (ALLOW, [("fcntl", 3, 3)]),
    "the name of a thread is left of prctl": (ALLOW, [("prctl", 15), ("prctl", 16)]),
    "and nothing else": (EPERM, [("prctl", option) for option in range(70) if option not in (15, 16)]),
    "nobody waits where another process could wake": (EAGAIN, [
        ("futex", 0, kind | more) for kind in WAITS for more in (0, 0x100)
    ]),
    "a process waits alone, and to wake whom nobody can wait for tells nothing": (ALLOW, [
        ("futex", 0, 1), *(("futex", 0, kind | PRIVATE | more) for kind in WAITS for more in (0, 0x100)),
    ]),
    "clocks are read": (ALLOW, [
        (name, clock)
        for name in ("clock_gettime", "clock_getres", "clock_nanosleep")
        for clock in (*range(12), *(~pid << 3 | 6 for pid in (0, 1, PID, PID + 1)))  # of a thread, one of its own
    ]),
    "no clock of another process is read": (EPERM, [
        (name, ~pid << 3 | kind)
        for name in ("clock_gettime", "clock_getres", "clock_nanosleep")
        for pid in (0, 1, PID, PID + 1)
        for kind in (2, 3)  # of a process, and made of a descriptor
    ]),
    "this process is asked about": (ALLOW, [
        (name, pid)
        for name in ("getpgid", "getsid", "sched_getparam", "sched_getscheduler", "sched_getaffinity")
        for pid in (0, PID)
    ]),
    "and no other one": (EPERM, [
        (name, other)
        for name in ("getpgid", "getsid", "sched_getparam", "sched_getscheduler")
        for other in (1, -1, PID + 1, 0xFFFFFFFF)
    ]),
    "nor where another one may run": (ENOSYS, [("sched_getaffinity", pid) for pid in (1, -1, PID + 1, 0xFFFFFFFF)]),
    "the priority is that of this process": (ALLOW, [("getpriority", 0, 0), ("getpriority", 0, PID)]),
    "and of nobody else": (EPERM, [("getpriority", 0, PID + 1), ("getpriority", 1, 0), ("getpriority", 2, 0)]),
}  # fmt: skip
"""What holds with a GPU's driver and without."""
OF_A_DRIVER = {
    "it opens its device for writing": (ALLOW, EPERM, [("openat", -100, 0, os.O_RDWR | os.O_CLOEXEC)]),
    "it creates nothing": (EPERM, EPERM, [
        ("openat", -100, 0, flags)
        for flags in (os.O_WRONLY, os.O_RDWR | os.O_CREAT, os.O_RDWR | os.O_TRUNC, 0o20000000 | 0o2)
    ]),
    # NVIDIA's requests are of the type 'F', and those of its memory driver are plain small numbers.
    "it uses its own ioctls": (ALLOW, EPERM, [("ioctl", 5, code) for code in (0xC020462A, 0xC0384627, 0x30000001, 33)]),
    # What it cannot start without and nobody needs is only pretended; what it holds for its socket is /dev/null.
    "it believes that it has a socket": (PRETENDED, EPERM, [
        ("socket", 1, 5 | os.O_CLOEXEC, 0), ("bind", 0, 0, 29), ("listen", 0, 128),
    ]),
    "it believes that it names its threads in procfs": (PRETENDED, EPERM, [
        ("openat", -100, 0, os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
    ]),
    "nobody closes what is held for them": (PRETENDED, ALLOW, [("close", 0)]),
    "it has nothing to remove": (bpf.refuse(errno.ENOENT), EPERM, [("unlinkat", -100, 0, 0)]),
    "there is no other socket": (EPERM, EPERM, [
        ("socket", 1, 1 | os.O_CLOEXEC, 0), ("socket", 2, 5 | os.O_CLOEXEC, 0), ("bind", 3, 0, 29), ("listen", 3, 128),
    ]),
    # Whoever holds a copy of a descriptor sees its flags; a driver may set those of its own pipes.
    "it sets flags of its pipes": (ALLOW, EPERM, [("fcntl", 3, 4, flags) for flags in (0, 0o2000, 0o4000)]),
}  # fmt: skip


@pytest.fixture(params=ARCHES)
def arch(request):
    return request.param


def test_what_is_said_to_calls(arch):
    wrong = [
        (rule, call, device)
        for rule, (action, called) in RULES.items()
        for call in called
        for device in (False, True)
        if decide(arch, *call, device=device) != action
    ]
    assert wrong == []


def test_what_a_driver_may_do_besides(arch):
    wrong = [
        (rule, call)
        for rule, (with_driver, without, called) in OF_A_DRIVER.items()
        for call in called
        if (decide(arch, *call, device=True), decide(arch, *call)) != (with_driver, without)
    ]
    assert wrong == []


def test_processes_cannot_be_made_by_the_old_calls():
    assert {decide("x86_64", name) for name in ("fork", "vfork")} == {EPERM}


def test_a_number_that_nobody_knows_is_refused(arch):
    code = seccomp.worker_filter(arch).for_process(PID)
    strange = set(range(1000)) - set(NUMBERS[arch].values())
    assert {verdict(code, number, audit=bpf.AUDIT_ARCH[arch]) for number in strange} == {EPERM}


def test_every_number_gets_the_verdict_of_its_own_rule(arch):
    """The search tree finds each allowed call and none of its neighbours."""
    allowed = {NUMBERS[arch][name] for name in seccomp._ALWAYS.split() if name in NUMBERS[arch]}
    code = seccomp.worker_filter(arch).for_process(PID)
    numbers = {
        number for number in range(600) if verdict(code, number, *[2**64 - 1] * 6, audit=bpf.AUDIT_ARCH[arch]) == ALLOW
    }
    assert numbers - {NUMBERS[arch][name] for name in ("futex", *seccomp._CLOCKS.split())} == allowed


def test_a_call_of_another_architecture_ends_the_process(arch):
    code = seccomp.worker_filter(arch).for_process(PID)
    others = [0x40000003, 0, *(number for name, number in bpf.AUDIT_ARCH.items() if name != arch)]
    assert {verdict(code, NUMBERS[arch]["read"], audit=audit) for audit in others} == {KILL}


def test_the_x32_table_ends_the_process():
    code = seccomp.worker_filter("x86_64").for_process(PID)
    numbers = (bpf.X32_BIT, bpf.X32_BIT | 59, 0x7FFFFFFF, 0xFFFFFFFF)
    assert {verdict(code, number, audit=bpf.AUDIT_ARCH["x86_64"]) for number in numbers} == {KILL}


def test_files_are_opened_for_reading_alone_or_not_at_all(arch):
    for flags in (os.O_RDONLY, os.O_CLOEXEC, 0o200000 | 0o2000000):
        assert decide(arch, "openat", -100, 0, flags) == ALLOW
    for flags in WRITING:
        assert decide(arch, "openat", -100, 0, flags) == EPERM
        assert "open" not in NUMBERS[arch] or decide(arch, "open", 0, flags) == EPERM
    assert decide(arch, "openat", -100, 0, 0, reading=False) == EACCES


def test_a_program_fits_into_the_kernels_limit(arch):
    assert all(len(seccomp.worker_filter(arch, device=device).code) // 8 < 4096 for device in (False, True))


@pytest.mark.parametrize(
    ("kept", "places"),
    [("x86_64", ["asm/unistd_64.h", "x86_64-linux-gnu/asm/unistd_64.h"]), ("aarch64", ["asm-generic/unistd.h"])],
)
def test_the_numbers_are_those_of_the_kernels_headers(kept, places):
    header = next((path for path in (Path("/usr/include", place) for place in places) if path.is_file()), None)
    if header is None:
        pytest.skip(f"the kernel's headers for {kept} are not installed")
    pairs = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)\s*$", header.read_text(encoding="ascii"), re.MULTILINE)
    numbers = {name: int(number) for name, number in pairs}
    numbers.setdefault("newfstatat", numbers.get("fstatat"))
    assert NUMBERS[kept] == {name: numbers[name] for name in NUMBERS[kept]}
