"""Has the live functions of a notebook's kernel checked: in a copy of the kernel, or in the kernel itself.

A copy by fork has the very functions that the student's cells defined, and costs milliseconds. An endless loop, a crash
or a change of torch's settings ends with the copy, and the kernel never sees it. Where torch or the system does not
allow that (see `possible`), the checks run in the kernel itself, and leave it as it was.
"""

import _thread
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from types import ModuleType
from typing import NoReturn

import torch
from torch import nn

from grader.inside.protocol.answers import Defined
from grader.inside.protocol.messages import Load
from grader.inside.source.duplicate_definitions import ParsedSource
from grader.inside.source.executing import Report
from grader.inside.source.module_loading import StudentModule
from grader.inside.worker.request_loop import register
from grader.inside.worker.reset_state import unchanged
from grader.language import translation
from grader.workers.process.clock import TICK_S, Patience
from grader.workers.process.failures import OutOfTime

from .child_runs import Child, OwnRun
from .messages import Asked
from .own_run import run_checks, serve


def possible() -> bool:
    """Return whether a kernel can be copied here.

    Only on Linux: macOS and Windows have no fork that libraries survive. Not beside a GPU: after one backward pass
    torch refuses gradients in every copy.
    """
    return sys.platform == "linux" and not torch.accelerator.is_available()


class LiveModule(StudentModule):
    """What a kernel holds, in the place of a source that is run.

    Args:
        module: The module that the notebook's cells are run in.
        files: The names that its cells were compiled under, with the number of each cell.
        hidden: Names in it that are the kernel's own.
    """

    def __init__(self, module: ModuleType, files: Mapping[str, int], hidden: frozenset[str]) -> None:
        super().__init__()
        self.module: ModuleType = module
        self.files = dict(files)
        self._hidden = hidden

    def load(self, request: Load, read: Callable[[], ParsedSource], report: Report) -> None:
        """Run nothing; what there is to check is there."""

    def names(self) -> list[Defined]:
        """Return what the notebook defines, without what the kernel puts there."""
        return [one for one in super().names() if one.name not in self._hidden and not one.name.startswith("_")]


def run_in_copies(live: LiveModule, own: OwnRun) -> None:
    """Run checks in copies of this kernel."""
    own.in_children(partial(copy_of, live))


def copy_of(live: LiveModule | None, asked: Asked) -> Child:
    """Return a copy of this process that runs checks of live functions, or of a source."""
    reading, writing = os.pipe()
    copy = multiprocessing.get_context("fork").Process(target=_serve, args=(live, asked, writing), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of forks beside threads; the copy uses none of them
        copy.start()
    os.close(writing)
    return Child(copy.pid or 0, lambda: copy.exitcode, os.fdopen(reading, "rb"))


def _serve(live: LiveModule | None, asked: Asked, fd: int) -> NoReturn:
    os.setsid()  # an interrupt of the kernel is for the kernel, which then ends this process
    register("cpu")
    serve(asked, fd, live)


def run_in_kernel(live: LiveModule, own: OwnRun) -> None:
    """Run checks in this very process, and leave it as it was."""
    models = [each for each in vars(live.module).values() if isinstance(each, nn.Module) and "_modules" in vars(each)]
    modes = [(layer, layer.training) for model in models for layer in model.modules()]
    try:
        with unchanged():
            run_checks(own.asked, own.take, live, interrupting)
    finally:
        for layer, training in modes:
            layer.training = training
    own.checks = [check for check in own.checks if not own.verdicts[check.id].excused]
    _ = translation(own.asked.language).gettext
    note = _(
        "Calls that an exercise forbids, and what a GPU refuses, are not looked for in this kernel. Save the notebook "
        "and run `grader check` on it, which looks for both."
    )
    own.notes.append(note)


@contextmanager
def interrupting(patience: Patience) -> Iterator[None]:
    """Interrupt what runs in the main thread when its time is over, again and again until it ends."""
    late, done = threading.Event(), threading.Event()

    def watch() -> None:
        while not done.wait(TICK_S):
            with suppress(OutOfTime):
                patience.look()
                continue
            late.set()
            if hasattr(signal, "pthread_kill"):  # which wakes a sleeper, too
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            else:
                _thread.interrupt_main()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        try:
            yield
        finally:
            done.set()
            watcher.join()
    except KeyboardInterrupt:
        if not late.is_set():
            raise
