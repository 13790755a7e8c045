"""A stop that is asked for is never lost, wherever its exception was raised."""

import os
import subprocess
import sys

import pytest

DROPPED = """
import os, signal
from grader.system import stopping

class Swallows:
    def __del__(self):
        os.kill(os.getpid(), signal.{name})  # what is raised in here is printed and dropped by Python

stopping.listen()
Swallows()
print("went on")
try:
    stopping.raise_if_asked()
except KeyboardInterrupt:
    print("stopped")
"""

AT_FORK = """
import os, signal
from grader.system import stopping

stopping.listen()
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.{name}))
try:
    with stopping.held_back():
        child = os.fork()
    if child == 0:
        os._exit(0)
except KeyboardInterrupt:
    print("stopped")
"""


def run(script, name):
    return subprocess.run(
        [sys.executable, "-c", script.format(name=name)], capture_output=True, text=True, timeout=60, env=os.environ
    )


NAMES = pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])


@NAMES
def test_a_stop_whose_exception_was_dropped_is_raised_at_the_next_question(name):
    assert run(DROPPED, name).stdout.split("\n")[:2] == ["went on", "stopped"]


@NAMES
def test_a_stop_that_comes_at_a_fork_is_raised_after_it_and_nothing_is_dropped(name):
    done = run(AT_FORK, name)
    assert done.stdout.strip() == "stopped"
    assert "Exception ignored" not in done.stderr
