"""What a grading process makes of the answers of the process that starts workers, which a thread speaks for here."""

import contextlib
import os
import socket
import threading

import pytest

from grader.inside.protocol import control
from grader.jail.branch import Branch, LeaseFailed


@pytest.fixture(autouse=True)
def _this_process_ends_no_sooner(monkeypatch):
    """The worker that is leased here is this process."""
    monkeypatch.setattr("grader.jail.branch.ENDS_FIRST", "0")


@contextlib.contextmanager
def branch_of(*replies):
    """Yield a branch and the requests that came: each reply is a message and the descriptors that go with it.

    After the last reply the other end is closed.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    asked = []

    def answer():
        with theirs:
            for message, descriptors in replies:
                asked.append(control.receive_request(theirs)[0])
                control.send(theirs, message, descriptors)

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        with Branch(ours) as branch:
            yield branch, asked
    finally:
        thread.join()


@contextlib.contextmanager
def worker():
    """Yield what is leased: the answer, with the socket and the handle of this process in the worker's place."""
    left, right = socket.socketpair()
    handle = os.pidfd_open(os.getpid())
    with left, right:
        yield control.Leased(pid=7), [right.fileno(), handle]
    os.close(handle)


def test_what_is_used_up_for_the_moment_is_asked_for_again_with_growing_pauses(monkeypatch):
    pauses = []
    monkeypatch.setattr("grader.jail.branch.time.sleep", pauses.append)
    scarce = control.Refused("There are no processes left.", again=True), []
    with worker() as leased, branch_of(scarce, scarce, leased) as (branch, asked):
        branch.lease(entry="other").close()
        assert [request.entry for request in asked] == ["other"] * 3
        assert len(pauses) == 2 and pauses[0] < pauses[1]
    with branch_of(scarce) as (branch, _), pytest.raises(LeaseFailed) as failed:
        branch.lease(patience_s=0.0)
    assert "There are no processes left." in str(failed.value) and len(pauses) == 2
