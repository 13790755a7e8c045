"""Workers are leased one by one, and a lease that fails costs only itself."""

import os
import resource
import socket
import time
from pathlib import Path

import pytest

from grader.inside.protocol import control
from grader.jail import Branch, LeaseFailed

from ...support.jails.raw_jails import raw_jail_or_sentence, raw_worker, wait_for_end


@pytest.mark.skipif(os.geteuid() != 0, reason="another user's processes are in the count")
def test_a_lease_that_fails_for_want_of_processes_costs_only_itself(tier):
    """The zygote lives on, says that it is short of something, and has workers again when there is room."""
    before = resource.getrlimit(resource.RLIMIT_NPROC)
    resource.setrlimit(resource.RLIMIT_NPROC, (40, before[1]))
    try:
        opened = raw_jail_or_sentence(tier)
    finally:
        resource.setrlimit(resource.RLIMIT_NPROC, before)
    if isinstance(opened, str):
        pytest.skip(opened)
    with opened:
        leases = []
        with pytest.raises(LeaseFailed, match="could not be forked"):
            leases += (opened.lease("raw", patience_s=0.0) for _ in range(60))
        assert leases
        for lease in leases:
            lease.sock.close()
            assert wait_for_end(lease.pidfd)
            os.close(lease.pidfd)
        with raw_worker(opened) as worker:
            assert worker.run("answer = 1") == 1


def test_where_memory_runs_out_a_worker_ends_before_the_process_that_forks_workers(tier):
    opened = raw_jail_or_sentence(tier)
    if isinstance(opened, str):
        pytest.skip(opened)
    with opened, raw_worker(opened) as worker:
        pids = [worker.lease.pid, opened._zygote.process.pid, os.getpid()]
        first, second, third = (int(Path(f"/proc/{pid}/oom_score_adj").read_text(encoding="ascii")) for pid in pids)
        assert first > second > third


@pytest.fixture
def scarce_branch(monkeypatch):
    """A branch whose other end has no worker twice, and a worker then; with the pauses that were made."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        pauses = []
        monkeypatch.setattr(time, "sleep", pauses.append)
        monkeypatch.setattr("grader.jail.branch.ENDS_FIRST", "0")  # the worker that is leased here is this process
        for _ in range(2):
            control.send(theirs, control.Refused("No process is left.", again=True))
        link, other = socket.socketpair()
        pidfd = os.pidfd_open(os.getpid())
        control.send(theirs, control.Leased(7), [link.fileno(), pidfd])
        os.close(pidfd)
        link.close()
        other.close()
        yield Branch(ours), pauses
        ours.close()


def test_a_lease_is_asked_for_again_with_growing_pauses(scarce_branch):
    branch, pauses = scarce_branch
    lease = branch.lease()
    assert lease.pid == os.getpid()
    assert len(pauses) == 2 and pauses[0] < pauses[1]
    lease.close()


def test_a_lease_without_patience_fails_at_once(scarce_branch):
    branch, pauses = scarce_branch
    with pytest.raises(LeaseFailed, match="No process is left"):
        branch.lease(patience_s=0.0)
    assert pauses == []
