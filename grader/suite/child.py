"""A forked child as its parent sees it: what it was given to do, what it said to be done, and its end.

Parent and child know the same submissions, those that were read when the child was forked; so a number says all.
"""

import contextlib
import os
import signal
import struct
import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grader.stopping import held_back
from grader.suite.submission import Job

NUMBER = struct.Struct("<q")
DONE = b"."
MOST_TOLD = 4096


@dataclass
class Child:
    """A running child.

    Attributes:
        pid: Its number.
        pidfd: What it is waited for by.
        told: Where it says that a submission is done, a byte for each.
        gives: Where it is told the number of the next one; None when it gets no more.
        known: The submissions that it can be given, by number.
        processor: The number of the one that it is kept to; None for any.
        since: When it began with the first of its jobs.
        jobs: What it was given and has not said to be done; the first one is running.
        given: How many it was given in all.
    """

    pid: int
    pidfd: int
    told: int
    gives: int | None
    known: Mapping[int, Job]
    processor: int | None
    since: float = field(default_factory=time.monotonic)
    jobs: deque[Job] = field(default_factory=deque)
    given: int = 0

    def give(self, job: Job) -> None:
        """Give it a submission to grade after those that it has. One that is leaving gives it back with its end."""
        if not self.jobs:
            self.since = time.monotonic()
        self.jobs.append(job)
        self.given += 1
        if self.gives is not None:
            with contextlib.suppress(BrokenPipeError):
                os.write(self.gives, NUMBER.pack(job.number))

    def close(self) -> None:
        """Give it no more, so that it leaves when it has done what it was given."""
        if self.gives is not None:
            os.close(self.gives)
            self.gives = None

    def hear(self) -> Iterator[tuple[Job, float]]:
        """Yield the submissions that it says to be done since it was last heard, each with the seconds that it took."""
        with contextlib.suppress(BlockingIOError):
            for _ in os.read(self.told, MOST_TOLD):
                yield self.end()

    def end(self) -> tuple[Job, float]:
        """Return the submission that has come to its end, with the seconds that it took."""
        since, self.since = self.since, time.monotonic()
        return self.jobs.popleft(), self.since - since

    def kill(self) -> None:
        """End it wherever it is."""
        signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def let_go(self) -> int:
        """Wait for its end and return how it left."""
        _, status = os.waitpid(self.pid, 0)
        self.close()
        os.close(self.pidfd)
        os.close(self.told)
        return os.waitstatus_to_exitcode(status)


@dataclass(frozen=True)
class Work:
    """The child's own side: the submissions that it is given.

    Attributes:
        takes: Where their numbers come from.
        tells: Where it says that one is done.
        known: Those that it can be given, by number.
        processor: The number of the one that it is to keep to; None for any.
    """

    takes: int
    tells: int
    known: Mapping[int, Job]
    processor: int | None

    def jobs(self) -> Iterator[Job]:
        """Yield what the parent gives, until it gives no more."""
        while number := os.read(self.takes, NUMBER.size):
            yield self.known[NUMBER.unpack(number)[0]]

    def done(self) -> None:
        """Say that the submission that was yielded last is done."""
        os.write(self.tells, DONE)


def fork(known: Mapping[int, Job], processor: int | None, others: list[Child]) -> Child | Work:
    """Fork a child, and return it to the parent and its work to itself.

    Args:
        known: The submissions that it can be given.
        processor: What it will be kept to.
        others: The other children; what they are given is none of its business.
    """
    with contextlib.ExitStack() as ends:
        (told, tells), (takes, gives) = (pipe(ends) for _ in range(2))
        with held_back():
            pid = os.fork()
        if pid == 0:
            for each in others:
                each.close()
            for number in (told, gives):
                os.close(number)
            ends.pop_all()
            return Work(takes, tells, known, processor)
        try:
            pidfd = os.pidfd_open(pid)
        except OSError:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise
        ends.pop_all()
    os.close(takes)
    os.close(tells)
    os.set_blocking(told, False)
    return Child(pid, pidfd, told, gives, known, processor)


def pipe(ends: contextlib.ExitStack) -> tuple[int, int]:
    """Return the two ends of a pipe, which are closed with a stack."""
    reading, writing = os.pipe()
    ends.callback(os.close, reading)
    ends.callback(os.close, writing)
    return reading, writing
