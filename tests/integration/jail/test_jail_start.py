"""What happens while a jail starts: it may be killed, and something else can be done meanwhile."""

import os
import signal

import pytest

from grader.errors import IsolationError
from grader.jail import launch, open_jail, probe, tiers
from grader.limits import Limits

from ...support.workers.open_workers import ends


@pytest.fixture
def started(monkeypatch):
    """The numbers of the processes that were started to become jails."""
    numbers, lead = [], launch._send_bundles

    def noting(tier, view, pid, *rest):
        numbers.append(pid)
        lead(tier, view, pid, *rest)

    monkeypatch.setattr(launch, "_send_bundles", noting)
    return numbers


@pytest.mark.parametrize("moment", ["starts", "is proven"])
def test_a_jail_that_is_killed_meanwhile_is_started_again_on_the_same_tier(jails, started, monkeypatch, tier, moment):
    jails(tier)  # skips where it is not proven
    started.clear()
    proving = probe.run

    def kill_the_first():
        if len(started) == 1:
            os.kill(started[0], signal.SIGKILL)
            assert ends(started[0])  # or a worker that dies first may look as if it had failed an attempt

    if moment == "is proven":
        monkeypatch.setattr(probe, "run", lambda *rest: kill_the_first() or proving(*rest))
    with open_jail(tier, limits=Limits(), meanwhile=kill_the_first if moment == "starts" else None) as jail:
        assert jail.isolation.tier == tier
    assert len(started) == 2


def test_a_jail_that_is_killed_whenever_it_starts_is_given_up(jails, started):
    jails("no-open")
    started.clear()
    with pytest.raises(IsolationError, match="ended before it was ready"):
        open_jail("no-open", limits=Limits(), meanwhile=lambda: os.kill(started[-1], signal.SIGKILL))
    assert len(started) == tiers.TRIES


def test_something_else_can_be_done_while_the_jail_starts():
    """It is done once, before the jail is handed over, and what goes wrong in it is not hidden."""
    done = []
    with open_jail(limits=Limits(), meanwhile=lambda: done.append("imported")) as jail:
        assert done == ["imported"]
        assert jail.status().alive
    with pytest.raises(ZeroDivisionError):
        open_jail(limits=Limits(), meanwhile=lambda: 1 / 0)
