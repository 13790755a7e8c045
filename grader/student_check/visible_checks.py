"""A student's own run: the visible checks on their file, in a process of its own, on any system.

No jail is needed for one's own code, and no answer is at hand to be kept: the visible suite carries only what the notes
print. The plugin, the comparison and the worker are those of a grading run, so a check says here what it says there.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from grader.course.content.student_course import StudentFiles, find_student_files, unknown_exercise
from grader.course.handed_out.hints import NAME, read_hints, with_hints
from grader.errors import UsageError
from grader.inside.pretended import torch_backend
from grader.inside.protocol.messages import Cell
from grader.inside.protocol.rows import PRETENDED
from grader.language import translation
from grader.limits import DEFAULT_LIMITS, Limits
from grader.results.verdict import CheckVerdict
from grader.source_cells import Source
from grader.submissions.read import read_own
from grader.suite.core.context import AssignmentContext
from grader.suite.core.manifest import Check
from grader.suite.diagnosis.by_report import diagnose_by_report
from grader.suite.diagnosis.called_exercises import blame_called_exercises
from grader.suite.runner.collect import collected
from grader.suite.runner.submission_run import Run
from grader.suite.runner.suite import Suite
from grader.workers.process.clock import Deadline
from grader.workers.process.local_process import LocalWorkers
from grader.workers.process.transport import WorkerSource
from grader.workers.session import WorkerSession

from .exercise_sources import calls_of, sources_of
from .packages import not_in_grading
from .progress import remember

OWN_SECRET = b"a student's own run draws nothing that has to stay unknown"


@dataclass(frozen=True)
class Checked:
    """What a student's run came to.

    Attributes:
        checks: The visible checks in order.
        verdicts: One for each check, by id.
        notes: What the student should know of how the file was read and run.
        problem: Why the file could not be read at all; empty otherwise.
    """

    files: StudentFiles
    checks: list[Check]
    verdicts: dict[str, CheckVerdict]
    notes: list[str]
    problem: str = ""

    @property
    def all_passed(self) -> bool:
        """Whether there were checks and every one of them passed."""
        return bool(self.checks) and all(self.verdicts[check.id].status == "passed" for check in self.checks)


def check_path(
    path: Path, exercise: str | None = None, limits: Limits = DEFAULT_LIMITS, workers: LocalWorkers | None = None,
    language: str = "en", device: str = "cpu",
) -> Checked:  # fmt: skip
    """Run the visible checks on a student's file.

    Args:
        path: The file, its folder, or a folder above it.
        exercise: Only this exercise.
        workers: Where it is run; new ones with these limits if not given.
        device: Where the code computes: `cpu` or `pretended`. Given workers must be of that device.
        language: Of what is said to the student.

    Raises:
        UsageError: Nothing to check was found, the exercise does not exist, or the device is not there.
    """
    require_device(device, language)
    files, source = read_student(path, limits, language)
    known(files, exercise, language)
    if source.problem is not None:
        return unreadable(files, source)
    with nullcontext(workers) if workers else LocalWorkers(limits, device) as given:
        checked = check_cells(files, source, given, exercise, limits, device, language)
    notes = [*checked.notes, *lacking(source.cells, source.kind == "ipynb", files.submission, language)]
    if device == "cpu":
        sources = sources_of(source, [each.id for each in files.exercises])
        notes += remember(files, (checked.checks, checked.verdicts), sources, language)
    return replace(checked, notes=notes)


def read_student(path: Path, limits: Limits, language: str) -> tuple[StudentFiles, Source]:
    """Find what a student works on, and read it."""
    files = find_student_files(path, language)
    names = [each.id for each in files.exercises]
    source, place = read_own(files.submission, names, limits, language, files.whole)
    return replace(files, submission=place), source


def unreadable(files: StudentFiles, source: Source) -> Checked:
    """Return what a check of a file that cannot be read comes to."""
    return Checked(files, [], {}, list(source.notes), str(source.problem))


def require_device(device: str, language: str) -> None:
    """Refuse the pretended device where the installed torch does not support it."""
    if device == PRETENDED and not torch_backend.is_there():
        _ = translation(language).gettext
        sentence = _("torch {version} does not support the pretended device. Install torch 2.13, or check without it.")
        raise UsageError(sentence.format(version=torch.__version__))


def lacking(cells: Sequence[Cell], notebook: bool, place: Path, language: str) -> list[str]:
    """Return a sentence about the packages that some code imports and that grading lacks; none where it has all."""
    names = not_in_grading(cells, notebook, place)
    sentence = translation(language).gettext(
        "Not installed where your work is graded: {names}. Code that calls them fails there; using them only in "
        "annotations is fine."
    )
    return [sentence.format(names=", ".join(names))] if names else []


def known(files: StudentFiles, exercise: str | None, language: str) -> None:
    """Refuse an exercise that an assignment does not have; the sentence names the nearest."""
    names = [each.id for each in files.exercises]
    if exercise is not None and exercise not in names:
        raise UsageError(unknown_exercise(exercise, names, language))


def check_cells(
    files: StudentFiles,
    source: Source,
    workers: WorkerSource | LocalWorkers,
    exercise: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    device: str = "cpu",
    language: str = "en",
) -> Checked:
    """Run the visible checks, or those of one exercise, on code that was read, or on what workers already hold."""
    with collected_suite(files, device) as suite:
        return run_suite(suite, files, source, workers, [exercise], limits, language)


@contextmanager
def collected_suite(files: StudentFiles, device: str = "cpu") -> Iterator[Suite]:
    """Collect the visible checks of an assignment, for any number of runs of `run_suite`."""
    names = [each.id for each in files.exercises]
    course = AssignmentContext(
        assignment=files.assignment,
        module_name=files.name,
        solution=None,
        mistakes={},
        forbids={each.id: list(each.forbids) for each in files.exercises},
        figures={},
        secret=OWN_SECRET,
        device=device,
    )
    with collected(course, names, [files.visible], files.visible, graded=False) as suite:
        yield suite


def run_suite(
    suite: Suite,
    files: StudentFiles,
    source: Source,
    workers: WorkerSource | LocalWorkers,
    exercises: Sequence[str | None],
    limits: Limits = DEFAULT_LIMITS,
    language: str = "en",
) -> Checked:
    """Run collected checks of some exercises, or of all (None), on code that was read or that workers already hold."""
    course = suite.course
    session = WorkerSession(
        workers,
        source.cells,
        limits=limits,
        file_name=source.file_name,
        module_name=files.name,
        exercises=suite.exercises,
        device=course.device,
    )
    with closing(session):
        run = Run(course, session, source.digest, limits, Deadline(limits.submission_wall_s), lambda _: None)
        for exercise in exercises:
            suite.grade(run, exercise)
        checks = [check for check in suite.manifest.checks if check.id in run.verdicts]
        for name, groups in course.forbids.items():
            mine = [check for check in checks if check.spec.exercise == name]
            if groups and mine and all(run.verdicts[check.id].status == "passed" for check in mine):
                run.verdicts.update(_forbidden(replace(run, verdicts={}), suite, name, groups))
        notes = [*source.notes, *session.notes(language)]
        called = calls_of(source, suite.exercises)
        return Checked(files, checks, _explained(files, checks, run.verdicts, called), notes)


def _forbidden(run: Run, suite: Suite, exercise: str, groups: Sequence[str]) -> dict[str, CheckVerdict]:
    """Run an exercise's checks once more without the library's calls that it forbids; return the one that used one.

    Grading asks the same of hidden inputs, where such a call limits the points of the exercise.
    """
    run.session.forbids = groups
    try:
        suite.grade(run, exercise)
    finally:
        run.session.forbids = ()
    return dict([each for each in run.verdicts.items() if each[1].status == "forbidden"][:1])


def _explained(
    files: StudentFiles,
    checks: Sequence[Check],
    verdicts: Mapping[str, CheckVerdict],
    called: Mapping[str, Sequence[str]],
) -> dict[str, CheckVerdict]:
    """Return the verdicts with the hints that their wrong answers, the words of the checks, or other exercises give.

    Args:
        called: The other exercises that the answer to an exercise calls.
    """
    known = read_hints(files.visible.parent / NAME)
    mine = (
        with_hints([verdicts[check.id] for check in checks if check.spec.exercise == name], known.get(name, ()))
        for name in dict.fromkeys(check.spec.exercise for check in checks)
    )
    entries = [check.entry() for check in checks]
    with_diagnosis = diagnose_by_report([verdict for part in mine for verdict in part], entries, {}, {})
    return {verdict.id: verdict for verdict in blame_called_exercises(with_diagnosis, entries, called)}
