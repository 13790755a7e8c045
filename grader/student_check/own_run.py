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
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

import msgspec
import torch

from grader.course.handed_out.hints import NAME, read_hints, with_hints
from grader.errors import GraderError, UsageError
from grader.inside.forbidden.blocking import scan_loaded_modules
from grader.inside.pretended import torch_backend
from grader.inside.protocol.rows import PRETENDED
from grader.inside.source.module_loading import StudentModule
from grader.inside.worker.request_loop import register
from grader.language import translation
from grader.results.verdict import CheckVerdict, ManifestCheck
from grader.suite.core.context import AssignmentContext
from grader.suite.core.manifest import Check
from grader.suite.diagnosis.by_report import diagnose_by_report
from grader.suite.diagnosis.called_exercises import blame_called_exercises
from grader.suite.runner.collect import collect
from grader.suite.runner.submission_run import Run
from grader.suite.runner.suite import Suite
from grader.workers.process.failures import StudentFailure
from grader.workers.process.in_process import InProcess, Watching
from grader.workers.session import WorkerSession

from .exercise_sources import calls_of
from .messages import Asked, Begun, Collected, Ended, Judged, SourceLoaded, Step, to_line

OWN_SECRET = b"a student's own run draws nothing that has to stay unknown"
Emit = Callable[[Step], None]


def run_checks(
    asked: Asked, emit: Emit, student: StudentModule | None = None, watching: Watching | None = None
) -> None:
    """Run what is asked, and tell each step.

    Args:
        student: What is there already in the place of the source.
        watching: Ends a call that takes too long, in a kernel, where nothing else does; neither a forbidden call nor
            what a GPU refuses is looked for there.

    Raises:
        GraderError: The checks cannot be run.
    """
    if asked.device == PRETENDED and not torch_backend.is_there():
        _ = translation(asked.language).gettext
        sentence = _("torch {version} does not support the pretended device. Install torch 2.13, or check without it.")
        raise UsageError(sentence.format(version=torch.__version__))
    course = AssignmentContext(
        assignment=asked.assignment,
        module_name=asked.module_name,
        solution=None,
        mistakes={},
        forbids={} if watching else asked.exercises,
        figures={},
        secret=OWN_SECRET,
        device=asked.device,
        pretends=watching is None,
    )
    worker = InProcess(asked.device, student, emit, watching)
    visible = Path(asked.visible)
    collect(course, [*asked.exercises], [visible], visible, partial(_run_suite, asked, emit, worker), graded=False)
    emit(Ended())


def _run_suite(asked: Asked, emit: Emit, worker: InProcess, suite: Suite) -> None:
    entries = [check.entry() for check in suite.manifest.checks if check.spec.exercise in asked.wanted]
    emit(Collected(entries))
    session = WorkerSession(
        worker,
        asked.source.cells,
        limits=asked.limits,
        file_name=asked.source.file_name,
        module_name=asked.module_name,
        device=asked.device,
        exercises=suite.exercises,
        stops=asked.stops,
    )
    with suppress(StudentFailure):  # each check tells of it
        session.ready()
    emit(SourceLoaded(session.notes(asked.language)))
    run = Run(
        suite.course, session, asked.source.digest,
        on_begin=lambda check: emit(Begun(check.id)), on_verdict=lambda verdict: emit(Judged(verdict)),
        verdicts={verdict.id: verdict for verdict in asked.known},
    )  # fmt: skip
    for exercise in asked.wanted:
        suite.grade(run, exercise)
    for exercise in asked.wanted:
        passed = all(run.verdicts[entry.id].status == "passed" for entry in entries if entry.exercise == exercise)
        groups = suite.course.forbids.get(exercise)
        if passed and groups and exercise not in asked.tried:
            session.forbids = groups
            for verdict in _forbidden(suite, run, exercise, emit):
                run.verdicts[verdict.id] = verdict
                emit(Judged(verdict))
            session.forbids = ()
    for verdict in _explained(asked, entries, [run.verdicts[entry.id] for entry in entries]):
        if verdict != run.verdicts[verdict.id]:
            emit(Judged(verdict))


def _forbidden(suite: Suite, run: Run, exercise: str, emit: Emit) -> list[CheckVerdict]:
    """Run an exercise's checks once more, and return the first that made a forbidden call.

    Grading asks the same of hidden inputs, where such a call limits the points of the exercise.
    """

    def begin(check: Check) -> None:
        emit(Begun(check.id, again=True))

    again = replace(run, verdicts={}, on_begin=begin, on_verdict=lambda _: None)
    suite.grade(again, exercise)
    return [verdict for verdict in again.verdicts.values() if verdict.status == "forbidden"][:1]


def _explained(asked: Asked, entries: list[ManifestCheck], verdicts: list[CheckVerdict]) -> list[CheckVerdict]:
    """Return the verdicts with the hints that their wrong answers, the words of the checks, or other exercises give."""
    hints = [hint for each in read_hints(Path(asked.visible).parent / NAME).values() for hint in each]
    diagnosed = diagnose_by_report(with_hints(verdicts, hints), entries, {}, {})
    return blame_called_exercises(diagnosed, entries, calls_of(asked.source, asked.exercises))


def serve(asked: Asked, fd: int, student: StudentModule | None = None) -> NoReturn:
    """Run what is asked in a process that is there for nothing else, tell it on a descriptor, and end the process."""
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        torch.set_num_threads(1)
        if sys.platform == "linux":
            from grader.system.memory import bound_memory

            bound_memory(asked.limits.memory_bytes)
        with os.fdopen(fd, "wb") as out:

            def emit(step: Step) -> None:
                out.write(to_line(step))
                out.flush()

            try:
                run_checks(asked, emit, student)
            except GraderError as error:
                emit(Ended(type(error).__name__, error.problem, error.hint))
            except Exception as error:
                emit(Ended(type(error).__name__, f"{error}\n{traceback.format_exc()}"))
    finally:  # this may be a copy of a kernel, and no exception may reach its code
        os._exit(0)


def main() -> None:
    """Read what is asked from standard input, once everything is imported, and answer on standard output."""
    register("cpu")
    scan_loaded_modules()  # as the first call does, for which somebody would wait
    gc.freeze()  # torch is in it by now; a collection would look through all of that and find nothing
    gc.enable()
    if request := sys.stdin.buffer.read():  # else whoever started it is gone
        serve(msgspec.json.decode(request, type=Asked), os.dup(1))
