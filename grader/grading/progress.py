"""Shows how far a run is: a bar on a terminal, a line now and then elsewhere.

Nothing here starts a thread, since a grading run forks all the time; the bar moves when the run tells it something.
"""

import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

LINE_EVERY_S = 5.0


class ProgressReporter:
    """Prints nothing: the progress reporter of a run that nobody watches."""

    def say(self, sentence: str) -> None:
        """Show a sentence about the run that is about to begin."""

    def begin(self, total: int, kept: int) -> None:
        """Show that a run begins, `kept` of whose submissions were graded before and are the same."""

    def advance(self) -> None:
        """Show that one more submission is graded."""

    def end(self) -> None:
        """Show that the run is over, whether all was graded or not."""


class Pace:
    """How fast a run goes, from its first graded submission on; what comes before is the start, which is paid once."""

    def __init__(self) -> None:
        self._done = 0
        self._began = 0.0

    def count(self, moment: float) -> None:
        """Count one more submission."""
        self._began = self._began or moment
        self._done += 1

    def rate(self, moment: float) -> float:
        """Return the submissions a second, 0 while that cannot be said."""
        return (self._done - 1) / (moment - self._began) if self._done > 1 and moment > self._began else 0.0


class LineReporter(ProgressReporter):
    """A line every few seconds, for a log."""

    def say(self, sentence: str) -> None:
        print(sentence, file=sys.stderr, flush=True)

    def begin(self, total: int, kept: int) -> None:
        self.total, self.done, self.pace = total, kept, Pace()
        self.printed_at = time.monotonic()

    def advance(self) -> None:
        self.done += 1
        moment = time.monotonic()
        self.pace.count(moment)
        if moment - self.printed_at >= LINE_EVERY_S and self.done < self.total:
            self.printed_at = moment
            print(self.line(moment), file=sys.stderr, flush=True)

    def line(self, moment: float) -> str:
        """Return how far the run is: `120 of 300 graded, 14.2 a second, 13 s left`."""
        rate = self.pace.rate(moment)
        left = f", {rate:.1f} a second, {(self.total - self.done) / rate:.0f} s left" if rate else ""
        return f"{self.done} of {self.total} graded{left}"


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
        self._pace = Pace()
        self._console = console

    def say(self, sentence: str) -> None:
        self._console.print(sentence, soft_wrap=True, markup=False)

    def begin(self, total: int, kept: int) -> None:
        self._progress.start()
        self._progress.update(self._task, total=total, completed=kept, refresh=True)

    def advance(self) -> None:
        moment = time.monotonic()
        self._pace.count(moment)
        rate = self._pace.rate(moment)
        self._progress.update(self._task, advance=1, rate=f"{rate:.1f} a second" if rate else "", refresh=True)

    def end(self) -> None:
        self._progress.stop()


def progress_reporter() -> ProgressReporter:
    """Return what fits the standard error of this process."""
    console = Console(stderr=True, highlight=False)
    return BarReporter(console) if console.is_terminal else LineReporter()
