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
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

import msgspec
import torch
from torch import nn

from grader.course.content.student_course import files_of_exercise, find_student_files
from grader.inside.protocol.messages import Cell, Load
from grader.inside.protocol.rows import PRETENDED
from grader.inside.source.duplicate_definitions import ParsedSource
from grader.inside.source.executing import Report
from grader.inside.source.module_loading import StudentModule
from grader.inside.worker.reset_state import unchanged
from grader.language import translation
from grader.limits import DEFAULT_LIMITS
from grader.source_cells import Source
from grader.submissions.read import read_own
from grader.workers.process.clock import TICK_S, Patience
from grader.workers.process.failures import OutOfTime

from .checked import Checked
from .children import Child, Interpreters
from .own_run import run_checks, serve
from .packages import lacking
from .progress import remember


def possible() -> bool:
    """Return whether a kernel can be copied here.

    Only on Linux: macOS and Windows have no fork that libraries survive. Not beside a GPU: after one backward pass
    torch refuses gradients in every copy.
    """
    accelerator = getattr(torch, "accelerator", torch.cuda)  # torch 2.5 knows that one alone
    return sys.platform == "linux" and not accelerator.is_available()


def check_shell(shell: Any, exercise: str | None, language: str, device: str) -> Checked:
    here = Path.cwd()
    files = find_student_files(here, language) if exercise is None else files_of_exercise(here, exercise, language)
    names = [entry.id for entry in files.exercises]
    cells = [Cell(number, text) for number, text in enumerate(shell.history_manager.input_hist_parsed) if text.strip()]
    run = Source(cells, "ipynb", f"{files.name}.ipynb")
    held = msgspec.structs.replace(run, cells=[])
    wanted, is_live = [exercise] if exercise else names, device != PRETENDED
    checked = Checked(files, held if is_live else run, wanted, device, language, DEFAULT_LIMITS, in_notebook=True)
    _, saved = read_own(replace(files, whole=False), DEFAULT_LIMITS, language)
    notes = [*saved.notes, *lacking(run, files.submission, language)]
    if is_live:
        notes += check_kernel(shell, checked)
        notes += remember(checked, {})
    else:
        with closing(Interpreters()) as interpreters:
            checked.run_in(interpreters.start)
    checked.notes += notes
    verdicts = checked.verdicts.values()
    for verdict in [verdict for verdict in verdicts if verdict.status == "missing" and not verdict.exception_type]:
        name = next(check.exercise for check in checked.checks if check.id == verdict.id)
        sentence = not_there(shell.user_ns, name, verdict.near, language)
        checked.verdicts[verdict.id] = msgspec.structs.replace(verdict, found=sentence, found_ko=sentence)
    return checked


def not_there(names: Mapping[str, Any], name: str, near: str, language: str) -> str:
    """Return what a kernel holds instead of an exercise: a value, a function of another name, or nothing."""
    _ = translation(language).gettext
    if name in names and not callable(names[name]):
        sentence = _(
            "{name} is a value of type {kind} here, not a function. Run the cell that defines it again, then check "
            "again."
        )
        return sentence.format(name=name, kind=type(names[name]).__name__)
    if near:
        sentence = _("{name} is not defined here, but {near} is. Rename it to {name}, run its cell and check again.")
        return sentence.format(name=name, near=near)
    return _("{name} is not defined here yet. Run the cell that defines it, then check again.").format(name=name)


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
    models = [net for net in vars(live.module).values() if isinstance(net, nn.Module) and "_modules" in vars(net)]
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
        numbers = {text.strip(): number for number, text in enumerate(shell.history_manager.input_hist_parsed)}
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
