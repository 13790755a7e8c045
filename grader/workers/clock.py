"""The clock of a check: it runs while student code runs and stands still while the trusted side computes.

On a busy machine a worker may be ready to run and get no processor. That is not the student's time, and it is given
back, up to a bound: the same answer then gets the same verdict however many submissions are graded at once.
"""

import time
from dataclasses import dataclass

from grader.limits import Limits
from grader.workers.failures import OutOfTime
from grader.workers.transport import Patience, Transport

MOST_GIVEN_BACK = 4.0  # times the limit on wall time
A_MOMENT_S = 0.01
LOOK_EVERY_S = 0.1  # a look at the processor time costs as much as half a call


@dataclass
class Allowance:
    """What is left of the limits on wall and processor time, for a check or for a load.

    Attributes:
        wall_s: Seconds by the clock.
        cpu_s: Seconds of processor time.
        finish: When the submission's own time is over, by the monotonic clock.
        looked_at: The worker's processor time when it was last looked at; None before.
        unseen_s: Seconds by the clock since then.
        back_s: Seconds that may still be given back for waiting in the processors' queue.
    """

    wall_s: float
    cpu_s: float
    finish: float = float("inf")
    looked_at: float | None = None
    unseen_s: float = 0.0
    back_s: float = 0.0

    @classmethod
    def full(cls, limits: Limits, finish: float = float("inf"), before: "Allowance | None" = None) -> "Allowance":
        """Return what one check may take.

        Args:
            limits: The limits in force.
            finish: When the submission's own time is over.
            before: That of the check before on the same worker. Its last look at the processor time serves on while it
                is fresh, since a look costs a tenth of a call.
        """
        back = MOST_GIVEN_BACK * limits.check_wall_s
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

    def __enter__(self) -> Patience:
        left = self._allowance
        self._started = time.monotonic()
        if self._started >= left.finish:
            raise OutOfTime("submission")
        if left.wall_s <= 0:
            raise OutOfTime("wall")
        if left.looked_at is None:
            left.looked_at = self._transport.cpu_seconds()
        return Patience(min(self._started + left.wall_s, left.finish), self._look, self._give_back)

    def _give_back(self) -> float:
        """Return the seconds since the worker was last asked in which it was ready to run and did not."""
        left = self._allowance
        back = min(self._transport.newly_queued_seconds(), left.back_s, max(left.finish - time.monotonic(), 0.0))
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
        ended = time.monotonic()
        if ended - self._started > LOOK_EVERY_S:
            self._give_back()
        left.wall_s -= ended - self._started
        left.unseen_s += ended - self._started
        if isinstance(error, OutOfTime) and ended >= left.finish - A_MOMENT_S:
            raise OutOfTime("submission") from None
        if kind is None and left.unseen_s > LOOK_EVERY_S:
            self._look()
