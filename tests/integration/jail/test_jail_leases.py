"""Workers are leased one by one, and a lease that fails costs only itself."""

import os
import resource
from pathlib import Path

import pytest

from grader.jail import LeaseFailed

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
