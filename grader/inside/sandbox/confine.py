"""Confines a freshly forked process: only its own descriptors, no rights, limits, Landlock, and the filter last.

What can be prepared once is prepared in the zygote (`Confinement`), since this runs for every submission. A step that
fails ends the process; a partly confined worker never serves requests.
"""

import os
import signal
from typing import Any

from . import landlock, namespaces, rlimits, seccomp
from .bpf import Program
from .syscalls import StepRefused, die_with_parent, forbid_new_privileges, hide_from_tracers, set_capabilities, syscall

SOCKET, RULESET = 3, 4
"""The numbers that a worker's socket and, until it is used, the Landlock ruleset have; the zygote keeps both free."""
_LAST_DESCRIPTOR = 2**32 - 1


def redirect_streams_to_null() -> None:
    """Open /dev/null again as all standard streams: a file opened before a fork is shared by both processes."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number, inheritable=True)
    if null > 2:
        os.close(null)


class Confinement:
    """The confinement of every worker of one zygote.

    Args:
        config: `tier`, `readable` [path, rights] or None, `limits`, `device`, and `tasks`: the limit on its
            user's tasks where workers share a user, None for no limit.

    Raises:
        StepRefused: The tier needs something that this kernel refuses.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        self.tier: str = config["tier"]
        self.limits: dict[str, Any] = config["limits"]
        self.cuda = config["device"] == "cuda"
        self.parent = os.getpid()
        self.tasks: int | None = rlimits.THREADS if self.tier == "namespaces" else config["tasks"]
        readable = config.pop("readable")  # Paths of the course's environment, which a worker must not find in memory.
        self.abi = landlock.version() if self.tier in ("namespaces", "landlock") else 0
        if self.tier == "landlock" and not self.abi:
            raise StepRefused("The kernel offers no Landlock (version 5.13 brought it, and a container may refuse it).")
        self.ruleset = landlock.ruleset(self.abi, readable) if self.abi else -1
        self.program: Program | None = None
        if self.tier != "none":
            self.program = seccomp.prepare(reading=self.tier != "no-open", device=self.cuda)

    def enter(self, link: int, mapped_bytes: int) -> None:
        """Confine this process for good; to be called once, right after the fork.

        Args:
            link: The descriptor that is kept; it becomes number 3.

        Raises:
            StepRefused: The kernel refused a step; the process must end.
        """
        nested = self.tier == "namespaces"
        redirect_streams_to_null()
        self._keep_only(link)
        if self.program is not None:
            forbid_new_privileges()
            if nested:
                namespaces.unshare(namespaces.CLONE_NEWUSER)
            if self.tier != "landlock":
                set_capabilities()
        if self.abi:
            landlock.restrict(RULESET, self.abi)
            os.close(RULESET)
        rlimits.apply(self.limits, mapped_bytes, self.cuda, self.tasks)
        hide_from_tracers()
        die_with_parent()
        if os.getppid() != self.parent:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.program is not None:
            seccomp.install(self.program)

    def _keep_only(self, link: int) -> None:
        os.dup2(link, SOCKET, inheritable=False)
        first = SOCKET + 1
        if self.abi:
            os.dup2(self.ruleset, RULESET, inheritable=False)
            first = RULESET + 1
        if syscall("close_range", first, _LAST_DESCRIPTOR, 0) == -1:
            os.closerange(first, os.sysconf("SC_OPEN_MAX"))
