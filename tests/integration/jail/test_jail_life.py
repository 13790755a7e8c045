"""How a jail lives and dies: with its parent, with its branches, with its workers, and under other users."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from grader.errors import IsolationError
from grader.jail import open_jail

from ...support.jails.raw_jails import (
    LIMITS,
    OPEN,
    ROOT,
    Ended,
    parent_of,
    python_for_everybody,
    raw_jail_or_sentence,
    raw_worker,
    run_program,
    wait_for_end,
)

OWNER = """
import sys, time
from grader.jail import open_jail
from tests.support.jails.raw_jails import LIMITS, RAW
jail = open_jail(sys.argv[1], limits=LIMITS, pool=2, extra_entries={"raw": RAW})
leases = [jail.lease("raw"), jail.lease()]
print(*(lease.pid for lease in leases), flush=True)
time.sleep(600)
"""


@pytest.fixture
def own_jail():
    """Open the strongest jail for a test that ends it."""
    opened = raw_jail_or_sentence("auto", pool=1)
    if isinstance(opened, str):
        pytest.skip(opened)
    with opened:
        yield opened


def test_everything_dies_when_the_grader_is_killed(tier):
    """A kill of the trusted process, which it cannot prepare for, leaves neither a zygote nor a busy worker."""
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, tier], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    line = owner.stdout.readline()
    if not line:
        _, errors = owner.communicate()
        reason = errors.strip().splitlines()[-1]
        assert reason.startswith("grader.errors.IsolationError: "), errors
        pytest.skip(reason)
    pids = [int(word) for word in line.split()]
    zygote = parent_of(pids[0])
    handles = [os.pidfd_open(pid) for pid in (*pids, zygote)]
    owner.kill()
    owner.communicate()
    try:
        assert all(wait_for_end(handle) for handle in handles)
    finally:
        for handle in handles:
            os.close(handle)


def test_closing_a_jail_ends_its_workers_and_refuses_more(own_jail):
    lease = own_jail.lease("raw")
    own_jail.close()
    assert wait_for_end(lease.pidfd)
    lease.close()
    with pytest.raises(IsolationError, match="workers"):
        own_jail.lease()


def test_a_branch_leases_and_learns_fates_in_a_forked_process(jail):
    """A forked grading session has answers of its own, while the parent goes on leasing."""
    branch = jail.branch()
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            with raw_worker(branch) as worker:
                first = worker.run("answer = 6 * 7")
                worker.send("import os; os._exit(3)")
                wait_for_end(worker.lease.pidfd)
                exit_status = os.waitstatus_to_exitcode(branch.exit_status(worker.lease.pid))
            os.write(writable, f"{first} {exit_status}".encode())
        os._exit(0)
    os.close(writable)
    branch.close()
    with raw_worker(jail) as worker:
        assert worker.run("answer = 1") == 1
    with os.fdopen(readable) as told:
        assert told.read() == "42 3"
    os.waitpid(child, 0)


def test_workers_of_a_branch_that_ends_are_ended_and_no_others(jail):
    """A grading session that crashes leaves no worker in an endless loop behind, and those of others go on."""
    branch = jail.branch()
    lease = branch.lease("raw")
    lease.sock.sendall(b'"while True: pass"\n')
    with contextlib.closing(jail.branch()) as other, raw_worker(other) as worker:
        branch.close()
        assert wait_for_end(lease.pidfd)
        lease.close()
        assert worker.run("answer = 1") == 1


def test_closing_in_a_forked_process_leaves_the_jail_alone(jail):
    child = os.fork()
    if child == 0:
        jail.close()
        os._exit(0)
    os.waitpid(child, 0)
    with raw_worker(jail) as worker:
        assert worker.run("answer = 1") == 1


def test_pooled_workers_that_were_killed_are_passed_over(jail):
    """The kernel may end a waiting worker when memory runs short; nobody is handed a dead one."""
    first = jail.lease()
    zygote = parent_of(first.pid)
    children = Path(f"/proc/{zygote}/task/{zygote}/children").read_text().split()
    handles = [os.pidfd_open(int(pid)) for pid in children]
    for handle in handles:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    assert all(wait_for_end(handle) for handle in handles)
    for handle in handles:
        os.close(handle)
    lease = jail.lease()
    assert str(lease.pid) not in children
    assert not select.select([lease.pidfd], [], [], 0)[0]
    first.close()
    lease.close()


def test_a_hundred_workers_one_after_another_leave_nothing(jail):
    jail.lease().close()
    before = jail.status()
    for _ in range(100):
        lease = jail.lease()
        lease.sock.close()
        assert wait_for_end(lease.pidfd)
        os.close(lease.pidfd)
    after = jail.status()
    assert (after.descriptors, after.pooled) == (before.descriptors, 2)
    assert after.alive == after.pooled


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n", "2 threads"),
        (
            "import os\nkept = [os.open('/dev/null', os.O_RDONLY) for _ in range(3)]\n",
            "descriptors that nobody gave it",
        ),
    ],
)
def test_a_zygote_with_a_second_thread_or_a_strange_descriptor_refuses(source, words):
    """Forking a process with threads can hang the child, so the zygote gives a sentence instead of a worker."""
    with pytest.raises(IsolationError, match=words):
        open_jail("none", limits=LIMITS, extra_entries={"odd": source + "def serve(fd, settings): ...\n"})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_an_ordinary_user_can_open_a_jail(tier):
    interpreter = python_for_everybody()
    if interpreter is None:
        pytest.skip("no Python of this version can be run by every user here")
    python, path = interpreter
    isolation = run_program(OPEN, tier, str(ROOT / "tests"), python=python, path=path, user=12345)
    if isinstance(isolation, str):
        pytest.skip(isolation)
    assert isolation["tier"] == tier
    assert isolation["uid"] == 12345
    assert isolation["attempts"] > 100


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a worker another user")
def test_roots_workers_run_as_a_user_that_owns_nothing(jail):
    assert jail.isolation.uid == 65534


def test_a_worker_that_runs_out_of_processor_time_is_killed():
    """The kernel's own limit ends a worker that nobody watches."""
    opened = raw_jail_or_sentence("auto", limits=msgspec.structs.replace(LIMITS, submission_cpu_s=0.5))
    if isinstance(opened, str):
        pytest.skip(opened)
    with opened, raw_worker(opened) as worker:
        with pytest.raises(Ended):
            worker.run("while True: pass")
        assert wait_for_end(worker.lease.pidfd)
        assert os.WTERMSIG(opened.exit_status(worker.lease.pid)) == signal.SIGKILL


def test_a_jail_does_not_hang_on_which_files_the_grader_makes_for_others(jail):
    """Under `umask 077` the folders on the way to Python in the new root were root's alone."""
    before = os.umask(0o077)
    try:
        with open_jail(jail.isolation.tier, limits=LIMITS, pool=1) as another:
            assert another.isolation.tier == jail.isolation.tier
    finally:
        os.umask(before)
