"""Choosing a tier, or refusing with a sentence; no jail is built."""

import sys
from pathlib import Path

import pytest

from grader.errors import IsolationError, UsageError
from grader.inside.sandbox.syscalls import StepRefused
from grader.jail import EscapeAttempt, bootstrap, launch, open_jail, probe, tiers
from grader.limits import Limits

HELD = EscapeAttempt("read", "open a file", "refused with EPERM", True)
LOST = EscapeAttempt("network", "connect to a TCP port", "it worked (0)", False)


@pytest.mark.parametrize(("tier", "tried"), [("auto", tiers.TIERS), ("landlock", ["landlock"])])
def test_when_no_tier_is_proven_each_failure_is_told_and_no_other_tier_is_tried(monkeypatch, tier, tried, refuses):
    def start(order, meanwhile=None):
        raise StepRefused(f"Step one of {order.tier} failed.")

    monkeypatch.setattr(launch, "start", start)
    with refuses(IsolationError) as caught:
        open_jail(tier, limits=Limits())
    assert caught.value.exit_code == 3
    assert [name for name in tiers.TIERS if f"Tier {name!r}:" in caught.value.problem] == [*tried]


def test_an_unknown_tier_is_a_wrong_use(refuses):
    with refuses(UsageError):
        open_jail("chroot", limits=Limits())


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_are_refused_with_a_sentence(monkeypatch, system, refuses):
    monkeypatch.setattr(sys, "platform", system)
    with refuses(IsolationError):
        open_jail(limits=Limits())


def test_one_attempt_that_is_not_held_refuses_the_tier(monkeypatch):
    """The sentence names the attempt, and the half-built jail is closed."""
    closed = []

    class Zygote:
        link = None
        close = staticmethod(lambda: closed.append(True))

    monkeypatch.setattr(launch, "start", lambda order, meanwhile=None: (Zygote(), None))
    monkeypatch.setattr(tiers, "Branch", lambda link: None)
    monkeypatch.setattr(probe, "run", lambda *arguments: [HELD, LOST])
    with pytest.raises(IsolationError) as caught:
        open_jail("no-open", limits=Limits())
    assert "connect to a TCP port from inside (network): it worked (0)." in str(caught.value)
    assert closed == [True]


def test_cuda_is_refused_where_no_file_can_be_opened(monkeypatch, refuses):
    monkeypatch.setattr(launch, "start", lambda order, meanwhile=None: pytest.fail("it must not be built"))
    with refuses(IsolationError):
        open_jail("no-open", limits=Limits(), device="cuda")


def test_the_starting_environment_names_nothing_of_this_machine():
    assert all(str(Path.home()) not in value or str(Path.home()) == "/" for value in launch.ENVIRONMENT.values())
    assert "PYTHONPATH" not in launch.ENVIRONMENT
    assert launch.ENVIRONMENT["OMP_NUM_THREADS"] == launch.ENVIRONMENT["OMP_THREAD_LIMIT"] == "1"


def test_the_command_line_of_a_jail_names_nothing_of_the_kit():
    command = bootstrap.start_command("/usr/bin/python3", 64, fixed_hashes=True)
    kit = str(Path(bootstrap.__file__).parents[2])
    assert not any(kit in word or "grader" in word for word in command)
    assert {"-P", "-s", "-S", "-B"} <= set(command)
