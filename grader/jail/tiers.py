"""Chooses the strongest isolation that can be proven on this machine, and refuses if none can.

For each tier the whole jail is built and a worker tries to escape from it; a tier that is not proven is not used, and
the reason is kept for the person who has to repair it.
"""

import functools
import math
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from grader.errors import IsolationError, UsageError
from grader.inside.protocol import control
from grader.inside.sandbox.syscalls import StepRefused
from grader.limits import Limits

from . import launch, libraries, probe, rootfs
from .branch import Branch

TIERS = ("namespaces", "landlock", "no-open")
UNSAFE = "none"
TRIES = 3  # of a tier whose processes end while it is opened: a kill is not a reason to use a weaker one
CUDA_DESCRIPTORS = 512
_HINT = "Run `grader doctor` to see what this machine offers; `grader check` works without isolation, for practice."


class Isolation(msgspec.Struct, frozen=True, kw_only=True):
    """How student code was confined, for the report.

    Attributes:
        tier: `namespaces`, `landlock`, `no-open`, or `none` if the operator chose it.
        landlock_abi: Version of Landlock in force, 0 for none.
        seccomp: Whether a system-call filter is in force.
        nested_user_namespaces: Whether every worker has a user namespace of its own.
        uid: The worker's user, as this machine counts users.
        kernel: The kernel's release.
        attempts: Number of attempts to escape, all of which failed.
        notes: Sentences on what this isolation does not guarantee.
    """

    tier: str
    landlock_abi: int
    seccomp: bool
    nested_user_namespaces: bool
    uid: int
    kernel: str
    attempts: int
    notes: tuple[str, ...] = ()


class Escaped(StepRefused):
    """A worker escaped, or an attempt ended in a way that proves nothing."""

    def __init__(self, attempts: Sequence[probe.EscapeAttempt]) -> None:
        self.attempts = tuple(attempts)
        super().__init__(next(attempt.sentence for attempt in attempts if not attempt.held))


class Jail(Branch):
    """A proven jail from which workers are leased, by the first connection to its zygote."""

    def __init__(self, zygote: launch.Zygote, isolation: Isolation, attempts: Sequence[probe.EscapeAttempt]) -> None:
        super().__init__(zygote.link)
        self._zygote = zygote
        self.isolation = isolation
        self.attempts = tuple(attempts)

    def close(self) -> None:
        """End the zygote and every worker; in a forked process, only close the connection."""
        self._zygote.close()


