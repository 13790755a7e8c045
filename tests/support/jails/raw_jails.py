"""Jails whose workers run any text that a test gives them, and programs that open a jail under other conditions."""

import errno
import json
import os
import select
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.errors import IsolationError
from grader.jail import open_jail
from grader.limits import MIB, Limits

ROOT = Path(__file__).resolve().parents[3]


SECONDS = 60
LIMITS = Limits(memory_bytes=256 * MIB, submission_cpu_s=20.0)
RAW = '''
"""Runs every line that arrives, as a JSON string, and answers with what it left in `answer`."""
import json
import os


def serve(fd, settings):
    waiting = b""
    while True:
        while b"\\n" not in waiting:
            part = os.read(fd, 65536)
            if not part:
                os._exit(0)
            waiting += part
        line, _, waiting = waiting.partition(b"\\n")
        names = {"settings": settings}
        try:
            exec(json.loads(line), names)
            answer = names.get("answer")
        except BaseException as error:
            answer = [type(error).__name__, getattr(error, "errno", None), str(error)]
        os.write(fd, json.dumps(answer).encode() + b"\\n")
'''
REFUSED = {errno.EPERM, errno.EACCES, errno.ENOENT, errno.ENOSYS}
CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    return result if result != -1 else [-1, ctypes.get_errno()]
"""

OPEN = """
import json, sys
from pathlib import Path
import msgspec
from grader.errors import IsolationError
from grader.jail import open_jail
from grader.limits import Limits
try:
    with open_jail(sys.argv[1], limits=Limits(), pool=1, secret_paths=[Path(name) for name in sys.argv[2:]]) as jail:
        print(json.dumps(msgspec.to_builtins(jail.isolation)))
except IsolationError as error:
    print(json.dumps(str(error)))
"""
"""Opens a jail of a tier that keeps some places secret; prints its isolation, or why it is refused."""


class Ended(Exception):
    """The worker ended instead of answering."""


class RawWorker:
    """One worker that runs what it is told."""

    def __init__(self, lease):
        self.lease = lease
        lease.sock.settimeout(SECONDS)
        self._lines = lease.sock.makefile("rb")

    def send(self, text):
        self.lease.sock.sendall(json.dumps(text).encode() + b"\n")

    def answer(self):
        try:
            line = self._lines.readline()
        except ConnectionError:
            line = b""
        if not line:
            raise Ended
        return json.loads(line)

    def run(self, text):
        """Run a text and return its `answer`, or [type, errno, message] of what it raised."""
        self.send(text)
        return self.answer()

    def close(self):
        self._lines.close()
        self.lease.close()


def raw_jail(tier, pool=0, limits=LIMITS, **more):
    """Open a jail whose leases may name `raw`."""
    return open_jail(tier, limits=limits, pool=pool, extra_entries={"raw": RAW}, **more)


def raw_jail_or_sentence(tier, **more):
    """Return the jail of one tier, or the sentence on why this machine does not prove it."""
    try:
        return raw_jail(tier, **more)
    except IsolationError as error:
        return str(error)


@contextmanager
def raw_worker(source):
    """Lease one worker from a jail or a branch for as long as the block runs."""
    worker = RawWorker(source.lease("raw"))
    try:
        yield worker
    finally:
        worker.close()


def refused(answer):
    """Return whether an answer is an operating-system refusal."""
    return isinstance(answer, list) and len(answer) == 3 and answer[1] in REFUSED


def wait_status_of(jail, worker):
    """Wait until a worker has ended and return its wait status."""
    assert wait_for_end(worker.lease.pidfd), "the worker lives on"
    status = jail.exit_status(worker.lease.pid)
    assert status is not None
    return status


def with_everything(path):
    """Return whether every user can reach a path."""
    path = Path(path).resolve()
    return all(place.stat().st_mode & 0o001 for place in path.parents) and bool(path.stat().st_mode & 0o004)


def python_for_everybody():
    """Return an interpreter of this version that every user can run and its search path, or None."""
    import torch

    library = Path(torch.__file__).resolve().parents[1]
    name = f"python3.{sys.version_info.minor}"
    interpreter = getattr(sys, "_base_executable", sys.executable)
    candidates = [interpreter, *(f"{folder}/{name}" for folder in ("/usr/bin", "/usr/local/bin"))]
    for candidate in candidates:
        if shutil.which(candidate) and all(map(with_everything, (candidate, library, ROOT))):
            return candidate, f"{ROOT}:{library}"
    return None


def run_program(text, *arguments, python=None, path=str(ROOT), user=None):
    """Run a program of its own and return what it printed as its last line, as JSON."""
    more = {"user": user, "group": user, "extra_groups": []} if user is not None else {}
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "HOME")}
    done = subprocess.run(
        [python or sys.executable, "-c", text, *arguments],
        env={**environment, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=4 * SECONDS,
        check=False,
        **more,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def parent_of(pid):
    """Return the process that started another one."""
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


class Jails:
    """Opens each tier's jail when it is first asked for, and once."""

    def __init__(self, **more):
        self._opened = {}
        self._more = more

    def __call__(self, tier):
        """Return the jail of a tier, or skip the test with the sentence on why it is not proven here."""
        if tier not in self._opened:
            self._opened[tier] = raw_jail_or_sentence(tier, **self._more)
        if isinstance(self._opened[tier], str):
            pytest.skip(self._opened[tier])
        return self._opened[tier]

    def close(self):
        for jail in self._opened.values():
            if not isinstance(jail, str):
                jail.close()


def wait_for_end(pidfd):
    """Wait until the process of a pidfd has ended."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(SECONDS * 1000))
