"""The entry of a worker that is a process of its own, on systems and occasions without a jail.

It speaks over its standard input and output, which every system has; both are moved away first, so that a print of C
code or of a library cannot fall into the middle of an answer.
"""

import gc
import os
import pathlib
from typing import Any, NoReturn

import torch

from .request_loop import serve

READY = b"\x06"


def main(fd: int, config: dict[str, Any]) -> NoReturn:
    """Serve requests until the trusted side closes the pipe; `memory_bytes` may be mapped beyond torch itself."""
    gc.freeze()  # torch is in it by now; a collection would look through all of that and find nothing
    gc.enable()
    torch.set_num_threads(1)
    limit_memory(int(config.get("memory_bytes", 0)))
    read_fd, write_fd = os.dup(fd), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in {0, 1, 2, fd}:
        os.dup2(nothing, standard)
    os.write(write_fd, READY)
    serve(read_fd, config, write_fd)


def limit_memory(extra: int) -> None:
    """Limit the address space, where the system tells its size; elsewhere the student's own machine is the limit."""
    sizes = pathlib.Path("/proc/self/statm")
    if extra <= 0 or not sizes.exists():
        return
    import resource

    mapped = int(sizes.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + extra, mapped + extra))
