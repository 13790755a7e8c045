"""What `grader check` shows in a terminal, and in a pipe."""

import os
import pty
import re
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from rich.cells import cell_len

from ...support.courses import student_folder
from ...support.workers.answering import WRONG, write_answer

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def answer(tmp_path_factory) -> Path:
    """A student's file with a wrong answer."""
    return write_answer(student_folder(tmp_path_factory.mktemp("course")), WRONG)


def on_a_terminal(columns: int, command: list[str], **surroundings: str) -> str:
    """Run a command in a pseudo-terminal of a width and return what it wrote there."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    keep = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}
    env = {**keep, "TERM": "xterm-256color", **surroundings}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                written += (piece := os.read(ours, 1 << 16))
            except OSError:  # how Linux says that the other side is closed
                break
            if not piece:
                break
        process.wait()
    os.close(ours)
    return written.decode()


def test_a_terminal_gets_colours_a_bar_and_lines_that_fit(answer):
    written = on_a_terminal(40, [sys.executable, "-m", "grader", "check", str(answer)])
    assert "\x1b[31mnot yet" in written
    assert "\u2501" in written
    assert max(map(cell_len, COLOUR.sub("", written.replace("\r", "")).split("\n"))) <= 40


def test_a_terminal_without_colours_and_a_pipe_get_plain_text(answer):
    command = [sys.executable, "-m", "grader", "check", str(answer)]
    written = on_a_terminal(40, command, NO_COLOR="1").replace("\r\n", "\n")
    piped = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (written, piped.returncode) == (piped.stdout, 1)
    assert "\x1b" not in written
    assert "shares  not yet" in written
