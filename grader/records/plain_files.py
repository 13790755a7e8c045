"""Opens what a person may have put something else in the place of, such as a pipe that would be waited for for ever."""

import errno
import io
import os
import stat
from pathlib import Path


def open_plain(path: Path) -> io.BufferedReader:
    """Open a file for reading, if it is a plain one and no link.

    Raises:
        OSError: It is not a plain file, or cannot be read.
    """
    if path.is_symlink():
        raise OSError(errno.ELOOP, "it is a link, which is not followed", str(path))
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is not a plain file", str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise
