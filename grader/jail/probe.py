"""Proves a tier: a throwaway worker tries to escape, and the trusted side observes that worker from outside.

The targets are real: a canary file that everyone may read, listening sockets, this process itself. The worker's report
of its attempts is completed by what the targets observed.
"""

import json
import os
import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from grader.inside.sandbox.syscalls import StepRefused

from . import leftovers
from .branch import Branch, Lease

SECONDS = 60.0
FILES_OF_A_SECRET = 3
EXTRA_BYTES = 64 * 1024 * 1024
READING_CAPABILITIES = 0b110
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH; tier 2 keeps one of them where only root can read Python."""


class EscapeAttempt(msgspec.Struct, frozen=True):
    """One attempt to escape, or one observation from outside.

    Attributes:
        name: The kind of attempt, `read`, `network`, `fork`, ...
        tried: What was done.
        held: Whether the jail held.
    """

    name: str
    tried: str
    outcome: str
    held: bool

    @property
    def sentence(self) -> str:
        """The attempt and its outcome in one sentence."""
        return f"The attempt to {self.tried} from inside ({self.name}): {self.outcome}."


class Targets(ExitStack):
    """The targets of a probe's attempts: made for one probe and removed after it."""

    def __init__(self, secret_paths: Sequence[Path], shown: Sequence[Path]) -> None:
        super().__init__()
        folder = self.enter_context(leftovers.kept_folder("canary"))
        self.canary = folder / "canary.txt"
        self.token = secrets.token_hex(16)
        self.canary.write_text(self.token, encoding="ascii")
        self.canary.chmod(0o644)
        self.tcp = self._listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        self.udp = self._listen(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        self.abstract = f"jail-probe-{secrets.token_hex(8)}"
        self.unix = self._listen(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{self.abstract}")
        self.secrets = [str(path) for secret in secret_paths for path in _samples(secret, shown)]

    def _listen(self, family: int, kind: int, address: Any) -> socket.socket:
        listener = self.enter_context(socket.socket(family, kind))
        listener.bind(address)
        if kind == socket.SOCK_STREAM:
            listener.listen(1)
        listener.setblocking(False)
        return listener

    def message(self, tier: str, memory_bytes: int) -> bytes:
        """Return the message that gives the worker its targets."""
        content = {
            "canary": str(self.canary),
            "secrets": self.secrets,
            "hidden": tier == "namespaces",
            "reading": tier != "no-open",
            "trusted": os.getpid(),
            "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "abstract": self.abstract,
            "memory": memory_bytes,
        }
        return json.dumps(content).encode() + b"\n"

    def outside_view(self) -> Iterator[EscapeAttempt]:
        """Yield what the targets observed."""
        for name, listener in (("TCP", self.tcp), ("abstract Unix", self.unix)):
            outcome, held = "nobody connected", True
            with suppress(BlockingIOError):
                listener.accept()[0].close()
                outcome, held = "a connection arrived", False
            yield EscapeAttempt("network", f"reach the listening {name} socket", outcome, held)
        whole = self.canary.is_file() and self.canary.read_text(encoding="ascii") == self.token
        yield EscapeAttempt("write", "change the canary", "it is whole" if whole else "it was changed", whole)


def _samples(secret: Path, shown: Sequence[Path]) -> Iterator[Path]:
    """Yield a path and some files below it, except what is shown on purpose (a virtual environment's torch)."""
    yield secret
    if secret.is_dir():
        files = (path for path in secret.rglob("*") if path.is_file())
        hidden = (path for path in files if not any(path.resolve().is_relative_to(folder) for folder in shown))
        yield from islice(hidden, FILES_OF_A_SECRET)


def run(
    branch: Branch, tier: str, secret_paths: Sequence[Path], shown: Sequence[Path], memory_bytes: int, capabilities: int
) -> list[EscapeAttempt]:
    """Have one throwaway worker try to escape.

    Args:
        secret_paths: Folders and files that must not be readable.
        shown: What is inside those folders and is shown on purpose.
        memory_bytes: What the worker may map besides what it maps already, 0 where that is not limited.
        capabilities: Bits of the capabilities that a worker of this tier may have.

    Returns:
        Every attempt, those from outside last.

    Raises:
        StepRefused: The worker ended during an attempt, or everyday code does not work in it.
    """
    more = memory_bytes + EXTRA_BYTES if memory_bytes else 0
    with Targets(secret_paths, shown) as targets:
        lease = branch.lease("sandbox.probe_attempts", patience_s=0.0)  # a failing step would fail in every worker
        try:
            seen = [*_from_outside(lease.pid, capabilities)]
            tried, work = _run_attempts(lease, targets.message(tier, more))
            attempts = [*tried, *seen, *targets.outside_view()]
        finally:
            lease.close()
    if work:
        raise StepRefused(work)
    return attempts


def _run_attempts(lease: Lease, message: bytes) -> tuple[list[EscapeAttempt], str]:
    lease.sock.settimeout(SECONDS)
    attempts: list[EscapeAttempt] = []
    current: dict[str, Any] = {"name": "start", "tried": "start the probe"}
    try:
        lease.sock.sendall(message)
        with lease.sock.makefile("rb") as lines:
            for line in lines:
                report = json.loads(line)
                if "work" in report:
                    return attempts, str(report["work"])
                if "tried" in report:
                    current = report
                else:
                    attempts.append(msgspec.convert({**current, **report}, EscapeAttempt))
    except OSError as error:
        raise StepRefused(f"The probe stopped at the attempt to {current['tried']} ({error}).") from None
    raise StepRefused(f"The probe's worker ended at the attempt to {current['tried']}.")


def kernel_view(pid: int) -> dict[str, str]:
    """Return the fields of `/proc/<pid>/status` by name."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)


def _from_outside(pid: int, capabilities: int) -> Iterator[EscapeAttempt]:
    """Yield what the kernel reports of the worker's rights."""
    fields = kernel_view(pid)
    expected = {
        "Threads": ("1", "have one thread"),
        "NoNewPrivs": ("1", "have given up new privileges"),
        "Seccomp": ("2", "be under a system-call filter"),
    }
    for field, (value, what) in expected.items():
        actual = fields.get(field, "nothing").strip()
        yield EscapeAttempt("status", what, f"the kernel says {field} is {actual}", actual == value)
    held = int(fields.get("CapEff", "ffffffffffffffff"), 16) | int(fields.get("CapPrm", "ffffffffffffffff"), 16)
    yield EscapeAttempt("status", "have no capabilities", f"the kernel says {held:#x}", not held & ~capabilities)
