"""A run that is stopped for a while and goes on (Ctrl-Z) ends in the reports of any other run."""

import os
import signal
import time

import pytest

from ...support.classes.class_runs import RIGHT, reports
from ...support.courses import hand_in, write_course
from .test_killed_runs import PATIENCE_S, descendants, start

STOPS, STOP_S, BETWEEN_S = 2, 12.0, 0.3
LIMITS = "[limits]\ncheck_cpu_s = 0.1\n"  # and 10.6 s by the clock, which are less than one stop
SLOW = "def shares(x):\n    import time; time.sleep(0.15)\n    return x / x.sum()\n"

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped on this system")


@pytest.fixture
def klass(tmp_path):
    """A class whose answers take a moment, so that most stops fall into one of their calls."""
    write_course(tmp_path / "course", {"tests/golden/N0.json": "[]", "course.toml": LIMITS})
    for number in range(3):
        hand_in(tmp_path / "class", f"student{number}", f"{SLOW}# {number}\n")
    hand_in(tmp_path / "class", "quick", RIGHT)
    return tmp_path


def sessions(run: int) -> list[int]:
    """Return the processes that grade submissions of a run."""
    below = {pid: text.split(" ", 1) for pid, text in descendants(run).items()}
    return [pid for pid, (parent, text) in below.items() if parent == str(run) and "grader\0--course" in text]


def test_what_a_stop_takes_is_taken_from_no_student(klass):
    assert start(klass, "whole", "--fresh", jobs=1).wait(PATIENCE_S) == 0
    run = start(klass, "stopped", "--fresh", jobs=1)
    until = time.monotonic() + PATIENCE_S
    stops = 0
    while run.poll() is None and time.monotonic() < until:
        if stops < STOPS and sessions(run.pid):
            os.killpg(run.pid, signal.SIGSTOP)
            time.sleep(STOP_S)
            os.killpg(run.pid, signal.SIGCONT)
            stops += 1
        time.sleep(BETWEEN_S)
    assert run.wait(PATIENCE_S) == 0
    assert stops > 1
    assert reports(klass / "stopped") == reports(klass / "whole")
