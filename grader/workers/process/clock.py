"""The clock of a check: it runs while student code runs and stops while the trusted side computes.

On a busy machine a worker may be ready to run and get no processor. That time is given back to the student, up to a
bound, so that an answer gets the same verdict however many submissions are graded at once. Time in which the trusted
process itself was stopped (Ctrl-Z, a sleeping machine) is not counted.
"""

import time
from dataclasses import dataclass, field

from grader.limits import Limits
from grader.system.stalls import Stalls

from .failures import OutOfTime
from .transport import TICK_S, Patience, Transport

MOST_GIVEN_BACK = 20.0  # times the limit on wall time
STARVED = 0.5  # of the time between two looks
A_MOMENT_S = 0.01
LOOK_EVERY_S = 0.1  # a look at the processor time costs as much as half a call


class Deadline:
    """When a submission's own time is over.

    Args:
        seconds: From now on; unlimited if not given.

    Attributes:
        at: The time by the monotonic clock.
        waits: Whether a worker is being waited for, which has its own clock.
        stalls: Reads the clocks, here and while a worker is waited for, so that no moment is left out.
    """

    def __init__(self, seconds: float = float("inf")) -> None:
        self.waits = False
        self.stalls = Stalls()
        self.at = self.stalls.seen + seconds

    def is_over(self) -> bool:
        """Return whether it is over now; time in which this process was stopped since the last call postpones it."""
        self.postpone(self.stalls.since())
        return self.stalls.seen >= self.at

    def postpone(self, seconds: float) -> None:
        """Add time that was not the submission's own."""
        self.at += seconds


@dataclass
class Allowance:
    """What is left of the limits on wall and processor time, for a check or for a load.

    Attributes:
        wall_s: Seconds by the clock.
        cpu_s: Seconds of processor time.
        deadline: When the submission's own time is over.
        looked_at: The worker's processor time when it was last read; None before.
        unseen_s: Seconds by the clock since then.
        back_s: Seconds that may still be given back for waiting for a processor.
    """

    wall_s: float
    cpu_s: float
    deadline: Deadline = field(default_factory=Deadline)
    looked_at: float | None = None
    unseen_s: float = 0.0
    back_s: float = 0.0

    @classmethod
    def full(cls, limits: Limits, deadline: Deadline | None = None) -> "Allowance":
        """Return the full time of one check; without a deadline the submission's own time never ends."""
        back = MOST_GIVEN_BACK * limits.check_wall_s
        return cls(limits.check_wall_s, limits.check_cpu_s, deadline or Deadline(), back_s=back)


class Stopwatch:
    """Subtracts the time of one exchange from an allowance.

    Args:
        allowance: What may still be used; less after the exchange.
        transport: The worker whose processor time is watched.

    Raises:
        OutOfTime: On entry, while waiting or at the end; its message is `wall`, `cpu` or `submission`.
    """

    def __init__(self, allowance: Allowance, transport: Transport) -> None:
        self._allowance = allowance
        self._transport = transport
        self._started = 0.0
        self._patience = Patience(0.0, self._tick, self._give_back)

    def __enter__(self) -> Patience:
        left = self._allowance
        if left.deadline.is_over():
            raise OutOfTime("submission")
        self._patience.stalls, self._started = left.deadline.stalls, left.deadline.stalls.seen
        if left.wall_s <= 0:
            raise OutOfTime("wall")
        if left.looked_at is None:
            left.looked_at = self._transport.cpu_seconds()
        self._patience.deadline = min(self._started + left.wall_s, left.deadline.at)
        left.deadline.waits = True
        return self._patience

    def _tick(self) -> None:
        """Read the processor time, and let a worker that gets hardly any run on other processors."""
        self._look()
        left, back = self._allowance, self._give_back()
        latest = left.deadline.at + self._patience.stalled_s
        self._patience.deadline = min(self._patience.deadline + back, latest)
        if back > STARVED * TICK_S:
            self._transport.unpin()

    def _give_back(self) -> float:
        """Return for how many seconds since the last call the worker was ready to run but had no processor."""
        left = self._allowance
        back = min(self._transport.newly_queued_seconds(), left.back_s, max(left.deadline.at - time.monotonic(), 0.0))
        left.back_s -= back
        left.wall_s += back
        return back

    def _look(self) -> None:
        """Subtract the processor time since the last reading from the allowance."""
        left = self._allowance
        now = self._transport.cpu_seconds()
        if now is not None and left.looked_at is not None:
            left.cpu_s -= now - left.looked_at
            left.looked_at = now
        left.unseen_s = 0.0
        if left.cpu_s < 0:
            raise OutOfTime("cpu")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        left = self._allowance
        left.deadline.waits = False
        self._patience.look()
        ended = left.deadline.stalls.seen
        whole = ended - self._started
        left.deadline.postpone(self._patience.stalled_s)
        if whole > LOOK_EVERY_S:
            self._give_back()
        left.wall_s -= whole - self._patience.stalled_s
        left.unseen_s += whole
        if isinstance(error, OutOfTime) and ended >= left.deadline.at - A_MOMENT_S:
            raise OutOfTime("submission") from None
        if kind is None and left.unseen_s > LOOK_EVERY_S:
            self._look()
