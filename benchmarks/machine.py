"""What a figure means nothing without: the machine and the versions."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("torch", "numpy", "pytest", "pytest-json-report", "msgspec")


def this_machine(gpu: str = "") -> str:
    """Describe the machine and its GPU, the day and the versions, in two lines."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    parts = [model, f"{cores()} cores", f"{memory:.1f} GiB", f"{platform.system()} {platform.release()}"]
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    measured = f"Measured on {datetime.now(UTC).date().isoformat()}: {', '.join([*parts, *([gpu] if gpu else [])])}."
    return f"{measured}\nPython {platform.python_version()}, {versions}."


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
