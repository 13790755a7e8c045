"""Folders of a run in the temporary folder, and the removal of those that killed runs left behind.

A run that is killed by SIGKILL cannot remove its folders, so the next run does. A run locks each of its folders, and
the kernel releases the lock with the last process of the run; until the lock is taken, the pid in the folder's name
protects it.
"""

import contextlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

Purpose = Literal["site", "canary", "grading", "verify"]
_NAME = re.compile(r"(?:site|canary|grading|verify)-(\d+)-\w+")


def make_folder(purpose: Purpose = "site") -> tuple[Path, int]:
    """Remove the folders of dead runs and make an empty one; every user may enter one that a jail is built from.

    Returns:
        The folder, and a descriptor to keep open for as long as it is needed.
    """
    sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{purpose}-{os.getpid()}-"))
    if purpose in ("site", "canary"):
        folder.chmod(0o755)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    _locked(descriptor)
    return folder, descriptor


@contextlib.contextmanager
def kept_folder(purpose: Purpose) -> Iterator[Path]:
    """Yield a folder that is removed at the end, or by the next run if this one is killed."""
    folder, descriptor = make_folder(purpose)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


def sweep() -> None:
    """Remove the folders of runs of this user that have ended without removing them."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(tempfile.gettempdir()):
            match = _NAME.fullmatch(entry.name)
            if match and not Path("/proc", match[1]).exists() and _is_left(entry.path):
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_left(path: str) -> bool:
    """Return whether a folder belongs to this user and is not locked; a link is not followed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        status = os.fstat(descriptor)
        return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and _locked(descriptor)
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    import fcntl  # Not there on Windows, where this module is imported but nothing is built.

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
