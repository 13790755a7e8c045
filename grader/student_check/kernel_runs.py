"""Has the live functions of a notebook's kernel checked: in a copy of the kernel, or in the kernel itself.

A copy by fork has the very functions that the student's cells defined, and costs milliseconds. An endless loop, a crash
or a change of torch's settings ends with the copy, and the kernel never sees it. Where torch or the system does not
allow that (see `possible`), the checks run in the kernel itself, and leave it as it was.
"""

import _thread
import linecache
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import FrameType, FunctionType, ModuleType
from typing import Any

import torch
from torch import nn

from grader.inside.protocol.messages import Load
from grader.inside.source.duplicate_definitions import ParsedSource
from grader.inside.source.executing import Report
from grader.inside.source.module_loading import StudentModule
from grader.inside.worker.reset_state import unchanged
from grader.language import translation
from grader.workers.process.clock import TICK_S, Patience
from grader.workers.process.failures import OutOfTime

from .checked import Checked
from .children import Child
from .own_run import run_checks, serve


def possible() -> bool:
    """Return whether a kernel can be copied here.

    Only on Linux: macOS and Windows have no fork that libraries survive. Not beside a GPU: after one backward pass
    torch refuses gradients in every copy.
    """
    accelerator = getattr(torch, "accelerator", torch.cuda)  # torch 2.5 knows that one alone
    return sys.platform == "linux" and not accelerator.is_available()


def check_kernel(shell: Any, checked: Checked) -> list[str]:
    """Check the live functions of a shell; returns sentences about where they come from, and what held a check up."""
    files, copied = code_files(shell), possible()
    live = LiveModule(shell.user_module, files)
    if copied:
        checked.run_in(partial(copy_of, live))
    else:
        run_in_kernel(live, checked)
    notes = from_elsewhere(shell.user_ns, checked)
    hung = any(verdict.status == "timeout" for verdict in checked.verdicts.values())
    if copied and hung and has_threads(files):
        notes.append(
            translation(checked.language).gettext(
                "A thread that a cell started is still running. The check runs in a copy of the kernel without it, "
                "where a lock that the thread holds is never released. End the thread, or restart the kernel, and "
                "check again."
            )
        )
    return notes


class LiveModule(StudentModule):
    """What a kernel holds, in the place of a source that is run.

    Args:
        module: The module that the notebook's cells are run in.
        files: The names that its cells were compiled under, with the number of each cell.
    """

    def __init__(self, module: ModuleType, files: Mapping[str, int]) -> None:
        super().__init__()
        self.module: ModuleType = module
        self.files = dict(files)

    def load(self, request: Load, read: Callable[[], ParsedSource], report: Report) -> None:
        """Run nothing; what there is to check is there."""


def copy_of(live: LiveModule | None, checked: Checked) -> Child:
    """Return a copy of this process that runs checks of live functions, or of a source."""
    reading, writing = os.pipe()
    copy = multiprocessing.get_context("fork").Process(target=serve, args=(checked, writing, live), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of forks beside threads; the copy uses none of them
        copy.start()
    os.close(writing)

    def wait() -> int:
        copy.join()
        return copy.exitcode or 0

    assert copy.pid is not None
    return Child(copy.pid, wait, os.fdopen(reading, "rb"))


def run_in_kernel(live: LiveModule, checked: Checked) -> None:
    """Run checks in this very process, and leave it as it was."""
    models = [each for each in vars(live.module).values() if isinstance(each, nn.Module) and "_modules" in vars(each)]
    modes = [(layer, layer.training) for model in models for layer in model.modules()]
    try:
        with unchanged():
            run_checks(checked, checked.take, live, interrupting)
    finally:
        for layer, training in modes:
            layer.training = training
    checked.checks = [check for check in checked.checks if not checked.verdicts[check.id].excused]
    _ = translation(checked.language).gettext
    note = _(
        "Calls that an exercise forbids, and what a GPU refuses, are not looked for in this kernel. Save the notebook "
        "and run `grader check` on it, which looks for both."
    )
    checked.notes.append(note)


@contextmanager
def interrupting(patience: Patience) -> Iterator[None]:
    """Interrupt what runs in the main thread when its time is over, again and again until it ends."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(TICK_S):
            try:
                patience.look()
            except OutOfTime:
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
        patience.look()
        raise


def code_files(shell: Any) -> dict[str, int]:
    """Return the names under which the shell compiled its cells, each with the number that the student sees."""
    files: dict[str, int] = {}
    if not hasattr(shell.compile, "format_code_name"):  # IPython 7, as in Colab: known by their texts alone
        numbers = {text.strip(): number for number, text in enumerate(shell.user_ns.get("In", []))}
        known = getattr(linecache, "_ipython_cache", {}).items()
        return {file: numbers[text] for file, entry in known if (text := "".join(entry[2]).strip()) in numbers}
    for file in list(linecache.cache):
        code_name = shell.compile.format_code_name(file)  # ("Cell", "In[3]") for a cell, None for any other file
        number = code_name[1][3:-1] if code_name and str(code_name[1]).startswith("In[") else ""
        if number.isdigit():
            files[file] = int(number)
    return files


def has_threads(files: Mapping[str, int]) -> bool:
    """Return whether a thread other than this one is running code of the cells; the kernel's own threads do not."""
    for ident, frame in sys._current_frames().items():
        at: FrameType | None = frame if ident != threading.get_ident() else None
        while at is not None:
            if at.f_code.co_filename in files:
                return True
            at = at.f_back
    return False


def from_elsewhere(names: Mapping[str, Any], checked: Checked) -> list[str]:
    """Return a sentence for each exercise whose function comes from another file, which the grader does not get."""
    notes = []
    elsewhere = translation(checked.language).gettext(
        "{name} comes from another file ({module}). Only the notebook is handed in, so write it into a cell."
    )
    for exercise in checked.wanted:
        value = names.get(exercise)
        home = getattr(value, "__module__", "__main__") if isinstance(value, FunctionType | type) else "__main__"
        if home != "__main__":
            notes.append(elsewhere.format(name=exercise, module=str(home)[:100]))
    return notes
