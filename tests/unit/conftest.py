"""The unit ring: tests that start no process, so that they take seconds and may come in any order."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

STARTS = ("os.fork", "os.forkpty", "os.posix_spawn", "subprocess.Popen")
running = False


def refuse(event: str, _: tuple[Any, ...]) -> None:
    """Let a unit test fail that starts a process; an audit hook, since nothing can pass by one."""
    if running and event in STARTS:
        raise RuntimeError(f"A unit test starts a process ({event}): move it to tests/integration.")


sys.addaudithook(refuse)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Watch while a test of this ring runs, its fixtures included; pytest calls this for those of other rings, too."""
    global running
    running = Path(__file__).parent in item.path.parents
    try:
        return (yield)
    finally:
        running = False
