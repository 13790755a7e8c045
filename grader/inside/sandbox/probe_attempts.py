"""Attempts to get out of the jail from within a worker, so that a tier is proven by what happens.

Runs in a throwaway worker instead of `worker.serve`. Every attempt is announced before it is made, so that one which
ends the worker is known by name. The jail held an attempt if the kernel refused it; a failure of another kind (a wrong
argument, say) proves nothing and counts as not held.
"""

import errno
import json
import os
import threading
from typing import Any, NoReturn

from . import escape_attempts

REFUSALS = {errno.EPERM, errno.EACCES, errno.ENOSYS, errno.ENOENT, errno.EROFS}


def serve(fd: int, settings: dict[str, Any]) -> NoReturn:
    """Read the targets as one line of JSON, make every attempt, and answer with lines of JSON."""
    targets = json.loads(_read_line(fd))
    for name, tried, act in escape_attempts.all_attempts(targets):
        _write_line(fd, {"name": name, "tried": tried})
        outcome, held = _judge(act)
        _write_line(fd, {"outcome": outcome, "held": held})
    _write_line(fd, {"work": _work(targets["reading"])})
    os._exit(0)


def _read_line(fd: int) -> bytes:
    text = b""
    while not text.endswith(b"\n"):
        part = os.read(fd, 65536)
        if not part:
            os._exit(1)
        text += part
    return text


def _write_line(fd: int, content: dict[str, Any]) -> None:
    text = json.dumps(content).encode() + b"\n"
    while text:
        text = text[os.write(fd, text) :]


def _judge(act: escape_attempts.Act) -> tuple[str, bool]:
    """Make an attempt; return what happened as a clause, and whether it was refused."""
    try:
        got = act()
    except OSError as error:
        number = error.errno or 0
        return f"refused with {errno.errorcode.get(number, number)}", number in REFUSALS
    except (ImportError, MemoryError) as error:
        return f"refused with {type(error).__name__}", True
    except Exception as error:  # only a refusal by the system counts as held
        return f"failed for a reason that proves nothing: {error!r}", False
    return f"it worked ({got!r})"[:200], False


def _work(reading: bool) -> str:
    """Do what ordinary student code does; return what went wrong, empty if nothing did."""
    try:
        import torch

        x = torch.ones(2, 3, requires_grad=True)
        torch.autograd.backward((torch.softmax(x, -1) @ x.T).sum())
        done: list[int] = []
        thread = threading.Thread(target=done.append, args=(1,))
        thread.start()
        thread.join()
        if reading:
            __import__("wave")
        if x.grad is None or done != [1]:
            return "A gradient or a thread did not come out."
    except BaseException as error:  # whatever it is, the jail cannot be used
        return f"Everyday code failed in the jail with {error!r}."
    return ""
