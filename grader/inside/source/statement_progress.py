"""Tells how far the run of a source has come, so that a statement which never ends can be named."""

import time
from collections.abc import Callable

EXACT_NOTES = 2000
STATEMENTS_PER_NOTE = 256
SECONDS_PER_NOTE = 0.05
Report = Callable[[int, int], None]
_monotonic = time.monotonic


class StatementProgress:
    """Tells which statement is about to run: of the first 2000 each one, later those after a pause and some others.

    A source of 200,000 statements would otherwise spend its time on saying so.

    Args:
        report: Called with the position of a group and of a statement.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._count = 0
        self._last = 0.0

    def __call__(self, group: int, statement: int) -> None:
        """Note the position of a group and of a statement in it."""
        self._count += 1
        due = self._count <= EXACT_NOTES or self._count % STATEMENTS_PER_NOTE == 0
        if due or _monotonic() - self._last > SECONDS_PER_NOTE:
            self._report(group, statement)
            self._last = _monotonic()
