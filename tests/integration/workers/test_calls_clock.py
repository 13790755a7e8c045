"""The clock of a check on a machine that has no time for it."""

import subprocess
import sys
import time

import pytest

from grader.workers.process.transport import process_seconds, process_seconds_by_ticks


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no other system tells another process's time")
def test_another_processs_time_is_told_by_its_clock_and_by_proc_alike(monkeypatch):
    busy = subprocess.Popen([sys.executable, "-c", "print(sum(range(10**7)), flush=True); input()"],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    with busy:
        busy.stdout.readline()
        time.sleep(0.1)
        exact, ticks = process_seconds(busy.pid), process_seconds_by_ticks(busy.pid)
        assert exact > 0.05
        assert ticks == pytest.approx(exact, abs=0.03)

        def no_such_clock(number):
            raise OSError(22, "Invalid argument")

        monkeypatch.setattr("grader.workers.process.transport.time.clock_gettime", no_such_clock)
        assert process_seconds(busy.pid) == process_seconds_by_ticks(busy.pid)
        busy.kill()
    assert process_seconds(busy.pid) is None
