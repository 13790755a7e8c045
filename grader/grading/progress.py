"""Tells a person how far a run is: a bar on a terminal, a line now and then elsewhere.

Nothing here starts a thread, since a grading run forks all the time; the bar moves when the run tells it something.
"""

import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

LINE_EVERY_S = 5.0


class Teller:
    """Says nothing: what a run uses where nobody looks on."""

    def begin(self, total: int, kept: int) -> None:
        """Tell that a run begins.

        Args:
            total: How many submissions there are.
            kept: How many of them were graded before and are the same.
        """

    def advance(self) -> None:
        """Tell that one more submission is graded."""

    def end(self) -> None:
        """Tell that the run is over, whether all was graded or not."""


class Lines(Teller):
    """A line every few seconds, for a log."""

    def begin(self, total: int, kept: int) -> None:
        self.total, self.done, self.first = total, kept, kept
        self.started = self.told = time.monotonic()

    def advance(self) -> None:
        self.done += 1
        moment = time.monotonic()
        if moment - self.told >= LINE_EVERY_S and self.done < self.total:
            self.told = moment
            print(self.line(moment), file=sys.stderr, flush=True)

    def line(self, moment: float) -> str:
        """Return how far the run is: `120 of 300 graded, 14.2 a second, 13 s left`."""
        rate = (self.done - self.first) / max(moment - self.started, 1e-9)
        left = (self.total - self.done) / rate if rate else 0.0
        return f"{self.done} of {self.total} graded, {rate:.1f} a second, {left:.0f} s left"


class Bar(Teller):
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
        self._first, self._started = 0, 0.0

    def begin(self, total: int, kept: int) -> None:
        self._first, self._started = kept, time.monotonic()
        self._progress.start()
        self._progress.update(self._task, total=total, completed=kept, refresh=True)

    def advance(self) -> None:
        task = self._progress.tasks[0]
        rate = (task.completed + 1 - self._first) / max(time.monotonic() - self._started, 1e-9)
        self._progress.update(self._task, advance=1, rate=f"{rate:.1f} a second", refresh=True)

    def end(self) -> None:
        self._progress.stop()


def teller() -> Teller:
    """Return what fits the standard error of this process."""
    console = Console(stderr=True, highlight=False)
    return Bar(console) if console.is_terminal else Lines()
