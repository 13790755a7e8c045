"""A check and a submission have processor seconds; waiting for a worker that uses none ends as well."""

from types import SimpleNamespace

import pytest

from grader.workers.process import clock
from grader.workers.process.clock import LONGEST_TICK_S, WALL_MORE_S, Allowance, Patience
from grader.workers.process.failures import OutOfTime

STEP_S = 0.25


class Worker:
    """A clock that goes on only when a test says so, and a worker that computes for a share of that time."""

    def __init__(self, share):
        self.share, self.now, self.cpu_s = share, 100.0, 7.0

    def go_on(self, seconds):
        self.now += seconds
        self.cpu_s += seconds * self.share

    def cpu_seconds(self):
        return self.cpu_s


@pytest.fixture
def worker_with(monkeypatch):
    """Return a function that makes a worker, whose clock the kit reads from then on."""

    def make(share):
        worker = Worker(share)
        monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: worker.now))
        return worker

    return make


def waited(worker, check, submission=None):
    """Return how long an exchange that never ends is waited for, and whose limit ends it."""
    before = worker.now
    with pytest.raises(OutOfTime) as caught, Patience(worker, check, submission) as patience:
        while True:
            worker.go_on(STEP_S)
            patience.tick()
    return worker.now - before, str(caught.value)


@pytest.mark.parametrize(("share", "seconds"), [(1.0, 2.0), (0.5, 4.0), (4.0, 0.5), (0.0, 22.0)])
def test_a_check_has_its_processor_seconds_and_one_that_sleeps_is_waited_for_six_times_as_long_and_ten_seconds(
    worker_with, share, seconds
):
    assert waited(worker_with(share), Allowance.of(2.0)) == (pytest.approx(seconds, abs=STEP_S), "check")


def test_the_submissions_own_time_ends_a_check_that_has_time_left(worker_with):
    assert waited(worker_with(1.0), Allowance.of(2.0), Allowance.of(1.0)) == (1.0, "submission")
    assert waited(worker_with(0.0), Allowance.of(2.0), Allowance.of(1.0))[1] == "submission"


def test_all_exchanges_of_a_check_share_its_time_and_what_passes_between_them_is_not_its_time(worker_with):
    worker, check, submission = worker_with(1.0), Allowance.of(9.0), Allowance.of(9.0)
    for _ in range(3):
        with Patience(worker, check, submission):
            worker.go_on(0.5)
        worker.go_on(60.0)
    assert check == submission == Allowance(9.0 - 1.5, 6 * 9.0 + WALL_MORE_S - 1.5)


def test_an_answer_that_took_too_long_is_none_and_a_limit_that_is_over_begins_nothing(worker_with):
    worker, check = worker_with(1.0), Allowance.of(1.0)
    with pytest.raises(OutOfTime), Patience(worker, check):
        worker.go_on(1.5)
    with pytest.raises(OutOfTime), Patience(worker, check):
        pytest.fail("an exchange began")


def test_a_request_among_many_has_a_time_of_its_own_and_all_of_them_theirs(worker_with):
    worker, together = worker_with(1.0), Allowance.of(4.0)
    with Patience(worker, together, call_cpu_s=1.0) as patience:
        for _ in range(3):
            worker.go_on(0.9)
            patience.next_call()
    assert together.cpu_s == pytest.approx(4.0 - 2.7)
    with pytest.raises(OutOfTime), Patience(worker, together, call_cpu_s=1.0):
        worker.go_on(1.1)
    with pytest.raises(OutOfTime), Patience(worker, Allowance.of(1.5), call_cpu_s=1.0) as patience:
        for _ in range(2):
            worker.go_on(0.9)
            patience.next_call()


def test_another_exception_is_not_taken_for_the_end_of_the_time(worker_with):
    worker = worker_with(1.0)
    with pytest.raises(KeyError), Patience(worker, Allowance.of(1.0)):
        worker.go_on(1.5)
        raise KeyError


def test_the_time_in_which_the_grader_itself_was_stopped_is_nobodys(worker_with):
    worker, check = worker_with(0.0), Allowance.of(1.0)
    with Patience(worker, check) as patience:
        worker.go_on(3600.0)
        patience.tick()
    assert check == Allowance(1.0, Allowance.of(1.0).wall_s - LONGEST_TICK_S)


def test_the_clocks_are_read_after_a_quarter_of_a_second_or_when_no_more_is_left(worker_with):
    worker = worker_with(0.0)
    assert Patience(worker, Allowance.of(1.0)).tick_s == clock.TICK_S
    assert Patience(worker, Allowance(1.0, 0.1)).tick_s == pytest.approx(0.1)
    assert Patience(worker, Allowance(1.0, 0.0)).tick_s == clock.LEAST_TICK_S


def test_a_worker_whose_processor_time_cannot_be_read_has_used_none(worker_with):
    worker = worker_with(1.0)
    check = Allowance.of(1.0)
    with Patience(worker, check):
        worker.cpu_seconds = lambda: None
        worker.go_on(0.5)
    assert check.cpu_s == 1.0
