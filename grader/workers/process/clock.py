"""The clock of a check: it runs while student code runs and stands still while the trusted side computes.

On a busy machine a worker may be ready to run and get no processor. That is not the student's time, and it is given
back, up to a bound: the same answer then gets the same verdict however many submissions are graded at once. What the
trusted process itself was kept from running (Ctrl-Z, a machine that slept) is nobody's time, and is left out.
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


class Finish:
    """When a submission's own time is over.

    Args:
        seconds: From now on; no end if not given.

    Attributes:
        at: By the monotonic clock.
        waits: Whether a worker is being waited for, by a clock of its own.
        stalls: Looks at the clocks, here and while a worker is waited for, so that no moment is between two clocks.
    """

    def __init__(self, seconds: float = float("inf")) -> None:
        self.waits = False
        self.stalls = Stalls()
        self.at = self.stalls.seen + seconds

    def is_over(self) -> bool:
        """Tell whether it is over now; what this process was kept from running since the last look puts it off."""
        self.put_off(self.stalls.since())
        return self.stalls.seen >= self.at

    def put_off(self, seconds: float) -> None:
        """Add time that was not the submission's own."""
        self.at += seconds


@dataclass
class Allowance:
    """What is left of the limits on wall and processor time, for a check or for a load.

    Attributes:
        wall_s: Seconds by the clock.
        cpu_s: Seconds of processor time.
        finish: When the submission's own time is over.
        looked_at: The worker's processor time when it was last looked at; None before.
        unseen_s: Seconds by the clock since then.
        back_s: Seconds that may still be given back for waiting in the processors' queue.
    """

    wall_s: float
    cpu_s: float
    finish: Finish = field(default_factory=Finish)
    looked_at: float | None = None
    unseen_s: float = 0.0
    back_s: float = 0.0

    @classmethod
    def full(cls, limits: Limits, finish: Finish | None = None, before: "Allowance | None" = None) -> "Allowance":
        """Return what one check may take.

        Args:
            limits: The limits in force.
            finish: When the submission's own time is over; never if not given.
            before: That of the check before on the same worker. Its last look at the processor time serves on while it
                is fresh, since a look costs a tenth of a call.
        """
        back = MOST_GIVEN_BACK * limits.check_wall_s
        finish = finish or Finish()
        if before is None or before.unseen_s > LOOK_EVERY_S:
            return cls(limits.check_wall_s, limits.check_cpu_s, finish, back_s=back)
        seen, unseen = before.looked_at, before.unseen_s
        return cls(limits.check_wall_s, limits.check_cpu_s, finish, looked_at=seen, unseen_s=unseen, back_s=back)


class Stopwatch:
    """Takes the time of one exchange off an allowance.

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
        if left.finish.is_over():
            raise OutOfTime("submission")
        self._patience.stalls, self._started = left.finish.stalls, left.finish.stalls.seen
        if left.wall_s <= 0:
            raise OutOfTime("wall")
        if left.looked_at is None:
            left.looked_at = self._transport.cpu_seconds()
        self._patience.deadline = min(self._started + left.wall_s, left.finish.at)
        left.finish.waits = True
        return self._patience

    def _tick(self) -> None:
        """Look at the processor time, and give a worker that hardly gets any somewhere else to run."""
        self._look()
        left, back = self._allowance, self._give_back()
        latest = left.finish.at + self._patience.stalled_s
        self._patience.deadline = min(self._patience.deadline + back, latest)
        if back > STARVED * TICK_S:
            self._transport.spread()

    def _give_back(self) -> float:
        """Return the seconds since the worker was last asked in which it was ready to run and did not."""
        left = self._allowance
        back = min(self._transport.newly_queued_seconds(), left.back_s, max(left.finish.at - time.monotonic(), 0.0))
        left.back_s -= back
        left.wall_s += back
        return back

    def _look(self) -> None:
        """Take the processor time since the last look off the allowance."""
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
        left.finish.waits = False
        self._patience.look()
        ended = left.finish.stalls.seen
        whole = ended - self._started
        left.finish.put_off(self._patience.stalled_s)
        if whole > LOOK_EVERY_S:
            self._give_back()
        left.wall_s -= whole - self._patience.stalled_s
        left.unseen_s += whole
        if isinstance(error, OutOfTime) and ended >= left.finish.at - A_MOMENT_S:
            raise OutOfTime("submission") from None
        if kind is None and left.unseen_s > LOOK_EVERY_S:
            self._look()
