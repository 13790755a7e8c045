"""Notices when this process was kept from running: it was stopped (Ctrl-Z), or its machine slept or had no time for it.

Whoever gives somebody a time limit has to leave that time out. A grading run that was stopped for a minute would take
the minute for the students' own otherwise.
"""

import time

STALL_S = 1.0  # waiting for the disk and for a turn among other processes is less, most of the time


class Stalls:
    """Looks at the clocks now and then, and tells what of the time in between this process got nothing of."""

    def __init__(self) -> None:
        self._now, self._used = time.monotonic(), time.process_time()

    def since(self, waited_s: float = 0.0) -> float:
        """Return the seconds since the last look in which this process was kept from running; 0 where they are few.

        Args:
            waited_s: For how long at most it waited for something of its own accord.
        """
        before, used = self._now, self._used
        self._now, self._used = time.monotonic(), time.process_time()
        lost = self._now - before - (self._used - used) - waited_s
        return lost if lost > STALL_S else 0.0
