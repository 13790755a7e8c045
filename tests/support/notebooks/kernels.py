"""Real Jupyter kernels for the kit's tests: run cells in a student's folder and look at what each shows."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

REPLY_S = 180.0


@dataclass
class Shown:
    """What one cell showed.

    Attributes:
        outputs: Its outputs, as a notebook stores them.
        status: `ok` or `error`.
    """

    outputs: list[dict[str, Any]]
    status: str

    def of_type(self, kind: str) -> list[str]:
        """Return the data of one MIME type, output by output."""
        return [output["data"][kind] for output in self.outputs if kind in output.get("data", {})]

    @property
    def text(self) -> str:
        """The plain text of everything that was displayed."""
        return "\n".join(self.of_type("text/plain"))

    @property
    def html(self) -> str:
        """The HTML of everything that was displayed."""
        return "\n".join(self.of_type("text/html"))

    @property
    def streams(self) -> str:
        """What went to standard output and standard error."""
        return "".join(output["text"] for output in self.outputs if output["output_type"] == "stream")


class Kernel:
    """A running kernel, and the loop of this process that talks to it."""

    def __init__(self, runner: asyncio.Runner, client: Any, manager: Any) -> None:
        self._runner = runner
        self._client = client
        self.manager = manager

    def run(self, code: str) -> Shown:
        """Run a cell and wait for its end."""
        outputs: list[dict[str, Any]] = []

        def keep(message: dict[str, Any]) -> None:
            kind, content = message["msg_type"], message["content"]
            if kind in ("stream", "display_data", "execute_result", "error"):
                outputs.append({"output_type": kind, **content})

        asked = self._client.execute_interactive(code, timeout=REPLY_S, output_hook=keep, allow_stdin=False)
        reply = self._runner.run(asked)
        return Shown(outputs, reply["content"]["status"])


def told(running: Kernel, code: str, call: str = 'check("shares")') -> str:
    """Run a cell and then a check; neither ends with an error or writes to a stream. Return what the check shows."""
    for cell in (code, call):
        shown = running.run(cell)
        assert (shown.status, shown.streams) == ("ok", ""), shown.outputs
    return shown.text


@contextmanager
def kernel(folder: Path, python: str | Path = sys.executable, env: Mapping[str, str] | None = None) -> Iterator[Kernel]:
    """Start a kernel in a folder, as JupyterLab and VS Code do for a notebook that lies there.

    jupyter_client's blocking classes make a loop for each context that calls them, and leave it open for a later test
    to stumble over; this one is made and closed here.

    Args:
        folder: The kernel's current folder.
        python: The interpreter.
        env: Variables beside those of this process.
    """
    client_module = pytest.importorskip("jupyter_client", reason="jupyter_client is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    manager = client_module.AsyncKernelManager()
    manager._kernel_spec = client_module.kernelspec.KernelSpec(
        argv=[str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"], display_name="t", language="python"
    )
    with asyncio.Runner() as runner:
        runner.run(manager.start_kernel(cwd=str(folder), env={**os.environ, **(env or {})}, stderr=subprocess.DEVNULL))
        client = manager.client()
        try:
            client.start_channels()
            runner.run(client.wait_for_ready(timeout=REPLY_S))
            yield Kernel(runner, client, manager)
        finally:
            client.stop_channels()
            runner.run(manager.shutdown_kernel(now=True))


def interrupted(running: Kernel, call: str, begun: Path) -> Shown:
    """Run a cell, and interrupt the kernel and all that it started, as a stop button does, once a file is there."""

    def stop() -> None:
        while not begun.exists():
            time.sleep(0.05)
        os.killpg(os.getpgid(running.manager.provisioner.pid), signal.SIGINT)

    helper = threading.Thread(target=stop)
    helper.start()
    shown = running.run(call)
    helper.join()
    begun.unlink()
    return shown
