"""Lets one run at a time write into a folder of reports."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from grader.errors import OutputError
from grader.results.write import output_errors
from grader.text import name_shown

NAME = ".lock"
PATIENCE_S = 60.0
STEP_S = 0.2


@contextlib.contextmanager
def one_run_at_a_time(folder: Path) -> Iterator[None]:
    """Hold the lock on a folder, for which another run may have to end first.

    Raises:
        OutputError: Another run has not ended after PATIENCE_S, or the lock cannot be made.
    """
    with output_errors(folder / NAME):
        descriptor = os.open(folder / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        end = time.monotonic() + PATIENCE_S
        while not _locked(descriptor):
            if time.monotonic() > end:
                problem = f"Another run has been writing into {name_shown(str(folder), 200)} for a minute."
                raise OutputError(problem, "Wait until it ends, or choose another folder with --output.")
            time.sleep(STEP_S)
        yield
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
