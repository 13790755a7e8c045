"""What Dask runs on a node: it starts the kit in a process of its own and hands bytes through.

A worker of Dask has threads, and grading forks, so they can't be one process. What the node's own process says goes
back as it came; nothing here believes or unpacks it. One batch at a time is graded in a worker, since a batch uses all
processors that the worker counts for.
"""

import os
import subprocess
import sys
import tempfile
import threading

import msgspec

from grader.grading.options import ONE_THREAD

LOOK_S = 1.0
END_S = 10.0
LAST_WORDS = 4000
_turn = threading.Lock()


class NodeAnswer(msgspec.Struct, frozen=True):
    """How a node's process ended, what it sent and its last words to a person."""

    code: int
    sent: bytes
    said: str


def grade_batch(request: bytes) -> bytes:
    """Grade a batch in a process of its own, and return its `Answer` as msgpack."""
    with _turn, tempfile.TemporaryFile() as file:
        file.write(request)
        file.seek(0)
        command = [sys.executable, "-P", "-m", "grader.cluster.node", str(os.getpid())]
        surroundings = {**os.environ, **ONE_THREAD}
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=file, stdout=pipe, stderr=pipe, env=surroundings, cwd="/") as process:
            sent, said = _watch(process)
        words = said.decode("utf-8", "replace").strip()[-LAST_WORDS:]
        return msgspec.msgpack.encode(NodeAnswer(process.returncode, sent, words))


def _watch(process: "subprocess.Popen[bytes]") -> tuple[bytes, bytes]:
    """Wait for the process to end, and end it when nobody waits for its results any more."""
    wanted = True
    try:
        while True:
            try:
                return process.communicate(timeout=LOOK_S if wanted else END_S)
            except subprocess.TimeoutExpired:
                if not wanted:
                    process.kill()
                elif not _is_wanted():
                    wanted = False
                    process.terminate()
    except BaseException:  # whatever ends the waiting, no process may outlive it
        process.kill()
        raise


def _is_wanted() -> bool:
    """Return whether the scheduler still asks for this task; nothing else tells a running one that it was cancelled."""
    from distributed import get_worker

    worker = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    return task is not None and task.state != "cancelled"
