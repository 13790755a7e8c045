"""The command line run in the tests' own process, where torch is imported already; a process of its own takes seconds.

What is about processes (signals, the environment, the terminal) starts one: `grading_runs.py` and others.
"""

import contextlib
import io
from dataclasses import dataclass

from grader.cli import status


@dataclass(frozen=True)
class Done:
    """How a command ended, with what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run_here(*arguments: object) -> Done:
    printed, told = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(told):
        code = status([str(argument) for argument in arguments])
    return Done(code, printed.getvalue(), told.getvalue())


def printed_by(*arguments: object) -> str:
    """Run a command that must succeed and return what it printed."""
    done = run_here(*arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
