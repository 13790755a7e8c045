"""A command whose output cannot be printed, or that nobody reads, ends with 2 or 141, never with the 1 of a grade."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ...support.classes.grading_runs import ROOT
from ...support.courses import write_course
from ...support.reports.lms_reports import report_of, write_class

FULL = Path("/dev/full")
COMMANDS = [
    "--help",
    "grade --help",
    "--version",
    "build",
    "diff reports reports",
    "export junit reports --student ann",
]
SENTENCE = "grader: the output could not be printed: No space left on device."

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A course that is built, with a folder of reports beside it."""
    root = write_course(tmp_path_factory.mktemp("printed"))
    write_class(root / "reports", [report_of()])
    assert run(root, "build", None, None)[0] == 0
    return root


def run(place, command, printed, told):
    program = [sys.executable, "-m", "grader", *command.split()]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(program, cwd=place, env=surroundings, stdout=printed, stderr=told, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_that_nobody_reads_ends_the_command_as_it_ends_any_other(place, command):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as unread:
        code, told = run(place, command, unread, subprocess.PIPE)
    assert code == 141
    assert "Error" not in told


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_full_disk_takes_is_said_in_a_sentence(place, command):
    with FULL.open("w") as full:
        code, told = run(place, command, full, subprocess.PIPE)
        assert code == 2
        assert SENTENCE in told and "Traceback" not in told
        assert run(place, command, full, full)[0] == 2


def test_a_fault_that_cannot_be_said_keeps_its_exit_code(place):
    with FULL.open("w") as full:
        assert run(place, "diff nowhere reports", subprocess.DEVNULL, full)[0] == 2
        assert run(place, "no-such-verb", subprocess.DEVNULL, full)[0] == 2


def test_an_export_into_a_closed_standard_output_is_no_success(place):
    closed = f"exec {sys.executable} -m grader export junit reports --student ann >&-"
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run(closed, shell=True, cwd=place, env=surroundings, capture_output=True).returncode == 2
