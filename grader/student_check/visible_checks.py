"""Checks a student's file by the visible checks."""

from contextlib import closing, nullcontext
from pathlib import Path

from grader.course.content.student_course import find_student_files, unknown_exercise
from grader.errors import UsageError
from grader.limits import DEFAULT_LIMITS, Limits
from grader.submissions.read import read_own

from .checked import Checked
from .children import Interpreters
from .exercise_sources import sources_of
from .packages import lacking
from .progress import remember


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
        files, source = read_own(find_student_files(path, language), limits, language)
        names = [entry.id for entry in files.exercises]
        if exercise is not None and exercise not in names:
            raise UsageError(unknown_exercise(exercise, names, language))
        checked = Checked(files, source, [exercise] if exercise else names, device, language, limits)
        if checked.problem:
            return checked
        checked.run_in(given.start)
    checked.notes += lacking(source, files.submission, language)
    if device == "cpu":
        checked.notes += remember(checked, sources_of(source, names))
    return checked
