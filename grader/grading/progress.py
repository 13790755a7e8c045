"""Shows how far a run is: a bar on a terminal, a line now and then elsewhere.

Nothing here starts a thread, since a grading run forks all the time; the bar moves when the run tells it something.
"""

import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

LINE_EVERY_S = 5.0


class ProgressReporter:
    """Counts the submissions of a run and shows how many are graded.

    Args:
        console: Where that is shown; None for a run that nobody watches.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(quiet=True, force_terminal=False)
        self._bar = Progress(
            TextColumn("grading"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=self._console,
            auto_refresh=False,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("", total=None, rate="")

    def say(self, sentence: str) -> None:
        self._console.print(sentence, soft_wrap=True, markup=False)

    def begin(self, total: int, kept: int) -> None:
        """Show that a run begins, `kept` of whose submissions were graded before and are the same."""
        self._total, self._kept, self._done = total, kept, kept
        self._first, self._said = 0.0, time.monotonic()
        self._bar.start()
        self._bar.update(self._task, total=total, completed=kept, refresh=True)

    def advance(self) -> None:
        """Show that one more submission is graded.

        The rate is counted from the first one on: what comes before is the start, which is paid once.
        """
        moment = time.monotonic()
        self._first = self._first or moment
        self._done += 1
        rate = (self._done - self._kept - 1) / (moment - self._first) if moment > self._first else 0.0
        shown = f"{rate:.1f} a second" if rate else ""
        self._bar.update(self._task, completed=self._done, rate=shown, refresh=True)
        if self._bar.disable and moment - self._said >= LINE_EVERY_S and self._done < self._total:
            self._said = moment
            left = f", {shown}, {(self._total - self._done) / rate:.0f} s left" if rate else ""
            self.say(f"{self._done} of {self._total} graded{left}")

    def end(self) -> None:
        """Show that the run is over, whether all was graded or not."""
        self._bar.stop()
