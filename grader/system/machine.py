"""What this machine, or the container that this process runs in, lets a run use: memory, processes, and what it kills.

This is read from files of the kernel, and what cannot be read counts as no limit. Besides, which torch there is.
"""

import os
import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from grader.errors import UsageError
from grader.limits import GIB, Limits

FILES = {
    "memory": (("memory.max", ""), ("memory.limit_in_bytes", "")),
    "pids": (("pids.max", "pids.current"), ("pids.max", "pids.current")),
}
"""For each kind of limit its file and the file of what is used of it, in version 2 of control groups and in 1."""
CGROUPS = Path("/sys/fs/cgroup")
DISTRIBUTION = "attention-grader"
OPEN_FILES = 512
OF_A_SUBMISSION = 5  # the process that judges, its worker, a thread in that, and two workers that wait
OF_A_RUN = 4  # the process that forks workers, the one that waits for it, and two workers more


class KilledByTheSystem:
    """Whether the system killed any process for want of memory since this was made."""

    def __init__(self) -> None:
        self._before = kills()

    def any_since(self) -> bool:
        """Return whether it did; False where the kernel does not count them."""
        now = kills()
        return now is not None and self._before is not None and now > self._before


def kills() -> int | None:
    """Return how many processes the kernel has killed for want of memory, in every container; None if it won't tell."""
    for line in _text(Path("/proc/vmstat")).splitlines():
        name, _, number = line.partition(" ")
        if name == "oom_kill":
            return int(number)
    return None


def other_torch() -> list[str]:
    """Return a sentence where the torch that is installed is not the one that grades; none where it is."""
    try:
        needs, here = metadata.requires(DISTRIBUTION) or [], metadata.version("torch")
    except metadata.PackageNotFoundError:
        return []
    grades = next((match[1] for need in needs if (match := re.match(r"torch==([^\s;,]+)", need))), here)
    if here.partition("+")[0] == grades:
        return []
    return [
        f"torch {here} is installed here, and the course's grades are those of torch {grades}: now and then another "
        f'torch gives another number. To have it: pip install "{DISTRIBUTION}[grade]".'
    ]


def shortages(jobs: int, limits: Limits) -> list[str]:
    """Return a sentence for memory and one for processes, where so many submissions at once may need more."""
    sentences = []
    memory, processes = free_memory(), free_processes()
    if memory is not None and jobs * limits.memory_bytes > memory:
        sentences.append(
            f"{jobs} submissions at once may take {jobs * limits.memory_bytes / GIB:.1f} GiB of memory, and "
            f"{memory / GIB:.1f} GiB are free here: an exercise that the system ends twice for that has no score. "
            "Fewer --jobs, or a smaller `memory_bytes` in course.toml, spare that."
        )
    needed = OF_A_SUBMISSION * jobs + OF_A_RUN
    if processes is not None and needed > processes:
        sentences.append(
            f"{jobs} submissions at once take up to {needed} processes and threads, and {max(processes, 0)} more are "
            "allowed here: raise that limit (pids.max of the container, or `ulimit -u`), or grade with fewer --jobs."
        )
    return sentences


def make_room_for_files() -> None:
    """Raise the limit on open files as far as a run needs it, or refuse the run."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= OPEN_FILES:
        return
    if hard != resource.RLIM_INFINITY and hard < OPEN_FILES:
        raise UsageError(
            f"This process may have {hard} files open at once, and a run needs {OPEN_FILES}.",
            f"Raise that limit, as by `ulimit -n {OPEN_FILES}`, and grade again.",
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, hard))


def free_memory() -> int | None:
    """Return the bytes that this machine has free, or that its container may have if these are fewer."""
    limits = [limit for limit, _ in _limits("memory")]
    for line in _text(Path("/proc/meminfo")).splitlines():
        if line.startswith("MemAvailable:"):
            limits.append(1024 * int(line.split()[1]))
    return min(limits, default=None)


def free_processes() -> int | None:
    """Return how many processes and threads this user may still start here; None where there is no limit."""
    import resource  # Not there on Windows, where nothing is graded.

    counts = [limit - used for limit, used in _limits("pids")]
    soft, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    if os.geteuid() != 0 and soft != resource.RLIM_INFINITY:
        counts.append(soft - _tasks_of(os.geteuid()))
    return min(counts, default=None)


def _limits(kind: str) -> Iterator[tuple[int, int]]:
    """Yield the limits of the control groups that this process is in, each with what is used of it."""
    for line in _text(Path("/proc/self/cgroup")).splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and kind not in controllers.split(","):
            continue
        (most, used), top = FILES[kind][bool(controllers)], CGROUPS / controllers
        folder = top / path.lstrip("/")
        for group in (folder, *folder.parents):
            if not group.is_relative_to(top):
                break
            limit = _text(group / most).strip()
            if limit.isdecimal():
                now = _text(group / used).strip() if used else ""
                yield int(limit), int(now) if now.isdecimal() else 0


def _tasks_of(user: int) -> int:
    """Return how many threads the processes of a user have that can be seen here."""
    count = 0
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdecimal() and folder.stat().st_uid == user:
                count += (folder / "task").stat().st_nlink - 2
        except OSError:  # it has ended meanwhile
            continue
    return count


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
