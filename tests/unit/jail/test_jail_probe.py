"""The probe of a jail judges its attempts and notices who reaches its targets; no jail is built."""

import socket

import pytest

from grader.inside.sandbox import probe_attempts
from grader.inside.sandbox.syscalls import StepRefused
from grader.jail import Lease, probe


def test_a_probe_that_ends_early_names_the_attempt():
    ours, theirs = socket.socketpair()
    theirs.sendall(b'{"name": "fork", "tried": "clone a process"}\n')
    theirs.shutdown(socket.SHUT_WR)
    with ours, theirs, pytest.raises(StepRefused, match="ended at the attempt to clone a process"):
        probe._run_attempts(Lease(ours, -1, 0), b"{}\n")


def test_the_targets_notice_who_reaches_them():
    with probe.Targets([], []) as targets:
        assert all(attempt.held for attempt in targets.outside_view())
        with socket.create_connection(targets.tcp.getsockname()):
            lost = [attempt for attempt in targets.outside_view() if not attempt.held]
        assert [attempt.tried for attempt in lost] == ["reach the listening TCP socket"]
        targets.canary.write_text("changed")
        assert [attempt.name for attempt in targets.outside_view() if not attempt.held] == ["write"]


def test_samples_of_a_secret_pass_over_what_is_shown_on_purpose(tmp_path):
    for name in ("venv/torch/a.py", "tests/hidden.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    samples = set(probe._samples(tmp_path, [tmp_path / "venv/torch"]))
    assert samples == {tmp_path, tmp_path / "tests/hidden.py"}


def test_an_attempt_counts_as_held_only_when_the_kernel_refused_it():
    def wrong():
        raise OSError(22, "invalid argument")

    def broken():
        raise TypeError("a mistake of the probe")

    def held():
        raise PermissionError(1, "no")

    assert probe_attempts._judge(held) == ("refused with EPERM", True)
    assert not probe_attempts._judge(wrong)[1]
    assert not probe_attempts._judge(broken)[1]
    assert not probe_attempts._judge(lambda: 0)[1]
