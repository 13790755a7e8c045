"""The entry of a worker that is a copy of a running notebook's kernel.

Nothing is loaded into it: the functions are there already, as the student's cells left them. It answers the same
requests as every worker, so a check says of live functions what it says of a file.
"""

import os
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NoReturn

from ..protocol.answers import Defined
from ..protocol.messages import Load
from ..source.duplicate_definitions import ParsedSource
from ..source.executing import Report
from ..source.module_loading import StudentModule
from .local_entry import limit_memory
from .request_loop import _exit, serve


class LiveModule(StudentModule):
    """What a kernel holds, in the place of a source that is run.

    Args:
        module: The module that the notebook's cells are run in.
        files: The names that its cells were compiled under, with the number of each cell.
        hidden: Names in it that are the kernel's own.
    """

    def __init__(self, module: ModuleType, files: Mapping[str, int], hidden: frozenset[str]) -> None:
        super().__init__()
        self.module = module
        self.files = dict(files)
        self._hidden = hidden

    def load(self, request: Load, read: Callable[[], ParsedSource], report: Report) -> None:
        """Run nothing; what there is to check is there."""
        report(0, 0)

    def names(self) -> list[Defined]:
        """Return what the notebook defines, without what the kernel puts there."""
        return [one for one in super().names() if one.name not in self._hidden and not one.name.startswith("_")]


def serve_copy(
    fd: int, module: ModuleType, files: Mapping[str, int], hidden: frozenset[str], settings: Mapping[str, Any]
) -> NoReturn:
    """Answer requests in a process that was forked from a kernel; never returns into the kernel's own code."""
    try:
        os.setsid()  # an interrupt of the kernel is for the kernel, which then ends this process
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        limit_memory(int(settings.get("memory_bytes", 0)))
        serve(fd, {}, student=LiveModule(module, files, hidden))
    except BaseException:  # whatever it is, SystemExit too, must not go up into the kernel that this is a copy of
        _exit(70)
