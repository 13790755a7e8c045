"""The rules of the filter by which workers neither tell each other something nor see each other."""

import errno

import pytest

from grader.inside.sandbox import bpf

from .filters import ALLOW, ARCHES, ENOSYS, EPERM, PID, decide


@pytest.mark.parametrize("arch", ARCHES)
def test_flags_of_an_open_file_are_left_alone(arch):
    """Whoever holds a copy of the descriptor sees them; a driver may set those of its own pipes."""
    for flags in (0, 0o2000, 0o4000):
        assert decide(arch, "fcntl", 3, 4, flags) == EPERM
        assert decide(arch, "fcntl", 3, 4, flags, device=True) == ALLOW
    assert decide(arch, "ioctl", 0, 0x5421) == EPERM
    assert decide(arch, "ioctl", 0, 0x5421, device=True) == EPERM


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("name", ["FS_IOC_SETFLAGS", "FS_IOC_FSSETXATTR", "FICLONE"])
def test_a_file_keeps_its_attributes_from_whom_it_belongs_to(arch, name):
    """These need no descriptor to write on, so a driver's own requests must not let them through."""
    request = {"FS_IOC_SETFLAGS": 0x40086602, "FS_IOC_FSSETXATTR": 0x401C5820, "FICLONE": 0x40049409}[name]
    for device in (False, True):
        assert decide(arch, "ioctl", 5, request, device=device) == EPERM


PRIVATE = 0x80


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("device", [False, True])
def test_nobody_waits_where_another_process_could_wake(arch, device):
    """Every kind of waiting at a futex is for the process alone; to wake what nobody can wait for tells nothing."""
    for kind in (0, 3, 4, 6, 9, 11, 12, 13):
        assert decide(arch, "futex", 0, kind, device=device) == bpf.refuse(errno.EAGAIN)
        assert decide(arch, "futex", 0, kind | 0x100, device=device) == bpf.refuse(errno.EAGAIN)
        assert decide(arch, "futex", 0, kind | PRIVATE, device=device) == ALLOW
        assert decide(arch, "futex", 0, kind | PRIVATE | 0x100, device=device) == ALLOW
    assert decide(arch, "futex", 0, 1, device=device) == ALLOW


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("name", ["clock_gettime", "clock_getres", "clock_nanosleep"])
def test_no_clock_of_another_process_is_read(arch, name):
    for clock in range(12):
        assert decide(arch, name, clock) == ALLOW
    for pid in (0, 1, PID, PID + 1):
        assert decide(arch, name, ~pid << 3 | 2) == EPERM
        assert decide(arch, name, ~pid << 3 | 3) == EPERM  # made of a descriptor
        assert decide(arch, name, ~pid << 3 | 6) == ALLOW  # of a thread, by the kernel one of its own


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("name", ["getpgid", "getsid", "sched_getparam", "sched_getscheduler", "sched_getaffinity"])
def test_only_this_process_is_asked_about(arch, name):
    assert {decide(arch, name, pid) for pid in (0, PID)} == {ALLOW}
    refusal = ENOSYS if name == "sched_getaffinity" else EPERM
    assert {decide(arch, name, other) for other in (1, -1, PID + 1, 0xFFFFFFFF)} == {refusal}


@pytest.mark.parametrize("arch", ARCHES)
def test_the_priority_is_that_of_this_process(arch):
    assert {decide(arch, "getpriority", 0, pid) for pid in (0, PID)} == {ALLOW}
    assert {decide(arch, "getpriority", 0, PID + 1), *(decide(arch, "getpriority", of, 0) for of in (1, 2))} == {EPERM}
