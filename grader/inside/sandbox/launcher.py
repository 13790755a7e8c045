"""Turns a plain Python process into the zygote's jail and then into the zygote, by exec.

It runs without torch and with one thread, before any student code. The first process of a new pid namespace must be
forked by the process that created the namespace, so in tier 1 this process stays as the parent: when the trusted side
dies, it dies, and the zygote with it.
"""

import contextlib
import json
import os
import signal
import socket
from typing import Any, NoReturn

from . import namespaces
from .syscalls import (
    PR_CAP_AMBIENT,
    PR_CAP_AMBIENT_RAISE,
    PR_SET_KEEPCAPS,
    StepRefused,
    capabilities,
    die_with_parent,
    forbid_new_privileges,
    prctl,
    set_capabilities,
)

CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2
CHANGING_USER = 1 << 6 | 1 << 7
"""CAP_SETGID and CAP_SETUID."""


def main(fd: int, config: dict[str, Any]) -> NoReturn:
    """Enter the tier's isolation and start the zygote.

    Args:
        fd: The socket that brings the bundles of this process and then of the zygote; failures are reported on it.
        config: `tier`, `control` (a descriptor), `parent`, `command`, `environment`, `process` (a number to
            hold this process's folder in procfs as), `plan` and `base` for namespaces, else `become` and `reads_all`.
    """
    link = socket.socket(fileno=fd)
    os.umask(0o022)  # the new root must be readable by a user who owns nothing, whatever the grader's umask is
    try:
        if config["tier"] == "namespaces":
            _into_namespaces(link, config)
        else:
            _into_another_user(config)
        die_with_parent()
        if os.getppid() != config["parent"]:
            raise StepRefused("The process that started the jail ended while it was being built.")
        forbid_new_privileges()
        command = config["command"]
        os.execve(command[0], command, config["environment"])
    except (StepRefused, OSError) as error:
        with contextlib.suppress(OSError):
            link.sendall(json.dumps(str(error)).encode() + b"\n")
    os._exit(1)


def _into_namespaces(link: socket.socket, config: dict[str, Any]) -> None:
    """Enter the namespaces; return only in the first process of the new pid namespace."""
    namespaces.unshare(namespaces.ALL)
    link.sendall(b"\n")
    if link.recv(1) != b"m":
        os._exit(1)
    die_with_parent()
    child = os.fork()
    if child:
        _wait_for_zygote(link, config, child)
    config["parent"] = 0
    _open_own_folder(config["process"])
    namespaces.hide_host_name()
    namespaces.build_root(config["plan"], config["base"])
    namespaces.leave_root_user()


def _open_own_folder(number: int) -> None:
    """Open this process's folder in procfs while procfs is mounted; the zygote reads its threads and maps there."""
    folder = os.open("/proc/self", os.O_PATH | os.O_DIRECTORY)
    os.dup2(folder, number)
    os.close(folder)


def _wait_for_zygote(link: socket.socket, config: dict[str, Any], child: int) -> NoReturn:
    """Wait for the first process of the namespaces and end as it did."""
    link.close()
    os.close(config["control"])
    if os.getppid() != config["parent"]:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _into_another_user(config: dict[str, Any]) -> None:
    """Change to a user that owns nothing; keep the right to read only where Python is readable by root alone."""
    _open_own_folder(config["process"])
    become = config["become"]
    if become is None:
        return
    kept, held = 0, capabilities()
    if held & CHANGING_USER != CHANGING_USER:
        set_capabilities()  # Root without rights, as in a container that dropped them, is a user like another.
        return
    if config["reads_all"]:
        kept = held & 1 << CAP_DAC_READ_SEARCH or held & 1 << CAP_DAC_OVERRIDE
        prctl("keep capabilities over a change of user", PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(become, become, become)
    os.setresuid(become, become, become)
    set_capabilities(kept, kept)
    if kept:
        prctl("keep the right to read Python", PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, kept.bit_length() - 1)
