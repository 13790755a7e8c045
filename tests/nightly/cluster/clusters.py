"""A real scheduler of Dask with workers in processes of their own, for the kit's tests.

It runs in a process beside the tests, since Dask starts threads and the tests fork; each line that this process reads
has it list the workers.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

SCRIPT = """\
import json, sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=int(sys.argv[1]), threads_per_worker=1, processes=True, dashboard_address=None,
                      host="127.0.0.1", local_directory=sys.argv[2]) as cluster:
        print(cluster.scheduler_address, flush=True)
        for line in sys.stdin:
            workers = cluster.scheduler.workers.values()
            print(json.dumps([each.address for each in workers]), flush=True)
"""
PATIENCE_S = 60.0


class LocalNodes:
    """A `LocalCluster` of workers on this machine, and others that are started beside it; a context manager.

    Args:
        folder: An empty folder.
        nodes: How many workers the cluster has itself.
    """

    def __init__(self, folder: Path, nodes: int) -> None:
        folder.mkdir()
        script = folder / "nodes.py"
        script.write_text(SCRIPT, encoding="utf-8")
        self._folder = folder
        self._others: list[subprocess.Popen[bytes]] = []
        self._process = subprocess.Popen(
            [sys.executable, str(script), str(nodes), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.address = self._process.stdout.readline().strip()
        assert self.address.startswith("tcp://")
        self._own = set(self.workers())

    def workers(self) -> list[str]:
        """Return the addresses of all workers."""
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def add(self, *options: str, through: Sequence[str] = (), env: Mapping[str, str] | None = None) -> None:
        """Start a further worker; `settle` waits for it.

        Args:
            *options: Of `dask worker`.
            through: A command line that runs another, such as the emulated container.
            env: Variables beside those of this process.
        """
        command = [*through, sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--nthreads", "1"]
        place = self._folder / f"other-{len(self._others)}"
        options = ("--no-nanny", "--no-dashboard", "--local-directory", str(place), *options)
        quiet = subprocess.DEVNULL
        surroundings = {**os.environ, **(env or {})}
        self._others.append(subprocess.Popen([*command, *options], stdout=quiet, stderr=quiet, env=surroundings))

    def settle(self) -> None:
        """Wait until the scheduler knows the workers that live, and no other."""
        alive = sum(other.poll() is None for other in self._others)
        until = time.monotonic() + PATIENCE_S
        while len(set(self.workers()) - self._own) != alive:
            assert time.monotonic() < until, "A worker did not come or go."
            time.sleep(0.1)

    def kill_added(self) -> None:
        """Kill the workers that were added, as machines that lose their power, and wait until they are missed."""
        for other in self._others:
            other.kill()
            other.wait()
        self.settle()

    def grading(self) -> int | None:
        """Return the process that grades for the worker that was added last, be that alive or not; None without one."""
        own = [b"grader.cluster.node", str(self._others[-1].pid).encode()]
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[-3:-1] == own:
                return int(folder.name)
        return None

    def __enter__(self) -> "LocalNodes":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        self._process.wait(PATIENCE_S)
        for other in self._others:
            other.terminate()
            try:
                other.wait(10)
            except subprocess.TimeoutExpired:
                other.kill()
                other.wait()
        self._process.stdout.close()
