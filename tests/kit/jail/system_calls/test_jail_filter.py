"""The system-call filter, run by a small interpreter of its instructions: what it allows and what it refuses."""

import os
import re
import struct
from pathlib import Path

import pytest

from grader.inside.sandbox import bpf, seccomp
from grader.inside.sandbox.syscalls import NUMBERS

from .filters import ALLOW, ARCHES, EACCES, ENOSYS, EPERM, KILL, PID, decide, verdict

HIGH = 1 << 32
NEW_NAMESPACES = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
PTHREAD = 0x003D0F00


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize(
    "name", ["read", "write", "mmap", "munmap", "brk", "clock_gettime", "exit_group", "getrandom", "fstat"]
)
def test_everyday_calls_are_allowed(arch, name):
    assert decide(arch, name) == ALLOW


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize(
    "name",
    """socket socketpair connect accept sendmsg execve execveat ptrace process_vm_readv process_vm_writev pidfd_open
    pidfd_getfd pidfd_send_signal unshare setns mount umount2 pivot_root io_uring_setup bpf keyctl add_key request_key
    userfaultfd perf_event_open shmget msgget semget mincore sched_setaffinity memfd_create memfd_secret setrlimit
    setresuid setsid tkill rt_sigqueueinfo unlinkat seccomp landlock_restrict_self open_by_handle_at mlock personality
    wait4 capset close_range mount_setattr""".split(),  # noqa: SIM905
)
@pytest.mark.parametrize("device", [False, True])
def test_ways_out_are_refused(arch, name, device):
    assert decide(arch, name, device=device) == EPERM


@pytest.mark.parametrize("name", ["fork", "vfork"])
def test_processes_cannot_be_made_by_the_old_calls(name):
    assert decide("x86_64", name) == EPERM


@pytest.mark.parametrize("arch", ARCHES)
def test_a_number_that_nobody_knows_is_refused(arch):
    code = seccomp.worker_filter(arch).for_process(PID)
    known = {NUMBERS[arch][name] for name in NUMBERS[arch]}
    strange = [number for number in range(1000) if number not in known]
    assert {verdict(code, number, audit=bpf.AUDIT_ARCH[arch]) for number in strange} == {EPERM}


@pytest.mark.parametrize("arch", ARCHES)
def test_every_number_gets_the_verdict_of_its_own_rule(arch):
    """The search tree finds each allowed call and none of its neighbours."""
    allowed = {NUMBERS[arch][name] for name in seccomp._ALWAYS.split() if name in NUMBERS[arch]}
    code = seccomp.worker_filter(arch).for_process(PID)
    found = {
        number for number in range(600) if verdict(code, number, *[2**64 - 1] * 6, audit=bpf.AUDIT_ARCH[arch]) == ALLOW
    }
    assert found - {NUMBERS[arch][name] for name in ("futex", *seccomp._CLOCKS.split())} == allowed


@pytest.mark.parametrize("arch", ARCHES)
def test_a_call_of_another_architecture_ends_the_process(arch):
    code = seccomp.worker_filter(arch).for_process(PID)
    others = [0x40000003, 0, *(number for name, number in bpf.AUDIT_ARCH.items() if name != arch)]
    assert {verdict(code, NUMBERS[arch]["read"], audit=audit) for audit in others} == {KILL}


@pytest.mark.parametrize("number", [bpf.X32_BIT, bpf.X32_BIT | 59, 0x7FFFFFFF, 0xFFFFFFFF])
def test_the_x32_table_ends_the_process(number):
    code = seccomp.worker_filter("x86_64").for_process(PID)
    assert verdict(code, number, audit=bpf.AUDIT_ARCH["x86_64"]) == KILL


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_CLOEXEC, 0o200000 | 0o2000000])
def test_opening_for_reading_is_allowed(arch, flags):
    assert decide(arch, "openat", -100, 0, flags) == ALLOW


WRITING = [0o1, 0o2, 0o3, 0o100, 0o1000, 0o2000, 0o20000, 0o10000000, 0o20000000 | 0o200000]


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("flags", WRITING)
def test_opening_for_anything_else_is_refused(arch, flags):
    assert decide(arch, "openat", -100, 0, flags) == EPERM
    if "open" in NUMBERS[arch]:
        assert decide(arch, "open", 0, flags) == EPERM


@pytest.mark.parametrize("arch", ARCHES)
def test_nothing_at_all_is_opened_where_reading_is_off(arch):
    assert decide(arch, "openat", -100, 0, 0, reading=False) == EACCES


