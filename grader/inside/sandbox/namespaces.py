"""Puts a process into namespaces of its own, on a read-only root that holds only what Python and torch need.

The root is a small tmpfs into which the needed folders are bound at their own paths, so nothing is copied and Python
starts as usual. procfs is not mounted, so a process finds neither itself nor others there.
"""

import os
import socket
import struct
from pathlib import Path
from typing import Any

from .syscalls import checked, libc, syscall

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
ALL = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP

MS_NOSUID, MS_NODEV, MS_BIND = 2, 4, 4096
MS_REC, MS_PRIVATE = 16384, 1 << 18
MNT_DETACH = 2
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4
EMPTY = ".nothing"
"""Name of the empty folder that is mounted over hidden folders."""
INNER_ID = 1000


def unshare(flags: int) -> None:
    """Leave the shared namespaces of these kinds, which the kernel, AppArmor or a container may refuse."""
    names = "user, mount, pid, network, IPC, UTS and cgroup namespaces" if flags == ALL else "a user namespace"
    checked(f"make {names}", libc.unshare(flags))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount something; see mount(2)."""
    texts = [text.encode() if text else None for text in (source, target, kind)]
    checked(f"mount {source or kind} in the new root", libc.mount(*texts, flags, options.encode() or None))


def make_read_only(target: str, devices: bool = False) -> None:
    """Make a mount and all below it read-only, without set-uid programs and without device files."""
    attributes = ATTR_RDONLY | ATTR_NOSUID | (0 if devices else ATTR_NODEV)
    order = struct.pack("<QQQQ", attributes, 0, 0, 0)
    checked(
        f"make {target} read-only", syscall("mount_setattr", AT_FDCWD, target.encode(), AT_RECURSIVE, order, len(order))
    )


def build_root(plan: dict[str, Any], base: str) -> None:
    """Build the new root on a folder and make it this process's root for good.

    Args:
        plan: `binds` and `devices` [source, target], `links` [target, text], `files` with their texts, `masks` and
            `folders` [target].
        base: An empty folder; the mount on it exists only in this mount namespace.
    """
    mount("", "/", "", MS_REC | MS_PRIVATE)
    mount("tmpfs", base, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    Path(base, EMPTY).mkdir(0o555)
    for folder in plan["folders"]:
        Path(base + folder).mkdir(parents=True, exist_ok=True)
    for target, text in plan["links"]:
        link = Path(base + target)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(text)
    for target, text in plan["files"].items():
        file = Path(base + target)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for source, target in plan["binds"]:
        _bind(source, base + target)
        make_read_only(base + target)
    for source, target in plan["devices"]:
        _bind(source, base + target)
        make_read_only(base + target, devices=True)
    for target in plan["masks"]:
        mount(f"{base}/{EMPTY}", base + target, "", MS_BIND)
        make_read_only(base + target)
    make_read_only(base, devices=True)
    _enter(base)


def _bind(source: str, target: str) -> None:
    place = Path(target)
    if Path(source).is_dir():
        place.mkdir(parents=True, exist_ok=True)
    elif not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch(0o644)
    mount(source, target, "", MS_BIND | MS_REC)


def _enter(base: str) -> None:
    os.chdir(base)
    checked("change the root", syscall("pivot_root", b".", b"."))
    checked("unmount the old root", libc.umount2(b".", MNT_DETACH))
    os.chdir("/")


def hide_host_name() -> None:
    """Replace the host name of this UTS namespace."""
    socket.sethostname("localhost")


def leave_root_user() -> None:
    """Become the ordinary user of this user namespace; every capability goes with it at the next exec or at once."""
    if os.getuid() == 0:
        os.setgroups([])
    os.setresgid(INNER_ID, INNER_ID, INNER_ID)
    os.setresuid(INNER_ID, INNER_ID, INNER_ID)
