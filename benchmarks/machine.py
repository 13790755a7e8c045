"""What a figure means nothing without: the machine, the versions, and what else ran meanwhile."""

import os
import platform
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.processes import children_seconds

PACKAGES = ("torch", "numpy", "pytest", "pytest-json-report", "msgspec")
BUSY = 0.1  # share of the processors that others may take before a figure is called too high


@dataclass(frozen=True)
class Machine:
    """The machine as it is now.

    Attributes:
        model: The processor's name.
        cores: How many of them this process may use.
        memory_gib: All of its memory.
        system: The kernel.
        python: The interpreter's version.
        versions: Packages with their versions.
        date: Today, in UTC.
    """

    model: str
    cores: int
    memory_gib: float
    system: str
    python: str
    versions: str
    date: str


def this_machine() -> Machine:
    """Describe the machine."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return Machine(
        model=model,
        cores=cores(),
        memory_gib=round(memory, 1),
        system=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        versions=", ".join(f"{name} {installed(name)}" for name in PACKAGES),
        date=datetime.now(UTC).date().isoformat(),
    )


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def installed(name: str) -> str:
    """Return the version of a package, or a word when it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "(none)"


def machine_seconds() -> float:
    """Return the processor time that everybody on this machine has used, idle time left out."""
    fields = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
    user, nice, system, _, _, interrupts, soft_interrupts, stolen = map(int, fields[:8])
    return (user + nice + system + interrupts + soft_interrupts + stolen) / os.sysconf("SC_CLK_TCK")


def own_seconds() -> float:
    """Return the processor time of this process and of what it has started and waited for."""
    return time.process_time() + children_seconds()


class Others:
    """How much of the processors other work took since this was made."""

    def __init__(self) -> None:
        self._began, self._busy, self._own = time.monotonic(), machine_seconds(), own_seconds()

    def share(self) -> float:
        """Return their share, 0 to 1; all that was started meanwhile has ended and was waited for."""
        whole = (time.monotonic() - self._began) * (os.cpu_count() or 1)
        taken = machine_seconds() - self._busy - (own_seconds() - self._own)
        return max(0.0, taken / whole) if whole > 0 else 0.0
