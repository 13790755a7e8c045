"""A real VS Code for the kit's tests: code-server, which is VS Code for a browser, driven by keys as a student does.

It comes from npm (`npm install code-server`) and needs the version of Node that its package names. The variable
GRADER_CODE_SERVER says where its command is, or it stands on PATH; without it these tests are skipped.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ..support.browsers import Page

VARIABLE = "GRADER_CODE_SERVER"
KERNEL = Path(__file__).parent / "vscode_kernel"
START_S = 120.0
LISTED_S = 2.0
SETTINGS = {
    "chat.disableAIFeatures": True,
    "editor.autoClosingBrackets": "never",
    "editor.autoIndent": "none",
    "extensions.ignoreRecommendations": True,
    "files.autoSave": "off",
    "files.hotExit": "off",
    "telemetry.telemetryLevel": "off",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
}
CONTROL = 2
KEYS = {"Enter": 13, "End": 35, "Escape": 27, "ArrowDown": 40, "Delete": 46, "F1": 112}
FILES = "[...document.querySelectorAll('.explorer-folders-view .monaco-list-row')]"
ROWS = "[...document.querySelectorAll('.quick-input-list .monaco-list-row')]"
PALETTE = "!!document.activeElement?.closest('.quick-input-box')"
NOTEBOOKS_KNOWN = "Create: New Jupyter Notebook"


@dataclass
class CodeServer:
    """A running VS Code.

    Attributes:
        address: Where it is served.
        data: Its folder for settings.
    """

    address: str
    data: Path

    def settings(self, **more: Any) -> None:
        """Write the user's settings; an underscore in a name stands for a dot."""
        place = self.data / "User" / "settings.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(SETTINGS | {name.replace("_", "."): value for name, value in more.items()}))


def found() -> str:
    """Return the path of code-server, or skip the test."""
    path = os.environ.get(VARIABLE) or shutil.which("code-server")
    if path is None:
        pytest.skip(f"no VS Code for a browser is installed (looked for code-server on PATH and in {VARIABLE})")
    return path


@contextmanager
def code_server(home: Path) -> Iterator[CodeServer]:
    """Start VS Code with a home of its own, the extensions that it is shipped with and the kernel of the tests."""
    shutil.copytree(KERNEL, home / "extensions" / "attention-grader.kernel-of-the-tests-0.0.1")
    bridge = json.dumps([sys.executable, str(KERNEL.parent / "kernel_bridge.py")])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = home / "config.yaml"
    config.write_text("cert: false\n")
    command = [found(), "--auth=none", f"--bind-addr=127.0.0.1:{port}", f"--config={config}", "--disable-telemetry",
               "--disable-update-check", "--disable-workspace-trust", f"--user-data-dir={home / 'data'}",
               f"--extensions-dir={home / 'extensions'}"]  # fmt: skip
    server = CodeServer(f"http://127.0.0.1:{port}", home / "data")
    server.settings()
    with (home / "log").open("w+b") as log:
        process = subprocess.Popen(
            command,
            env={**os.environ, "HOME": str(home), "GRADER_KERNEL_BRIDGE": bridge},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            finish = time.monotonic() + START_S
            while True:
                try:
                    urllib.request.urlopen(f"{server.address}/healthz").close()
                    break
                except OSError:
                    log.seek(0)
                    assert process.poll() is None and time.monotonic() < finish, log.read().decode()
                    time.sleep(0.5)
            yield server
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Window:
    """VS Code's window on a folder, with what a student's hands do in it."""

    def __init__(self, page: Page, server: CodeServer, folder: Path) -> None:
        self.page = page
        page.open(f"{server.address}/?folder={folder}")
        page.until(f"{FILES}.length > 0")
        finish = time.monotonic() + START_S
        while not self._knows(NOTEBOOKS_KNOWN):  # a file that is opened before that is shown as JSON
            assert time.monotonic() < finish, "VS Code did not load its own extension for notebooks"

    def _knows(self, command: str) -> bool:
        """Say whether the list of commands, opened afresh, has one."""
        self.key("F1")
        self.page.until(PALETTE)
        self.type(command)
        finish, known = time.monotonic() + LISTED_S, False
        while not known and time.monotonic() < finish:
            known = bool(self.page.value(f"{ROWS}.some(row => row.ariaLabel?.startsWith('{command}'))"))
        self.key("Escape")
        self.page.until(f"!({PALETTE})")
        return known

    def open(self, file: str) -> None:
        """Open a file of the folder by a double click on its name."""
        self.click(f"{FILES}.find(row => row.ariaLabel?.startsWith('{file}'))", times=2)

    def click(self, element: str, times: int = 1) -> None:
        """Click on what an expression of JavaScript finds."""
        x, y = self.page.until(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])"
                               f"({element}.getBoundingClientRect())")  # fmt: skip
        for count in range(1, times + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.page.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count)

    def key(self, name: str, modifiers: int = 0) -> None:
        """Press a key: one of KEYS, or a letter."""
        code = KEYS.get(name) or ord(name.upper())
        key = {"key": name, "code": name if name in KEYS else f"Key{name.upper()}", "modifiers": modifiers}
        self.page.ask("Input.dispatchKeyEvent", type="rawKeyDown", windowsVirtualKeyCode=code, **key)
        self.page.ask("Input.dispatchKeyEvent", type="keyUp", windowsVirtualKeyCode=code, **key)

    def type(self, text: str) -> None:
        """Put text where the cursor is."""
        self.page.ask("Input.insertText", text=text)
