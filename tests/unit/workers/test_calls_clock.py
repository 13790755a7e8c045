"""The clock of a check on a machine that has no time for it."""

from types import SimpleNamespace

import pytest

from grader.limits import Limits
from grader.system.stalls import Stalls
from grader.workers.process.clock import MOST_GIVEN_BACK, Allowance, Deadline, Stopwatch
from grader.workers.process.failures import OutOfTime
from grader.workers.process.transport import TICK_S

LIMITS = Limits(check_wall_s=0.2, check_cpu_s=0.2)


class Clock:
    """A clock that goes on only when somebody sleeps, and a worker that waits in a queue for a share of that time."""

    def __init__(self, share):
        self.share, self.now, self.asked = share, 100.0, 100.0

    def monotonic(self):
        return self.now

    def cpu_seconds(self):
        return 0.0

    def newly_queued_seconds(self):
        since, self.asked = self.asked, self.now
        return (self.now - since) * self.share


@pytest.fixture
def told_by(monkeypatch):
    """Return a function that has the kit read one clock, and what its own process computed, from now on."""

    def tell(clock, process_time=lambda: 0.0):
        fake = SimpleNamespace(monotonic=clock.monotonic, process_time=process_time)
        for module in ("grader.workers.process.clock", "grader.workers.process.transport", "grader.system.stalls"):
            monkeypatch.setattr(f"{module}.time", fake)

    return tell


@pytest.fixture
def waited(told_by):
    """Return a function that tells how long an exchange that never ends is waited for, and which limit ends it."""

    def wait(share, deadline=float("inf"), stops=(), limits=LIMITS):
        clock = Clock(share)
        told_by(clock)
        allowance = Allowance.full(limits, Deadline(deadline))
        stops = list(stops)
        with pytest.raises(OutOfTime) as caught, Stopwatch(allowance, clock) as patience:
            while True:
                clock.now += min(patience.left(), 0.001)
                if stops and clock.now - 100.0 > 0.1:
                    clock.now += stops.pop()
                patience.waited()
        return clock.now - 100.0, str(caught.value)

    return wait


@pytest.mark.parametrize(("share", "seconds"), [(0.0, 0.2), (0.5, 0.4), (1.0, 0.2 * (1 + MOST_GIVEN_BACK))])
def test_the_time_in_the_processors_queue_is_given_back_up_to_a_bound(waited, share, seconds):
    assert waited(share) == (pytest.approx(seconds, abs=0.02 if share else 0.01), "wall")


def test_what_the_trusted_side_computes_between_two_calls_is_not_the_checks_time(told_by):
    clock = Clock(0.0)
    told_by(clock, lambda: clock.now)
    allowance = Allowance.full(LIMITS)
    for _ in range(2):
        with Stopwatch(allowance, clock):
            clock.now += 0.05
        clock.now += 60.0
    assert allowance.wall_s == pytest.approx(LIMITS.check_wall_s - 2 * 0.05)


def test_processor_time_is_subtracted_once(told_by):
    clock = Clock(0.0)
    clock.cpu_seconds = lambda: clock.now - 100.0  # it computes all the time
    told_by(clock)
    allowance = Allowance.full(Limits(check_wall_s=9.0, check_cpu_s=9.0))
    for _ in range(3):
        with Stopwatch(allowance, clock):
            clock.now += 2.0
    assert allowance.cpu_s == pytest.approx(3.0)


@pytest.mark.parametrize(("share", "spreads"), [(0.9, True), (0.2, False)])
def test_a_worker_that_hardly_gets_its_processor_may_run_on_any(share, spreads):
    asked = []
    worker = SimpleNamespace(
        cpu_seconds=lambda: 0.0, newly_queued_seconds=lambda: share * TICK_S, unpin=lambda: asked.append(True)
    )
    with Stopwatch(Allowance.full(Limits(check_wall_s=2.0)), worker) as patience:
        before = patience.deadline
        patience.tick()
        assert patience.deadline == pytest.approx(before + share * TICK_S)
    assert bool(asked) == spreads


