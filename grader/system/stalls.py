"""Notices when this process was kept from running: it was stopped (Ctrl-Z), or its machine slept or had no time for it.

Whoever gives somebody a time limit has to leave that time out. A grading run that was stopped for a minute would take
the minute for the students' own otherwise.
"""

import time

STALL_S = 1.0  # waiting for the disk and for a turn among other processes is less, most of the time


class Stalls:
    """Looks at the clocks now and then (`seen`), and tells what of the time in between this process got nothing of."""

    def __init__(self) -> None:
        self.seen, self._used = time.monotonic(), time.process_time()

    def since(self, waited_s: float = 0.0, few_s: float = STALL_S) -> float:
        """Return the seconds since the last look in which this process was kept from running; 0 where they are few.

        `waited_s` is for how long at most it waited for something of its own accord.
        """
        before, used = self.seen, self._used
        self.seen, self._used = time.monotonic(), time.process_time()
        lost = self.seen - before - (self._used - used) - waited_s
        return lost if lost > few_s else 0.0
