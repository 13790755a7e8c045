"""Waits for a save or a key, and answers it: runs what changed, shows the verdict, a hint, or the list.

Most time goes into importing torch, so the process of the next run is started as soon as a verdict is on the screen.
Each run has one of its own, as in `grader check`, and nothing of an earlier run is left in the next.
"""

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text
from watchfiles import watch

from grader.course.content.student_course import StudentFiles, find_student_files
from grader.errors import GraderError, UsageError
from grader.language import translation
from grader.limits import DEFAULT_LIMITS
from grader.student_check.checked import Checked
from grader.student_check.children import Interpreters
from grader.student_check.exercise_sources import sources_of
from grader.student_check.next_hint import next_hint
from grader.student_check.packages import lacking
from grader.student_check.progress import (
    after_check,
    done,
    done_of,
    is_at_home,
    is_to_run,
    read_progress,
    sources_now,
    write_progress,
)
from grader.student_check.progress_table import progress_table
from grader.student_check.render import run_overview
from grader.student_check.terminal import show
from grader.submissions.read import read_own
from grader.system.folder_listing import SUFFIXES
from grader.system.stopping import raise_if_asked

from .keys import pressed_keys

STEP_MS, LOOK_MS = 20, 100  # how long a save may take, and how often the keys are looked at


def watch_path(path: Path, interpreters: Interpreters, language: str, console: Console) -> None:
    """Watch a student's file, or the two of an assignment's folder, until the key `q` is pressed."""
    _ = translation(language).gettext
    files = find_student_files(path, language)
    names = None if files.whole else {files.submission.name}
    with (
        pressed_keys() as read,
        closing(_saves(files.submission.parent, names, language)) as saves,
    ):
        watched = Watched(path, files, interpreters, language, console)
        begun = False
        for saved in saves:
            raise_if_asked()
            if saved or not begun:
                watched.run()
                if not begun and read is None:
                    watched.echo([_("This is not a terminal, so no keys are read. Ctrl-C ends it.")])
                begun = True
            for key in read() if read else "":
                if key == "q":
                    watched.end()
                    return
                watched.answer(key)


def _saves(folder: Path, names: set[str] | None, language: str) -> Generator[bool, None, None]:
    """Yield again and again whether one of some files of a folder was changed; a file that was renamed to it is new.

    Without names it is any program: also one under another name may be what is checked.
    """

    def is_watched(_: object, place: str) -> bool:
        name = Path(place).name
        return name in names if names else name.endswith(SUFFIXES) and not name.startswith(".")

    try:
        for changes in watch(
            folder,
            watch_filter=is_watched,
            step=STEP_MS,
            rust_timeout=LOOK_MS,
            yield_on_timeout=True,
            recursive=False,
        ):
            if not folder.is_dir():
                raise FileNotFoundError(2, "it is gone")
            yield bool(changes)
    except (OSError, RuntimeError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        gone = translation(language).gettext(
            "The folder {place} cannot be watched: {problem}. Start `grader watch` again in the assignment's folder."
        )
        raise UsageError(gone.format(place=folder, problem=reason)) from None


class Watched:
    """An assignment under watch.

    Attributes:
        current: The exercise that keys are about.
    """

    def __init__(
        self, path: Path, files: StudentFiles, interpreters: Interpreters, language: str, console: Console
    ) -> None:
        self.path, self.files, self.interpreters, self.language, self.console = (
            path, files, interpreters, language, console,
        )  # fmt: skip
        self._progress, _ = read_progress(files, language)
        self._kept = True
        self.names = names = [exercise.id for exercise in files.exercises]
        left = (name for name in names if self._progress.of(name).state != "done")
        self.current = self._progress.current if self._progress.current in names else [*left, *names, ""][0]

    def answer(self, key: str) -> None:
        """Do what a key asks for; other keys ask for nothing."""
        if key == "r":
            self.run([self.current])
        elif key == "h":
            self.echo(next_hint(self.files, self.current, self.language))
        elif key == "l":
            sources = sources_now(self.files, self.language)
            self.console.print(progress_table(self.files, self._progress, sources, self.language))
        elif key == "n":
            at = self.names.index(self.current) + 1 if self.names else 0
            left = [name for name in [*self.names[at:], *self.names[:at]] if self._progress.of(name).state != "done"]
            if left:
                self.current = left[0]
                self.run(left[:1])
            else:
                self.echo([self._all_done()])

    def end(self) -> None:
        """Say where the next watching begins, if that was kept."""
        if self._kept and self.names and is_at_home(self.files):
            ends = translation(self.language).gettext(
                "Your progress is saved. Next time `grader watch` begins with {name}."
            )
            self.echo([ends.format(name=self.current)])

    def _all_done(self) -> str:
        return translation(self.language).gettext("Every exercise is done. Grading runs more checks than these.")

    def echo(self, sentences: Sequence[object]) -> None:
        for sentence in sentences:
            self.console.print(Text(str(sentence)))

    def run(self, exercises: Sequence[str] = ()) -> None:
        """Run exercises and show what came of them; those that were changed, or else the current one, if none is given.

        Whatever is wrong with the student's file is a sentence.
        """
        try:
            checked = self._checked(exercises)
        except GraderError as error:
            self.echo([error])
        else:
            self._show(checked)
        self.interpreters.prepare()

    def _checked(self, exercises: Sequence[str]) -> Checked:
        files, source = read_own(find_student_files(self.path, self.language), DEFAULT_LIMITS, self.language)
        self.files = files
        notes: list[str] = []
        if self._kept and is_at_home(files):  # `grader check` and `grader hint` may have written it meanwhile
            self._progress, notes = read_progress(files, self.language)
        if source.problem is not None:
            return Checked(files, source)
        sources = sources_of(source, self.names)
        exercises = exercises or [name for name in self.names if is_to_run(self._progress.of(name), sources.get(name))]
        if exercises and self.current not in exercises:
            self.current = exercises[0]
        exercises = exercises or [self.current]
        checked = Checked(files, source, exercises, "cpu", self.language, DEFAULT_LIMITS)
        checked.run_in(self.interpreters.start)
        notes += lacking(source, files.submission, self.language)
        self._progress = msgspec.structs.replace(after_check(self._progress, checked, sources), current=self.current)
        if is_at_home(files):
            lost = write_progress(files, self._progress, self.language)
            self._kept, notes = not lost, [*notes, *lost]
        checked.notes += notes
        return checked

    def _show(self, checked: Checked) -> None:
        if self.console.is_terminal:
            self.console.clear()
        show(run_overview(checked), self.language, self.console)
        _ = translation(self.language).gettext
        lines = [f"{self.files.assignment}: {done_of(self.names, self._progress, self.language)}."]
        if done(self.names, self._progress) == len(self.names):
            lines.append(self._all_done())
        elif self.console.is_terminal and self._progress.of(self.current).state == "done":
            lines.append(_("{name} is done. Press n for the next exercise.").format(name=self.current))
        self.echo(["", *lines])
        if self.console.is_terminal:
            self.console.print(Text(_("h hint   l list   n next   r rerun   q quit"), style="dim"))
