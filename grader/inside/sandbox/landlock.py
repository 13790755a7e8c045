"""Landlock: lets a process read a list of paths and nothing else, without any privilege.

The zygote builds the list once; a worker only restricts itself to it. Whatever else the kernel's version of Landlock
can restrict (TCP, abstract sockets, signals) is forbidden entirely. Paths that are not listed can still be stat'ed:
Landlock has no rule for that.
"""

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from .syscalls import StepRefused, checked, syscall

READ, WRITE, FOLDER, DEVICE = 1 << 2, 1 << 1, 1 << 3, 1 << 15
_FILE_RIGHTS = READ | WRITE | DEVICE
_VERSION_QUERY = 1
_RULE_PATH = 1
_QUIET = 1
_HANDLED_FILES = ((1, 13), (2, 14), (3, 15), (5, 16))
"""Number of the file rights that exist from each version on."""


def version() -> int:
    """Return the version of Landlock that the kernel offers, 0 if it is missing or refused."""
    return max(0, syscall("landlock_create_ruleset", 0, 0, _VERSION_QUERY))


def file_rights(abi: int) -> int:
    """Return the bits of every file right that a version knows; all of them are restricted."""
    return (1 << max(count for since, count in _HANDLED_FILES if since <= abi)) - 1


def ruleset(abi: int, rules: Iterable[tuple[str, int]]) -> int:
    """Build the list of readable paths.

    Args:
        abi: The version of Landlock.
        rules: Path and rights; a right that does not fit the kind of file or the kernel's version is left out.

    Returns:
        A descriptor for `restrict`.

    Raises:
        StepRefused: A path cannot be opened.
    """
    handled = file_rights(abi)
    network = 0b11 if abi >= 4 else 0
    scopes = 0b11 if abi >= 6 else 0
    attributes = struct.pack("<QQQ", handled, network, scopes)[: 24 if abi >= 6 else 16 if abi >= 4 else 8]
    descriptor = checked(
        "make a Landlock ruleset", syscall("landlock_create_ruleset", ctypes.c_char_p(attributes), len(attributes), 0)
    )
    for path, rights in rules:
        _add(descriptor, path, rights & handled)
    return descriptor


def _add(descriptor: int, path: str, rights: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError as error:
        raise StepRefused(f"The path {path!r} that Python needs cannot be opened ({error.strerror}).") from None
    try:
        if not stat.S_ISDIR(os.fstat(folder).st_mode):
            rights &= _FILE_RIGHTS
        rule = ctypes.c_char_p(struct.pack("<Qi", rights, folder))
        checked(f"allow {path!r} in Landlock", syscall("landlock_add_rule", descriptor, _RULE_PATH, rule, 0))
    finally:
        os.close(folder)


def restrict(descriptor: int, abi: int) -> None:
    """Bind this process to a ruleset for good; its refusals are kept out of the kernel's log where that is possible."""
    flags = _QUIET if abi >= 7 else 0
    checked("restrict this process by Landlock", syscall("landlock_restrict_self", descriptor, flags))
