"""Resource limits of a worker: address space, processor time, descriptors, no files, no core dump, no locked memory.

The address space is limited relative to what torch maps already, because a shared anonymous mapping is not counted by
the limit on data; the limit is not set where CUDA reserves terabytes of addresses.

The kernel counts tasks for each user, not for each process. A worker with a user namespace of its own has its own
count; any other shares one with the zygote and perhaps with the grader, and must not use it up. Queued signals are
counted per user on every tier. A worker may queue none, so that none can see how many another one queued; one signal of
each kind can still be pending.
"""

import os
import resource
from typing import Any

from .syscalls import StepRefused

THREADS = 64
"""Most tasks of a worker in its own user namespace; a thread takes kernel memory that no other limit counts."""
SHARED_THREADS = 512
"""Most tasks beyond those counted at the start, for all workers of one user and whatever else that user starts."""
GREEDY_THREADS = 256
"""Number of threads at which a worker with a shared count is ended, so that other workers can start some."""
THREADS_MAX = 1 << 22
"""More tasks than any kernel has."""


def shared_tasks() -> int | None:
    """Return the limit on tasks for workers that share their user's count; None if this process is exempt from it.

    The kernel does not report the count, and it includes processes of the same user in other containers, which procfs
    does not list. So it is found by forking under different limits; call this while forking is cheap and there is one
    thread.

    Returns:
        The current count plus a part of what is left, so that workers can be forked whatever one of them does.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    most = THREADS_MAX if soft == resource.RLIM_INFINITY else min(soft, THREADS_MAX)
    try:
        if _can_fork(0, hard):
            return None
        below, enough = 0, 1
        while enough < most and not _can_fork(enough, hard):
            below, enough = enough, min(2 * enough, most)
        while enough - below > 1:
            middle = (below + enough) // 2
            below, enough = (below, middle) if _can_fork(middle, hard) else (middle, enough)
    finally:
        resource.setrlimit(resource.RLIMIT_NPROC, (soft, hard))
    counted = enough - 1
    return counted + min(SHARED_THREADS, (most - counted) // 2)


def _can_fork(limit: int, hard: int) -> bool:
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, hard))
    try:
        child = os.fork()
    except BlockingIOError:
        return False
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


def apply(limits: dict[str, Any], mapped_bytes: int, cuda: bool, tasks: int | None) -> None:
    """Set every limit of this process, soft and hard alike.

    Args:
        limits: `memory_bytes`, `open_files` and `cpu_s`.
        mapped_bytes: Address space that this process maps now.
        cuda: The address space cannot be limited.
        tasks: The limit on its user's tasks, as the kernel counts them; None to leave it as it is.

    Raises:
        StepRefused: A limit is above what this process may set.
    """
    values = {
        "RLIMIT_AS": mapped_bytes + limits["memory_bytes"],
        "RLIMIT_CPU": limits["cpu_s"],
        "RLIMIT_NOFILE": limits["open_files"],
        "RLIMIT_FSIZE": 0,
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_SIGPENDING": 0,
        "RLIMIT_RTPRIO": 0,
    }
    if cuda:
        del values["RLIMIT_AS"]
    if tasks is not None:
        values["RLIMIT_NPROC"] = tasks
    for name, value in values.items():
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (ValueError, OSError) as error:
            raise StepRefused(f"The limit {name} could not be set to {value} ({error}).") from None
