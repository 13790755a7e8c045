"""Shows how far a run is: a bar on a terminal, a line now and then elsewhere.

Nothing here starts a thread, since a grading run forks all the time; the bar moves when the run tells it something.
"""

import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

LINE_EVERY_S = 5.0


class ProgressReporter:
    """Counts and prints nothing: the progress reporter of a run that nobody watches."""

    def say(self, sentence: str) -> None:
        """Show a sentence about the run that is about to begin."""

    def begin(self, total: int, kept: int) -> None:
        """Show that a run begins, `kept` of whose submissions were graded before and are the same."""
        self.total, self.done = total, kept
        self._graded, self._first = 0, 0.0

    def advance(self) -> None:
        """Show that one more submission is graded.

        The rate is counted from the first one on: what comes before is the start, which is paid once.
        """
        moment = time.monotonic()
        self._first = self._first or moment
        self.done += 1
        self._graded += 1
        self._show(moment, (self._graded - 1) / (moment - self._first) if moment > self._first else 0.0)

    def end(self) -> None:
        """Show that the run is over, whether all was graded or not."""

    def _show(self, moment: float, rate: float) -> None:
        """Show how far the run is, with the submissions a second, 0 while that cannot be said."""


class LineReporter(ProgressReporter):
    """A line every few seconds, for a log: `120 of 300 graded, 14.2 a second, 13 s left`."""

    def say(self, sentence: str) -> None:
        print(sentence, file=sys.stderr, flush=True)

    def begin(self, total: int, kept: int) -> None:
        super().begin(total, kept)
        self._printed_at = time.monotonic()

    def _show(self, moment: float, rate: float) -> None:
        if moment - self._printed_at >= LINE_EVERY_S and self.done < self.total:
            self._printed_at = moment
            left = f", {rate:.1f} a second, {(self.total - self.done) / rate:.0f} s left" if rate else ""
            self.say(f"{self.done} of {self.total} graded{left}")


class BarReporter(ProgressReporter):
    """A bar on a terminal."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("grading"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=console,
            auto_refresh=False,
            transient=True,
        )
        self._task = self._progress.add_task("", total=None, rate="")

    def say(self, sentence: str) -> None:
        self._progress.console.print(sentence, soft_wrap=True, markup=False)

    def begin(self, total: int, kept: int) -> None:
        super().begin(total, kept)
        self._progress.start()
        self._progress.update(self._task, total=total, completed=kept, refresh=True)

    def _show(self, moment: float, rate: float) -> None:
        shown = f"{rate:.1f} a second" if rate else ""
        self._progress.update(self._task, completed=self.done, rate=shown, refresh=True)

    def end(self) -> None:
        self._progress.stop()


def progress_reporter() -> ProgressReporter:
    """Return what fits the standard error of this process."""
    console = Console(stderr=True, highlight=False)
    return BarReporter(console) if console.is_terminal else LineReporter()
