"""Runs the visible checks and the student's code together in this process, and tells each step before it is taken.

No jail is needed for one's own code, and no answer is at hand to be kept: the visible suite carries only what the notes
print. The plugin, the comparison and the worker are those of a grading run, so a check says here what it says there.
"""

import gc
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NoReturn

import msgspec
import torch

from grader.errors import CourseError, GraderError, UsageError
from grader.inside.forbidden.blocking import install, scan_loaded_modules
from grader.inside.pretended import torch_backend
from grader.inside.protocol.rows import PRETENDED
from grader.inside.source.module_loading import StudentModule
from grader.inside.worker.request_loop import register
from grader.language import translation
from grader.results.verdict import COURSE_ERROR
from grader.suite.core.context import AssignmentContext
from grader.suite.core.manifest import Check, in_order
from grader.suite.examples.model import NAME, read_examples
from grader.suite.runner.collect import Collection
from grader.suite.runner.submission_run import Run
from grader.suite.runner.tries import Job
from grader.workers.process.failures import StudentFailure
from grader.workers.process.in_process import InProcess, Watching
from grader.workers.session import WorkerSession

from .checked import Checked
from .steps import Begun, Collected, Ended, Judged, SourceLoaded, Step

OWN_SECRET = b"a student's own run draws nothing that has to stay unknown"
Emit = Callable[[Step], None]


def run_checks(
    checked: Checked, emit: Emit, student: StudentModule | None = None, watching: Watching | None = None
) -> None:
    """Run the checks that have no verdict yet, and tell each step.

    Args:
        student: What is there already in the place of the source.
        watching: Ends a call that takes too long, in a kernel, where nothing else does; neither a forbidden call nor
            what a GPU refuses is looked for there.

    Raises:
        GraderError: The checks cannot be run.
    """
    files, device = checked.files, checked.device
    if device == PRETENDED and not torch_backend.is_there():
        _ = translation(checked.language).gettext
        sentence = _("torch {version} does not support the pretended device. Install torch 2.13, or check without it.")
        raise UsageError(sentence.format(version=torch.__version__))
    exercises = [exercise.id for exercise in files.exercises]
    examples = read_examples(files.visible.parent / NAME, exercises, checked.language)
    course = AssignmentContext(
        assignment=files.assignment,
        module_name=files.name,
        exercises=exercises,
        solution=None,
        mistakes={},
        forbids={} if watching else {name: known.forbids for name, known in examples.items()},
        figures={},
        secret=OWN_SECRET,
        device=device,
        pretends=watching is None,
    )
    use = partial(_run_suite, checked, emit, InProcess(device, student, emit, watching), course)
    Collection(course, files.visible, None, use, examples).run()
    emit(Ended())


def _run_suite(checked: Checked, emit: Emit, worker: InProcess, course: AssignmentContext, checks: list[Check]) -> None:
    source = checked.source
    entries = [check.entry() for check in checks if check.spec.exercise in checked.wanted]
    emit(Collected(entries))
    session = WorkerSession(
        worker,
        source.cells,
        limits=checked.limits,
        file_name=source.file_name,
        module_name=course.module_name,
        device=checked.device,
        exercises=course.exercises,
        stops=checked.stops,
    )
    with suppress(StudentFailure):  # each check tells of it
        session.ready()
    notes = session.notes(checked.language)
    if not (checked.files.visible.parent / NAME).exists():
        _ = translation(checked.language).gettext
        sentence = _("{file} is not beside {tests}, so fewer checks are run. Put it back as it came.")
        notes.append(sentence.format(file=NAME, tests=checked.files.visible.name))
    emit(SourceLoaded(notes))

    known = {**checked.verdicts}
    for exercise in checked.wanted:
        mine = [check for check in in_order(checks) if check.spec.exercise == exercise]
        told = [known[check.id] for check in mine if check.id in known]
        lost = [verdict for verdict in told if verdict.status != "passed"]
        run = Run(course, checks, session, Job(source, exercise=exercise), lost={exercise: lost})
        for check in [check for check in mine if check.id not in known]:
            emit(Begun(check.id))
            verdict = run.take(check)
            if verdict.suite_raised.startswith(COURSE_ERROR):
                raise CourseError(verdict.suite_raised.removeprefix(COURSE_ERROR).strip(": "))
            emit(Judged(verdict))


def serve(checked: Checked, fd: int, student: StudentModule | None = None) -> NoReturn:
    """Run checks in a process that is there for nothing else, tell the steps on a descriptor, and end the process."""
    try:
        if sys.platform != "win32":
            os.setsid()  # an interrupt is for its parent, which then ends it
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        gc.freeze()  # torch is in it by now; a collection would look through all of that and find nothing
        gc.enable()
        torch.set_num_threads(1)
        install()
        if sys.platform == "linux":
            from grader.system.memory import bound_memory

            bound_memory(checked.limits.memory_bytes)
        with os.fdopen(fd, "wb") as out:

            def emit(step: Step) -> None:
                out.write(msgspec.json.encode(step) + b"\n")
                out.flush()

            try:
                run_checks(checked, emit, student)
            except GraderError as error:
                emit(Ended(type(error).__name__, error.problem, error.hint))
            except Exception as error:  # a fault of the kit, which its reader tells
                emit(Ended(type(error).__name__, f"{error}\n{traceback.format_exc()}"))
    finally:  # this may be a copy of a kernel, and no exception may reach its code
        os._exit(0)


def main() -> None:
    """Read what is asked from standard input, once everything is imported, and answer on standard output."""
    register("cpu")
    scan_loaded_modules()  # as the first call does, for which somebody would wait
    if request := sys.stdin.buffer.read():  # else whoever started it is gone
        serve(msgspec.json.decode(request, type=Checked, dec_hook=lambda kind, text: kind(text)), os.dup(1))
