"""A real browser for the kit's tests: Chromium without a window, driven by its own debugging protocol.

Only what the tests need: open a page, run a line of JavaScript in it, wait until something holds, take a picture.
"""

import base64
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START_S = 60.0
WAIT_S = 60.0
LOOK_EVERY_S = 0.2


class Page:
    """One page of the browser.

    Attributes:
        events: What the browser has told of by itself, each as (method, parameters): of the domains that were enabled,
            up to the last answer.
    """

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._number = 0
        self.events: list[tuple[str, dict[str, Any]]] = []

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command of the protocol and return its result."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._number:
                assert "error" not in message, message
                return dict(message["result"])
            self.events.append((message["method"], message["params"]))

    def value(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript; a promise is waited for."""
        found = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, expression: str, seconds: float = WAIT_S) -> Any:
        """Wait until an expression is true in JavaScript's eyes, and return its value."""
        finish = time.monotonic() + seconds
        while not (value := self.value(expression)):
            assert time.monotonic() < finish, (
                f"{expression} did not become true:\n{self.value('document.body.innerText')}"
            )
            time.sleep(LOOK_EVERY_S)
        return value

    def open(self, address: str) -> None:
        """Go to an address."""
        self.ask("Page.navigate", url=address)

    def picture(self, file: Path) -> None:
        """Write a picture of what is seen."""
        file.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))


def found() -> str:
    """Return the path of a browser, or skip the test."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser is installed (looked for {', '.join(NAMES)})")
    return path


def page_of(port: Path) -> dict[str, str] | None:
    """Return the first page of a browser that is starting, None until it has written its port and opened one."""
    written = port.read_text().split() if port.exists() else []
    if not written:
        return None
    with urllib.request.urlopen(f"http://127.0.0.1:{written[0]}/json/list") as reply:
        return next((one for one in json.load(reply) if one["type"] == "page"), None)


@contextmanager
def browser(folder: Path, width: int = 1100, height: int = 900) -> Iterator[Page]:
    """Start a browser with a profile of its own.

    Args:
        folder: Where its profile goes.
        width: Of its window, in pixels.
        height: Of its window, in pixels.
    """
    websocket = pytest.importorskip("websocket", reason="websocket-client is not installed")
    command = [found(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
               "--remote-debugging-port=0", "--remote-allow-origins=*", f"--window-size={width},{height}",
               f"--user-data-dir={folder}", "about:blank"]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        finish = time.monotonic() + START_S
        while (target := page_of(folder / "DevToolsActivePort")) is None:
            assert process.poll() is None and time.monotonic() < finish, "the browser did not start"
            time.sleep(LOOK_EVERY_S)
        socket = websocket.create_connection(target["webSocketDebuggerUrl"], timeout=WAIT_S)
        page = Page(socket)
        page.ask("Page.enable")
        yield page
        socket.close()
    finally:
        process.terminate()
        try:
            process.wait(START_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
