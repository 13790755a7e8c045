"""The limits on time: processor seconds of the worker, and a bound on waiting for one that uses none.

Processor seconds are the worker's, whatever else the machine does, so an answer gets the same verdict beside busy
neighbours. A worker that sleeps or waits uses none; after six times the limit and ten seconds it is no longer waited
for.
"""

import time
from dataclasses import dataclass
from typing import Protocol

from .failures import OutOfTime

WALL_TIMES, WALL_MORE_S = 6, 10.0
TICK_S, LEAST_TICK_S = 0.25, 0.001
LONGEST_TICK_S = 1.0  # a longer one is this process's own stop (Ctrl-Z, a sleeping machine), which costs nobody


class HasClock(Protocol):
    """Whatever a worker's processor time can be read of."""

    def cpu_seconds(self) -> float | None:
        """Return the processor time used so far, None where it cannot be read."""


@dataclass
class Allowance:
    """What is left of a limit on time.

    Attributes:
        cpu_s: Seconds of processor time, all threads together.
        wall_s: Seconds of waiting.
    """

    cpu_s: float = float("inf")
    wall_s: float = float("inf")

    @classmethod
    def of(cls, cpu_s: float) -> "Allowance":
        """Return a whole limit of so many seconds of processor time."""
        return cls(cpu_s, WALL_TIMES * cpu_s + WALL_MORE_S)

    @property
    def is_over(self) -> bool:
        return self.cpu_s <= 0 or self.wall_s <= 0

    def take(self, cpu_s: float, wall_s: float) -> None:
        """Subtract what was used."""
        self.cpu_s -= cpu_s
        self.wall_s -= wall_s


class Patience:
    """Subtracts the time of one exchange from allowances, and ends it when one of them is over.

    Args:
        worker: Whose processor time is read.
        check: What the check, or the load, may still use.
        submission: What the whole submission may still use; without a limit if not given.
        call_cpu_s: How long one request may take, where the check's time is that of many.

    Raises:
        OutOfTime: On entry, while waiting or at the end; its message is `check` or `submission`.
    """

    def __init__(
        self,
        worker: HasClock,
        check: Allowance,
        submission: Allowance | None = None,
        call_cpu_s: float = float("inf"),
    ) -> None:
        self._worker, self._check, self._submission = worker, check, submission or Allowance()
        self._call_cpu_s, self._call = call_cpu_s, Allowance.of(call_cpu_s)
        self._cpu_s, self._seen = worker.cpu_seconds() or 0.0, time.monotonic()

    def __enter__(self) -> "Patience":
        self._refuse()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if kind is None:
            self.look()

    @property
    def tick_s(self) -> float:
        """How long to wait at most before the next `tick`, in seconds."""
        return max(LEAST_TICK_S, min(TICK_S, self._check.wall_s, self._submission.wall_s, self._call.wall_s))

    def tick(self) -> None:
        """Look at the clocks if it is time to."""
        if time.monotonic() - self._seen >= self.tick_s:
            self.look()

    def look(self) -> None:
        """Read the clocks, and subtract what was used since they were last read."""
        now, cpu_s = time.monotonic(), self._worker.cpu_seconds() or self._cpu_s
        for allowance in (self._check, self._submission, self._call):
            allowance.take(cpu_s - self._cpu_s, min(now - self._seen, LONGEST_TICK_S))
        self._cpu_s, self._seen = cpu_s, now
        self._refuse()

    def next_call(self) -> None:
        """Give the next request its time; this one has ended."""
        if self._call_cpu_s != float("inf"):
            self.look()
            self._call = Allowance.of(self._call_cpu_s)

    def _refuse(self) -> None:
        if self._check.is_over or self._call.is_over:
            raise OutOfTime("check")
        if self._submission.is_over:
            raise OutOfTime("submission")
