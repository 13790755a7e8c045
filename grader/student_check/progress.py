"""What a student's checks saw last, kept in one small file in the folder that they work in.

The folder's name begins with a dot, so that nothing in it is taken for work when the whole folder is handed in. Nothing
hangs on the file but what is shown: one that is not whole is left aside, with a sentence.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Literal

import msgspec

from grader.course.content.student_course import StudentFiles
from grader.errors import OutputError
from grader.language import translation
from grader.limits import DEFAULT_LIMITS
from grader.submissions.read import read_own
from grader.system.folder_listing import kind_of
from grader.system.whole_file import write_whole

from .checked import Checked
from .exercise_sources import ExerciseSource, sources_of

FOLDER, NAME = ".grader", "progress.json"
MOST_BYTES = 1_000_000
State = Literal["done", "begun", "open"]


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """An exercise as it was seen last.

    Attributes:
        state: `done` when all visible checks passed, `open` while nothing is written, `begun` in between.
        digest: The hash of its code then; empty where that was a kernel's.
        level: The furthest of the three hints that was asked for.
    """

    state: State = "open"
    digest: str = ""
    level: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0


class Progress(msgspec.Struct, frozen=True):
    """What is known of an assignment.

    Attributes:
        current: The exercise that was worked on last, by name; empty for none.
    """

    exercises: dict[str, Seen] = {}
    current: str = ""

    def of(self, exercise: str) -> Seen:
        return self.exercises.get(exercise, Seen())

    def with_seen(self, exercise: str, seen: Seen) -> "Progress":
        """Return the same, with an exercise as it is now."""
        return msgspec.structs.replace(self, exercises={**self.exercises, exercise: seen})


def read_progress(files: StudentFiles, language: str) -> tuple[Progress, list[str]]:
    """Return what is known of an assignment, and a sentence where the file could not be used."""
    path = files.visible.parent / FOLDER / NAME
    try:
        status = path.stat()
        if kind_of(status.st_mode) is None and status.st_size <= MOST_BYTES:
            return msgspec.json.decode(path.read_bytes(), type=Progress), []
    except FileNotFoundError:
        return Progress(), []
    except (OSError, msgspec.MsgspecError, RecursionError):
        pass
    ignored = translation(language).gettext("{path} was changed or damaged, so your saved progress is ignored.")
    return Progress(), [ignored.format(path=path)]


def write_progress(files: StudentFiles, progress: Progress, language: str) -> list[str]:
    """Keep what is known of an assignment; return a sentence where that could not be done."""
    try:
        write_whole(files.visible.parent / FOLDER / NAME, msgspec.json.format(msgspec.json.encode(progress)) + b"\n")
    except OutputError as problem:
        lost = translation(language).gettext("Your progress could not be saved. {problem}")
        return [lost.format(problem=problem)]
    return []


def is_at_home(files: StudentFiles) -> bool:
    """Return whether the student's file lies in its assignment's folder; a file from elsewhere leaves no trace."""
    return files.submission.parent == files.visible.parent


def after_check(progress: Progress, checked: Checked, sources: Mapping[str, ExerciseSource]) -> Progress:
    for exercise in dict.fromkeys(check.exercise for check in checked.checks):
        mine = [checked.verdicts[check.id].status for check in checked.checks if check.exercise == exercise]
        wrong = next((status for status in mine if status != "passed"), None)
        seen = msgspec.structs.replace(
            progress.of(exercise),
            state="done" if wrong is None else "open" if wrong == "missing" else "begun",
            digest=sources[exercise].digest if exercise in sources else "",
        )
        progress = progress.with_seen(exercise, seen)
    return progress


def remember(checked: Checked, sources: Mapping[str, ExerciseSource]) -> list[str]:
    """Keep what checks saw; return sentences about what went wrong with that."""
    files, language = checked.files, checked.language
    if not is_at_home(files) or not checked.checks:
        return []
    progress, notes = read_progress(files, language)
    return [*notes, *write_progress(files, after_check(progress, checked, sources), language)]


def sources_now(files: StudentFiles, language: str) -> dict[str, ExerciseSource]:
    """Return what the student's files, as they are saved, say of each exercise."""
    names = [exercise.id for exercise in files.exercises]
    _, source = read_own(replace(files, whole=True), DEFAULT_LIMITS, language)
    return sources_of(source, names)


def is_changed(seen: Seen, now: ExerciseSource | None) -> bool:
    """Return whether an exercise that was checked has other code now."""
    return bool(seen.digest) and (now is None or now.digest != seen.digest)


def is_to_run(seen: Seen, now: ExerciseSource | None) -> bool:
    """Return whether an exercise is written, or was, and its saved code is not what was checked last."""
    if now is None:
        return bool(seen.digest)
    return now.digest != seen.digest and (now.written or bool(seen.digest))


def state_of(exercise: str, progress: Progress, sources: Mapping[str, ExerciseSource]) -> tuple[State, bool]:
    """Return how far an exercise is, and whether that is older than its code.

    One that was never checked is begun when something is written.
    """
    seen, now = progress.of(exercise), sources.get(exercise)
    if seen.state != "open" or (seen.digest and not is_changed(seen, now)):
        return seen.state, is_changed(seen, now)
    begun = now is not None and now.written
    return ("begun" if begun else "open"), begun


def done(exercises: Iterable[str], progress: Progress) -> int:
    """Return how many of some exercises are done."""
    return sum(progress.of(exercise).state == "done" for exercise in exercises)


def done_of(exercises: Collection[str], progress: Progress, language: str) -> str:
    """Return in words how many of some exercises are done."""
    of = translation(language).ngettext("{done} of {total} done", "{done} of {total} done", len(exercises))
    return of.format(done=done(exercises, progress), total=len(exercises))