@pytest.mark.parametrize("arch", ARCHES)
def test_a_driver_may_open_its_device_for_writing_but_create_nothing(arch):
    assert decide(arch, "openat", -100, 0, os.O_RDWR | os.O_CLOEXEC, device=True) == ALLOW
    for flags in (os.O_WRONLY, os.O_RDWR | os.O_CREAT, os.O_RDWR | os.O_TRUNC, 0o20000000 | 0o2):
        assert decide(arch, "openat", -100, 0, flags, device=True) == EPERM


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("name", ["openat2", "clone3"])
def test_calls_that_hide_their_flags_in_memory_do_not_exist(arch, name):
    assert decide(arch, name) == ENOSYS


@pytest.mark.parametrize("arch", ARCHES)
def test_threads_can_be_started(arch):
    assert decide(arch, "clone", PTHREAD) == ALLOW


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize(
    "flags", [17, 0, 0x00000100, 0x00000900, *(PTHREAD | flag for flag in NEW_NAMESPACES), PTHREAD | 0x2000]
)
def test_nothing_but_a_thread_is_cloned(arch, flags):
    assert decide(arch, "clone", flags) == EPERM


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("name", ["kill", "tgkill"])
def test_only_this_process_is_signalled(arch, name):
    assert decide(arch, name, PID, PID, 6) == ALLOW
    assert {decide(arch, name, other, PID, 6) for other in (0, 1, -1, -PID, PID + 1, 0xFFFFFFFF)} == {EPERM}


@pytest.mark.parametrize("arch", ARCHES)
def test_limits_are_read_and_never_set(arch):
    assert decide(arch, "prlimit64", 0, 9, 0, 0x1000) == ALLOW
    assert decide(arch, "prlimit64", 0, 9, 0x1000, 0) == EPERM
    assert decide(arch, "prlimit64", 0, 9, HIGH, 0) == EPERM
    assert decide(arch, "prlimit64", 1, 9, 0, 0x1000) == EPERM


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("device", [False, True])
def test_no_input_is_pushed_into_a_terminal(arch, device):
    for request in (0x5412, 0x541C, 0x5412 | HIGH):
        assert decide(arch, "ioctl", 0, request, device=device) == EPERM


@pytest.mark.parametrize("arch", ARCHES)
def test_a_driver_may_use_its_own_ioctls(arch):
    """NVIDIA's requests are of the type 'F', and those of its memory driver are plain small numbers."""
    for request in (0xC020462A, 0xC0384627, 0x30000001, 0x21):
        assert decide(arch, "ioctl", 5, request, device=True) == ALLOW
        assert decide(arch, "ioctl", 5, request) == EPERM


@pytest.mark.parametrize("arch", ARCHES)
def test_files_cannot_be_made_to_send_signals(arch):
    for command in (8, 10, 1024, 1026, 1027, 15):
        assert decide(arch, "fcntl", 3, command) == EPERM
    for device in (False, True):
        assert decide(arch, "fcntl", 3, 4, 0o20000, device=device) == EPERM
        assert decide(arch, "fcntl", 3, 3, device=device) == ALLOW


@pytest.mark.parametrize("arch", ARCHES)
def test_of_prctl_only_the_name_is_left(arch):
    assert {decide(arch, "prctl", option) for option in (15, 16)} == {ALLOW}
    assert {decide(arch, "prctl", option) for option in range(70) if option not in (15, 16)} == {EPERM}


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("device", [False, True])
def test_a_program_fits_into_the_kernels_limit(arch, device):
    assert len(seccomp.worker_filter(arch, device=device).code) // 8 < 4096


def test_the_pid_is_patched_wherever_it_stands():
    program = seccomp.worker_filter("x86_64")
    assert len(program.pid_offsets) == 8
    assert struct.pack("<i", -1) not in {program.for_process(PID)[at : at + 4] for at in program.pid_offsets}
    assert program.code != program.for_process(PID) != program.for_process(PID + 1)


def test_the_numbers_are_those_of_the_kernels_headers():
    places = [Path("/usr/include", folder, "asm/unistd_64.h") for folder in ("", "x86_64-linux-gnu")]
    header = next((place for place in places if place.is_file()), None)
    if header is None:
        pytest.skip("the kernel's headers for x86-64 are not installed")
    found = re.findall(r"^#define __NR_(\w+)\s+(\d+)\s*$", header.read_text(encoding="ascii"), re.MULTILINE)
    numbers = {name: int(number) for name, number in found}
    assert NUMBERS["x86_64"] == {name: numbers[name] for name in NUMBERS["x86_64"]}


def test_the_arm_numbers_are_those_of_the_generic_headers():
    header = Path("/usr/include/asm-generic/unistd.h")
    if not header.is_file():
        pytest.skip("the kernel's generic headers are not installed")
    found = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)\s*$", header.read_text(encoding="ascii"), re.MULTILINE)
    numbers = {name: int(number) for name, number in found}
    numbers["newfstatat"] = numbers["fstatat"]
    assert NUMBERS["aarch64"] == {name: numbers[name] for name in NUMBERS["aarch64"]}
