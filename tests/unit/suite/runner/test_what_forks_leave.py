"""What is read of a fork that has ended, by itself or not."""

import signal
from types import SimpleNamespace

import pytest

from grader.results.verdict import CheckVerdict, verdict_line
from grader.source_cells import Source
from grader.suite.runner.forking import VERDICTS, Fork
from grader.suite.runner.tries import Job, Tries
from grader.system.machine import KilledByTheSystem


def left_in(folder, exitcode=0):
    """Return what a fork left that ended with this code."""
    job = Job(Source(), exercise="shares")
    return Fork(Tries(job, {}), job, folder, SimpleNamespace(join=lambda: None, exitcode=exitcode)).ended()


def test_a_line_that_was_cut_off_is_no_verdict(tmp_path):
    whole = verdict_line(CheckVerdict(id="shares.one", status="passed"))
    torn = verdict_line(CheckVerdict(id="shares.two", status="passed"))[:-5]
    (tmp_path / VERDICTS).write_bytes(whole + torn)
    ended = left_in(tmp_path, -signal.SIGSEGV)
    assert [verdict.id for verdict in ended.verdicts] == ["shares.one"] and ended.exercise == "shares"
    assert ended.text is None and ended.raw is None and not ended.early and not tmp_path.exists()


@pytest.mark.parametrize(
    ("number", "by_the_system", "early"),
    [
        (signal.SIGKILL, True, "killed"),
        (signal.SIGKILL, False, ""),
        (signal.SIGALRM, False, "killed"),
        (signal.SIGPROF, False, ""),
    ],
)
def test_a_fork_that_left_nothing_was_killed_where_the_system_did_it(
    tmp_path, monkeypatch, number, by_the_system, early
):
    monkeypatch.setattr(KilledByTheSystem, "any_since", lambda _: by_the_system)
    ended = left_in(tmp_path, -number)
    assert (ended.early, ended.verdicts) == (early, [])
