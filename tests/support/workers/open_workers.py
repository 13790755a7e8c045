"""Workers without a jail for the kit's tests: forked from one process that has torch imported, like a jail's.

`OpenWorkers` is a WorkerSource; `open_session(workers, source)` runs a student's text on it. Everything but the
isolation is that of a grading run: the same sockets, pidfds, frames and wait statuses.
"""

import atexit
import contextlib
import functools
import os
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.inside.protocol.answers import Loaded, Returned, StatementReached
from grader.inside.protocol.messages import Cell
from grader.inside.protocol.rows import TensorNode
from grader.inside.protocol.wire import PREFIX, pack, read_request
from grader.jail import Lease
from grader.limits import Limits
from grader.workers.calls.student import Student
from grader.workers.process.failures import StudentFailure
from grader.workers.session import WorkerSession

ROOT = Path(__file__).resolve().parents[3]
SERVER = """
import os, socket, sys
import numpy, torch
from grader.inside.worker.request_loop import serve
torch.set_num_threads(1)
control = socket.socket(fileno=int(sys.argv[1]))
while True:
    message, descriptors, _, _ = socket.recv_fds(control, 100, 4)
    if not message:
        sys.exit()
    if message == b"lease":
        pid = os.fork()
        if pid == 0:
            control.close()
            nothing = os.open(os.devnull, os.O_RDWR)
            for standard in (0, 1, 2):
                os.dup2(nothing, standard)
            serve(descriptors[0], {})
        os.close(descriptors[0])
        control.send(str(pid).encode())
    else:
        pid, status = os.waitpid(int(message), os.WNOHANG)
        control.send(str(status).encode() if pid else b"None")
"""


_opened = []


class OpenWorkers:
    """Forks workers on demand; remembers every one for the tests' questions."""

    def __init__(self):
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._server = subprocess.Popen(
                [sys.executable, "-c", SERVER, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                cwd=ROOT,
                env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
            )
        self.pids = []

    def lease(self):
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [b"lease"], [theirs.fileno()])
            pid = int(self._control.recv(100))
        self.pids.append(pid)
        return Lease(ours, os.pidfd_open(pid), pid)

    def exit_status(self, pid):
        self._control.send(str(pid).encode())
        answer = self._control.recv(100).decode()
        return None if answer == "None" else int(answer)

    def close(self):
        self._control.close()
        self._server.wait()


@functools.cache
def shared_workers():
    """Return the workers that all tests of a process share; starting them imports torch."""
    workers = OpenWorkers()
    atexit.register(workers.close)
    return workers


@dataclass(frozen=True)
class ScriptLease(Lease):
    """What speaks for a worker is a thread, which ends with its socket."""

    kill = Lease.close


class ScriptedWorkers:
    """Workers whose every byte the test writes: `script(sock)` speaks for the worker, and ends with the socket."""

    def __init__(self, script):
        self._script = script
        self.pids = []

    def lease(self):
        ours, theirs = socket.socketpair()
        handle, alive = os.pipe()
        thread = threading.Thread(target=self._speak, args=(theirs, alive), daemon=True)
        thread.start()
        self.pids.append(thread.native_id)
        return ScriptLease(ours, handle, thread.native_id)

    def _speak(self, theirs, alive):
        with contextlib.suppress(OSError, EOFError), theirs:
            self._script(theirs)
        os.close(alive)

    def exit_status(self, pid):
        return 0


def requests(sock):
    """Yield each request that comes, also where several come at once."""
    data = b""
    while True:
        while len(data) < PREFIX.size or len(data) < PREFIX.size + sum(PREFIX.unpack(data[: PREFIX.size])):
            piece = sock.recv(65536)
            if not piece:
                raise EOFError
            data += piece
        header, payload = PREFIX.unpack(data[: PREFIX.size])
        yield read_request(data[PREFIX.size : PREFIX.size + header])
        data = data[PREFIX.size + header + payload :]


def honest_load(sock):
    """Answer the load as a worker does, and return the requests that follow."""
    asked = requests(sock)
    load = next(asked)
    sock.sendall(pack(StatementReached(nonce=load.nonce, group=0, statement=0)))
    sock.sendall(pack(Loaded(nonce=load.nonce, names=[], problems=[], stand_ins=[])))
    return asked


def good(call):
    """Return an answer to a call, of a single zero."""
    return pack(Returned(nonce=call.nonce, nodes=[TensorNode("float32", [1], 0, 4)]), [b"\x00" * 4])


def alive(pid):
    """Tell whether a process runs, a zombie not counted."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def ends(pid, within=10.0):
    """Tell whether a process that was killed is gone in time; the one that kills it does not wait for that."""
    until = time.monotonic() + within
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(pid)


def open_session(
    source, *, workers=None, file_name="simple_attention.py", begin=True, exercises=(), left=None, stops=None, **limits
):
    """Return a session on one text, or on a list of cells: each a `Cell`, a text, or a text with a grade id."""
    if isinstance(source, list):
        given = [(cell,) if isinstance(cell, str) else cell for cell in source]
        cells = [cell if isinstance(cell, Cell) else Cell(at, *cell) for at, cell in enumerate(given, start=1)]
        file_name = file_name.replace(".py", ".ipynb")
    else:
        cells = [Cell(1, source)]
    session = WorkerSession(workers or shared_workers(), cells, limits=Limits(**limits), file_name=file_name,
                      module_name="simple_attention", exercises=exercises, left=left, stops=stops)  # fmt: skip
    if begin:
        session.begin_check()
    _opened.append(session)
    return session


def close_sessions():
    """Close every session that a test opened; a fixture of each test file calls it."""
    while _opened:
        _opened.pop().close()


def open_student(source, **options):
    """Return a student on a text, with its check begun."""
    return Student(open_session(source, **options))


def scripted_student(script, **limits):
    """Return a student whose worker loads honestly; then `script(sock, call)` answers its first call."""
    workers = ScriptedWorkers(lambda sock: script(sock, next(honest_load(sock))))
    return open_student("", workers=workers, **limits), workers


def failure_of(call, *args, **kwargs):
    with pytest.raises(StudentFailure) as caught:
        call(*args, **kwargs)
    return caught.value


@pytest.fixture(scope="module")
def warm_workers():
    """Let a student's own runs take place in copies of the tests' process; a new Python would import torch."""
    from grader.student_check import children, kernel_runs

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(children, "interpreter", lambda: None)
        patch.setattr(children.Interpreters, "start", lambda _, checked: kernel_runs.copy_of(None, checked))
        yield
