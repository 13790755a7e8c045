"""Reports how this machine can confine student code, for `grader doctor`.

Every tier is built and probed, also those that would not be used, because a person who has to repair something wants to
know the result of each.
"""

import platform
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

import msgspec

from grader.errors import GraderError
from grader.inside.sandbox import landlock
from grader.inside.sandbox.syscalls import StepRefused
from grader.limits import DEFAULT_LIMITS, Limits
from grader.system.machine import other_torch

from . import tiers
from .probe import EscapeAttempt

KERNEL_SWITCHES = {
    "kernel.unprivileged_userns_clone": "/proc/sys/kernel/unprivileged_userns_clone",
    "kernel.apparmor_restrict_unprivileged_userns": "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "user.max_user_namespaces": "/proc/sys/user/max_user_namespaces",
    "kernel.yama.ptrace_scope": "/proc/sys/kernel/yama/ptrace_scope",
    "seccomp actions": "/proc/sys/kernel/seccomp/actions_avail",
    "security modules": "/sys/kernel/security/lsm",
}


class TierFinding(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one tier.

    Attributes:
        proven: Whether every attempt to escape failed.
        sentence: The first failure, or what was proven.
        attempts: Every attempt that was made; none if the jail could not be built.
        notes: What this tier cannot promise here.
    """

    tier: str
    proven: bool
    sentence: str
    attempts: tuple[EscapeAttempt, ...] = ()
    notes: tuple[str, ...] = ()


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was found out about this machine.

    Attributes:
        facts: Facts about the system, Python and the kernel, by name.
        tiers: One finding for each tier, strongest first; none on a system that cannot grade.
        verdict: A sentence that says whether grading is possible here.
    """

    facts: dict[str, str]
    tiers: tuple[TierFinding, ...]
    gpus: tuple[str, ...]
    verdict: str

    @property
    def can_grade(self) -> bool:
        """Return whether some tier is proven."""
        return any(finding.proven for finding in self.tiers)


def examine(limits: Limits = DEFAULT_LIMITS, secret_paths: Sequence[Path] = (), device: str = "cpu") -> Findings:
    """Examine this machine and probe every tier, by a jail that allows the device `cpu` or `cuda`."""
    if not sys.platform.startswith("linux"):
        verdict = (
            f"Grading needs Linux, whose kernel can shut student code in; this is {platform.system()}. "
            "`grader check` works here, for practice."
        )
        return Findings(facts=_facts(), tiers=(), gpus=_gpus(), verdict=verdict)
    findings = tuple(_try(tier, limits, secret_paths, device) for tier in tiers.TIERS)
    best = next((finding.tier for finding in findings if finding.proven), None)
    verdict = (
        f"Grading is possible here, with tier {best!r}."
        if best
        else "Grading is refused here, because no tier of isolation is proven; the first failure of each tier says why."
    )
    return Findings(facts=_facts(), tiers=findings, gpus=_gpus(), verdict=verdict)


def _try(tier: str, limits: Limits, secret_paths: Sequence[Path], device: str) -> TierFinding:
    try:
        with tiers.build(tier, limits=limits, device=device, pool=0, secret_paths=secret_paths) as jail:
            sentence = f"Proven: all {len(jail.attempts)} attempts to get out failed."
            notes = jail.isolation.notes
            return TierFinding(tier=tier, proven=True, sentence=sentence, attempts=jail.attempts, notes=notes)
    except tiers.Escaped as error:
        return TierFinding(tier=tier, proven=False, sentence=str(error), attempts=error.attempts)
    except (StepRefused, GraderError, ModuleNotFoundError) as error:
        return TierFinding(tier=tier, proven=False, sentence=str(error))


def _facts() -> dict[str, str]:
    facts = {
        "system": platform.platform(),
        "machine": platform.machine(),
        "Python": f"{platform.python_version()} ({Path(sys.executable)})",
    }
    for package in ("torch", "numpy"):
        try:
            facts[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            facts[package] = "not installed"
    if sys.platform.startswith("linux"):
        facts["Landlock"] = _landlock()
        facts |= {name: _first_line(Path(path)) for name, path in KERNEL_SWITCHES.items()}
    return facts


def _landlock() -> str:
    try:
        version = landlock.version()
    except StepRefused as error:
        return str(error)
    return f"version {version}" if version else "missing or refused"


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or "empty"
    except OSError:
        return "not there"


def _gpus() -> tuple[str, ...]:
    """Return the GPUs that a driver or the system lists, without loading a driver."""
    lines = []
    for file in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information")):
        model = [line.split(":", 1)[1].strip() for line in _first_line(file).splitlines() if line.startswith("Model:")]
        lines.append(f"{model[0] if model else 'a GPU without a model name'} (NVIDIA, at {file.parent.name})")
    if not lines:
        lines = [f"an NVIDIA device file, {path}" for path in sorted(Path("/dev").glob("nvidia[0-9]*"))]
    if sys.platform == "darwin" and platform.machine() == "arm64":
        lines.append("Apple GPU, which grading does not use")
    return tuple(lines)


def render(findings: Findings, attempts: bool = True) -> Iterator[str]:
    """Yield the lines that a person reads; `attempts` lists every attempt and its outcome too."""
    width = max(len(name) for name in findings.facts)
    for name, value in findings.facts.items():
        yield f"{name:<{width}}  {value}"
    yield f"{'GPU':<{width}}  {'; '.join(findings.gpus) or 'none found'}"
    for finding in findings.tiers:
        yield ""
        yield f"tier {finding.tier}: {'proven' if finding.proven else 'not proven'}"
        yield f"  {finding.sentence}"
        yield from (f"  Note: {note}" for note in finding.notes)
        for attempt in finding.attempts if attempts else ():
            yield f"  [{'held' if attempt.held else 'FAILED'}] {attempt.name}: {attempt.tried}: {attempt.outcome}"
    yield ""
    yield from other_torch()
    yield findings.verdict