def test_what_is_given_back_meanwhile_does_not_stretch_the_submissions_own_time():
    worker = SimpleNamespace(cpu_seconds=lambda: 0.0, newly_queued_seconds=lambda: TICK_S, unpin=lambda: None)
    deadline = Deadline(0.5)
    with Stopwatch(Allowance.full(Limits(check_wall_s=2.0), deadline), worker) as patience:
        for _ in range(3):
            patience.tick()
        assert patience.deadline == deadline.at


def test_the_submissions_own_time_is_never_stretched(waited):
    assert waited(1.0, deadline=0.5) == (pytest.approx(0.5, abs=0.02), "submission")


@pytest.mark.parametrize(("deadline", "limit"), [(float("inf"), "wall"), (1.5, "submission")])
def test_the_time_in_which_the_grader_itself_was_stopped_is_nobodys(waited, deadline, limit):
    limits = Limits(check_wall_s=2.0)
    whole = min(limits.check_wall_s, deadline)
    assert waited(0.0, deadline, [60.0], limits) == (pytest.approx(60.0 + whole, abs=TICK_S), limit)


def test_a_stop_between_two_calls_is_put_on_top_of_the_submissions_time(told_by):
    clock, used = Clock(0.0), [0.0]
    told_by(clock, lambda: used[0])
    deadline = Deadline(10.0)
    clock.now += 60.0
    assert not deadline.is_over()
    assert deadline.at == pytest.approx(170.0)
    clock.now, used[0] = clock.now + 8.0, 8.0  # what is computed counts
    assert not deadline.is_over()
    clock.now += 0.9  # and so does a short wait for a turn
    assert not deadline.is_over()
    clock.now, used[0] = clock.now + 1.2, 9.2
    assert deadline.is_over()


class Stopping(Clock):
    """A clock that jumps ahead before one of its readings: whoever reads it was stopped there."""

    def __init__(self, stopped_before):
        super().__init__(0.0)
        self.stopped_before, self.readings = stopped_before, 0

    def monotonic(self):
        self.readings += 1
        if self.readings == self.stopped_before:
            self.now += 60.0
        return self.now


def calls_of_one_check(clock):
    """Make three calls that each take 0.3 s; return what is left of the check's and of the submission's time."""
    deadline = Deadline(2.0)
    allowance = Allowance.full(Limits(check_wall_s=1.5), deadline)
    for _ in range(3):
        with Stopwatch(allowance, clock) as patience:
            patience.left()
            for _ in range(3):
                rest = patience.left()
                clock.now += min(rest, 0.1)
                patience.waited()
    assert not deadline.is_over()
    return allowance.wall_s, deadline.at - clock.now


def test_a_stop_costs_nothing_wherever_it_falls(told_by):
    """As many stops as there are moments to stop at: before each reading of a clock, on every side of a call."""
    left = {}
    for stopped_before in range(60):
        clock = Stopping(stopped_before)
        told_by(clock)
        left[stopped_before] = calls_of_one_check(clock)
        assert clock.readings > 30
    wall, whole = left.pop(0)  # no reading has this number
    assert wall == pytest.approx(0.6)
    assert whole == pytest.approx(1.1)
    for stopped_before, (own, all_own) in left.items():
        assert wall - 1e-6 <= own <= wall + TICK_S, stopped_before
        assert whole - 1e-6 <= all_own <= whole + TICK_S, stopped_before


def test_a_short_wait_for_a_turn_is_no_stall(told_by):
    clock = Clock(0.0)
    told_by(clock)
    stalls = Stalls()
    clock.now += 0.9
    assert stalls.since() == 0.0
    clock.now += 1.4
    assert stalls.since() == pytest.approx(1.4)
    assert stalls.since() == 0.0