def open_jail(
    tier: str = "auto",
    *,
    limits: Limits,
    device: str = "cpu",
    pool: int = 2,
    many: bool = True,
    extra_packages: Sequence[str] = (),
    secret_paths: Sequence[Path] = (),
    extra_entries: Mapping[str, str] | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Jail:
    """Open the strongest jail that can be proven here.

    Call it from the main thread: the jail ends with the thread that opened it.

    Args:
        tier: `auto`, or one of `namespaces`, `landlock`, `no-open` to accept no other; `none` for no isolation at all.
        pool: Number of workers kept ready.
        many: Whether so many workers are expected that making each fork cheaper is worth a tenth of a second or more.
        extra_packages: Installed packages that student code may import besides torch, numpy and einops.
        secret_paths: What must not be readable from inside: course, hidden tests, solutions, kit, class.
        extra_entries: Sources of further modules with a `serve(fd, settings)` that `lease` may name.
        meanwhile: Called while the jail's own process imports torch; after a failure, once more for the next try.

    Raises:
        IsolationError: No tier can be proven; the text names for each the step or attempt that failed.
        UsageError: The tier is unknown.
        CourseError: A package of `extra_packages` is not installed.
    """
    if tier not in ("auto", UNSAFE, *TIERS):
        raise UsageError(f"A tier of isolation is one of auto, {', '.join(TIERS)} and none, not {tier!r}.")
    if not sys.platform.startswith("linux"):
        raise IsolationError(f"This is {platform.system()}, and student code can be shut in only on Linux.", _HINT)
    attempt = functools.partial(
        build, limits=limits, device=device, pool=pool, many=many, extra_packages=extra_packages,
        secret_paths=secret_paths, extra_entries=extra_entries, meanwhile=meanwhile,
    )  # fmt: skip
    failures: list[str] = []
    for name in TIERS if tier == "auto" else (tier,):
        for tries_left in reversed(range(TRIES)):
            try:
                return attempt(name)
            except StepRefused as error:
                if tries_left and isinstance(error, launch.JailEnded):
                    continue
                failures.append(f"Tier {name!r}: {error}")
                break
    problem = f"No isolation could be proven on this machine, so nothing is graded. {' '.join(failures)}"
    raise IsolationError(problem, _HINT)


def build(
    tier: str,
    *,
    limits: Limits,
    device: str,
    pool: int,
    many: bool = True,
    extra_packages: Sequence[str] = (),
    secret_paths: Sequence[Path] = (),
    extra_entries: Mapping[str, str] | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Jail:
    """Build the jail of one tier and prove it; see `open_jail` for the arguments.

    Raises:
        Escaped: An attempt to escape was not held.
        StepRefused: The jail could not be built.
        JailEnded: Its processes stopped answering.
    """
    view = rootfs.view(libraries.find(extra_packages), secret_paths, cuda=device == "cuda")
    numbers = {
        "memory_bytes": limits.memory_bytes,
        "open_files": max(limits.open_files, CUDA_DESCRIPTORS) if device == "cuda" else limits.open_files,
        "cpu_s": math.ceil(limits.submission_cpu_s) + 1,
    }
    settings = {**msgspec.to_builtins(limits), "device": device, "tier": tier}
    order = launch.JailOptions(tier, view, pool, many, numbers, settings, device, extra_entries or {})
    try:
        return _open(order, secret_paths, meanwhile)
    except (OSError, IsolationError) as error:
        raise launch.JailEnded(str(error)) from error


def _open(order: launch.JailOptions, secret_paths: Sequence[Path], meanwhile: Callable[[], None] | None) -> Jail:
    if order.device == "cuda" and order.tier == "no-open":
        raise StepRefused("CUDA opens its device files in every worker, which this tier forbids.")
    if order.device == "cuda" and order.tier == "landlock":
        raise StepRefused("CUDA reads a worker's files of /proc, which this tier shows to nobody.")
    zygote, ready = launch.start(order, meanwhile)
    try:
        branch = Branch(zygote.link)
        attempts: list[probe.EscapeAttempt] = []
        if order.tier != UNSAFE:
            memory = 0 if order.device == "cuda" else order.limits["memory_bytes"]
            allowed = probe.READING_CAPABILITIES if order.tier == "landlock" and not order.view.open_to_all() else 0
            attempts = probe.run(branch, order.tier, secret_paths, order.view.shown(), memory, allowed)
            if not all(attempt.held for attempt in attempts):
                raise Escaped(attempts)
        return Jail(zygote, _isolation(order, branch, ready, len(attempts)), attempts)
    except BaseException:  # no zygote may outlive a jail that was not returned
        zygote.close()
        raise


def _isolation(order: launch.JailOptions, branch: Branch, ready: control.Ready, attempts: int) -> Isolation:
    lease = branch.lease()
    uid = int(probe.kernel_view(lease.pid)["Uid"].split()[0])
    lease.close()
    return Isolation(
        tier=order.tier,
        landlock_abi=ready.landlock,
        seccomp=order.tier != UNSAFE,
        nested_user_namespaces=order.tier == "namespaces",
        uid=uid,
        kernel=platform.release(),
        attempts=attempts,
        notes=tuple(_notes(order, uid)),
    )


def _notes(order: launch.JailOptions, uid: int) -> list[str]:
    notes = []
    if order.tier == UNSAFE:
        notes.append("Student code ran with the rights of the person who graded: it could read and change everything.")
    if order.tier in ("landlock", "no-open"):
        notes.append("Student code can find out whether a path exists, but not read it.")
    if order.tier == "landlock":
        notes.append("Student code can find out where the environment with torch lies.")
        if uid == os.geteuid():
            notes.append("Student code ran as the user who graded; only the kernel's filters kept it apart.")
    if order.tier == "landlock" and os.geteuid() == 0 and not order.view.open_to_all():
        notes.append(
            "Workers keep a capability to read files, since only root reaches Python; Landlock still confines it."
        )
    if order.device == "cuda":
        notes.append("The address space is not limited, because CUDA reserves more than there is; the GPU's driver is")
        notes[-1] += " within reach of student code, and GPU memory is not cleared between submissions by this kit."
    return notes
