"""What a person sees of a run while it goes on: a bar on a terminal, a line now and then elsewhere, and no thread."""

import io
import threading

import pytest
from rich.console import Console

from grader.grading import progress
from grader.grading.progress import ProgressReporter


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""
    seconds = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: seconds[0])
    return seconds


def test_a_log_gets_a_line_every_few_seconds_with_rate_and_time_left(clock):
    shown = io.StringIO()
    lines = ProgressReporter(Console(file=shown))
    lines.begin(total=100, kept=40)
    clock[0] += 60  # the start: torch, the jail, the solution
    for _ in range(21):
        lines.advance()
        clock[0] += 0.5
    told = shown.getvalue().splitlines()
    assert told[0] == "41 of 100 graded"  # nothing is known of the rate yet
    assert told[1:] == ["51 of 100 graded, 2.0 a second, 24 s left", "61 of 100 graded, 2.0 a second, 20 s left"]


def test_a_short_run_says_nothing_in_a_log(clock):
    shown = io.StringIO()
    lines = ProgressReporter(Console(file=shown))
    lines.begin(total=2, kept=0)
    lines.advance()
    clock[0] += 9
    lines.advance()
    lines.end()
    assert shown.getvalue() == ""


def test_a_terminal_gets_a_bar_that_starts_no_thread(clock):
    shown = io.StringIO()
    before = threading.active_count()
    bar = ProgressReporter(Console(file=shown, force_terminal=True, width=100))
    bar.begin(total=4, kept=1)
    for _ in range(3):
        clock[0] += 0.5
        bar.advance()
    assert threading.active_count() == before
    bar.end()
    assert "1/4" in shown.getvalue()
    assert "4/4" in shown.getvalue()
    assert "2.0 a second" in shown.getvalue()
