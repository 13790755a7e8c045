"""The folder that a jail is built from, and the removal of those that killed runs left behind.

A run that is killed by SIGKILL can tidy nothing, so the next one does. A run holds a lock on its folder, which the
kernel lets go of with the process; the process's number in the folder's name guards the moment before that.
"""

import contextlib
import os
import re
import shutil
import stat
import tempfile
from pathlib import Path

PREFIX = "site-"
_NAME = re.compile(rf"{PREFIX}(\d+)-\w+")


def make_folder() -> tuple[Path, int]:
    """Make an empty folder that every user may enter, after removing what dead runs left.

    Returns:
        The folder, and a descriptor to keep open for as long as it is needed.
    """
    sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    folder.chmod(0o755)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    _locked(descriptor)
    return folder, descriptor


def sweep() -> None:
    """Remove the folders of runs of this user that have ended without removing them."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(tempfile.gettempdir()):
            match = _NAME.fullmatch(entry.name)
            if match and not Path("/proc", match[1]).exists() and _is_left(entry.path):
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_left(path: str) -> bool:
    """Tell whether a folder is this user's own and nobody holds it; a link is not followed."""
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
