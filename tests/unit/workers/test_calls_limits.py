"""What costs a check no time, and a session no worker."""

import torch

from ...support.workers.open_workers import open_session, shared_workers

X = torch.ones(3)
SOURCE = "def fine(x): return x\n"


def test_session_without_a_call_leases_no_worker():
    count = len(shared_workers().pids)
    session = open_session(SOURCE)
    session.begin_check()
    session.close()
    assert len(shared_workers().pids) == count


def test_analysis_and_load_share_one_worker():
    session = open_session(SOURCE)
    session.analyse(["fine"])
    session.ready()
    count = len(shared_workers().pids)
    session.analyse(["fine"])
    assert len(shared_workers().pids) == count + 1
