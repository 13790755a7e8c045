"""A student's own run of the visible checks on their file: what is read, what is run, and what came of it."""

from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from grader.course.content.student_course import StudentFiles, find_student_files, unknown_exercise
from grader.errors import UsageError
from grader.inside.protocol.messages import Cell
from grader.language import translation
from grader.limits import DEFAULT_LIMITS, Limits
from grader.results.verdict import CheckVerdict, ManifestCheck
from grader.source_cells import Source
from grader.submissions.read import read_own
from grader.workers.source_loading import encodable

from .child_runs import Interpreters, OwnRun
from .exercise_sources import sources_of
from .messages import Asked
from .packages import not_in_grading
from .progress import remember


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
    checks: Sequence[ManifestCheck]
    verdicts: dict[str, CheckVerdict]
    notes: list[str]
    problem: str = ""

    @property
    def all_passed(self) -> bool:
        """Whether there were checks and every one of them passed."""
        return bool(self.checks) and all(self.verdicts[check.id].status == "passed" for check in self.checks)


def check_path(
    path: Path, exercise: str | None = None, limits: Limits = DEFAULT_LIMITS, interpreters: Interpreters | None = None,
    language: str = "en", device: str = "cpu",
) -> Checked:  # fmt: skip
    """Run the visible checks on a student's file.

    Args:
        path: The file, its folder, or a folder above it.
        exercise: Only this exercise.
        interpreters: Where it is run; new ones if not given.
        device: Where the code computes: `cpu` or `pretended`.
        language: Of what is said to the student.

    Raises:
        UsageError: Nothing to check was found, the exercise does not exist, or the device is not there.
    """
    with nullcontext(interpreters) if interpreters else closing(Interpreters()) as given:
        files, source = read_student(path, limits, language)
        names = [each.id for each in files.exercises]
        if exercise is not None and exercise not in names:
            raise UsageError(unknown_exercise(exercise, names, language))
        if source.problem is not None:
            return unreadable(files, source)
        wanted = names if exercise is None else [exercise]
        checked = check_cells(files, source, given.run, wanted, limits, device, language)
    notes = [*checked.notes, *lacking(source.cells, source.kind == "ipynb", files.submission, language)]
    if device == "cpu":
        notes += remember(files, (checked.checks, checked.verdicts), sources_of(source, names), language)
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


def lacking(cells: Sequence[Cell], notebook: bool, place: Path, language: str) -> list[str]:
    """Return a sentence about the packages that some code imports and that grading lacks; none where it has all."""
    names = not_in_grading(cells, notebook, place)
    sentence = translation(language).gettext(
        "Not installed where your work is graded: {names}. Code that calls them fails there; using them only in "
        "annotations is fine."
    )
    return [sentence.format(names=", ".join(names))] if names else []


def check_cells(
    files: StudentFiles,
    source: Source,
    run: Callable[[OwnRun], None],
    exercises: Sequence[str],
    limits: Limits = DEFAULT_LIMITS,
    device: str = "cpu",
    language: str = "en",
) -> Checked:
    """Run the visible checks of some exercises on code that was read, or that a kernel holds.

    Args:
        run: Where they are run.
    """
    cells = [Cell(cell.number, encodable(cell.source), cell.grade_id) for cell in source.cells]
    asked = Asked(
        assignment=files.assignment,
        module_name=files.name,
        visible=str(files.visible),
        exercises={each.id: list(each.forbids) for each in files.exercises},
        wanted=list(exercises),
        source=msgspec.structs.replace(source, cells=cells, sha256={}),
        device=device,
        language=language,
        limits=limits,
    )
    own = OwnRun(asked)
    run(own)
    return Checked(files, own.checks, own.verdicts, [*source.notes, *own.notes])
