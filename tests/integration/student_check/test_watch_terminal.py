"""`grader watch` in a real terminal (tmux): a file is edited, keys are pressed, the screen is read."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from ...support.command_line import run_here
from ...support.needed import skip_without
from ...support.workers.answering import WRONG, write_answer

skip_without("watchfiles")
WAIT_S = 60.0


class Terminal:
    """A tmux server of its own with one window."""

    def __init__(self, folder, socket):
        self._tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        self._run("new-session", "-d", "-x", "100", "-y", "40", "-c", str(folder), "sh")

    def _run(self, *arguments):
        return subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, check=True).stdout

    def type(self, text):
        self._run("send-keys", "-l", text)
        self._run("send-keys", "Enter")

    def press(self, key):
        self._run("send-keys", key)

    def screen(self):
        return self._run("capture-pane", "-p")

    def wait_for(self, text):
        """Wait until a text is on the screen; return the screen."""
        deadline = time.monotonic() + WAIT_S
        while text not in (screen := self.screen()):
            assert time.monotonic() < deadline, screen
            time.sleep(0.05)
        return screen

    def close(self):
        """End it with everything in it."""
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def terminal(folder, tmp_path):
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed, so there is no terminal to drive")
    opened = Terminal(folder, tmp_path / "tmux")
    yield opened
    opened.close()


def test_a_student_saves_asks_for_hints_goes_on_and_quits(terminal, folder):
    terminal.type(f"{sys.executable} -m grader watch")
    screen = terminal.wait_for("q quit")
    assert "shares is not written yet" in screen
    write_answer(folder, WRONG)
    screen = terminal.wait_for("the result is 0.5, expected 0.25")
    assert "not written yet" not in screen, "the screen is cleared for each verdict"
    terminal.press("h")
    terminal.wait_for("shares, hint 1 of 3: This is where.")
    terminal.press("h")
    terminal.wait_for("shares, hint 2 of 3: This is idea.")
    file = folder / "tiny.py"
    file.write_text(file.read_text(encoding="utf-8").replace("x.max()", "x.sum()"), encoding="utf-8")
    terminal.wait_for("shares is done. Press n for the next exercise.")
    terminal.press("l")
    assert "1 of 2 done" in terminal.wait_for("- not started")
    terminal.press("n")
    terminal.wait_for("Shift is not written yet")
    terminal.press("Up")
    terminal.press("q")
    terminal.wait_for("Next time `grader watch` begins with Shift.")
    terminal.type("echo back in the $((1 + 1))nd shell")
    terminal.wait_for("back in the 2nd shell\n")
    terminal.type(f"{sys.executable} -m grader --language ko watch")
    terminal.wait_for("q 끝내기")
    terminal.press("C-c")
    terminal.wait_for("grader: stopped.")


@pytest.mark.skipif(os.name != "posix", reason="an interrupt is sent as a signal")
def test_what_is_no_terminal_gets_the_verdicts_without_keys(folder):
    watching = subprocess.Popen(
        [sys.executable, "-m", "grader", "watch", str(folder)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        lines = iter(watching.stdout.readline, "")
        assert next(line for line in lines if "no keys are read. Ctrl-C ends it." in line)
        write_answer(folder)
        assert next(line for line in lines if line == "01_tiny: 1 of 2 done.\n")
        watching.send_signal(signal.SIGINT)
        printed, errors = watching.communicate(timeout=WAIT_S)
        assert (watching.returncode, errors) == (130, "grader: stopped.\n")
        assert "\x1b" not in printed
    finally:
        watching.kill()
        watching.wait()


def test_without_watchfiles_the_sentence_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    done = run_here("watch")
    assert (done.returncode, "python -m pip install 'attention-grader[watch]'" in done.stderr) == (2, True)
