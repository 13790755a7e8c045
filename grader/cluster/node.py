"""`python -m grader.cluster.node`: grades one batch on a node and writes the sealed results to standard output.

It reads a request from standard input, asks that kit, suite and secret are those of the machine that sent it, proves a
jail of its own and grades as `grader grade` does. What it can't do it says on standard error, in a sentence; the exit
code says what that means for the rest of the run (`Ending`).
"""

import enum
import os
import signal
import sys
from pathlib import Path
from typing import BinaryIO

from grader.course.layout import Assignment, Course, find_course
from grader.errors import GraderError, IsolationError, UsageError
from grader.inside.sandbox.syscalls import PR_SET_PDEATHSIG, StepRefused, prctl
from grader.results.verdict import ManifestCheck
from grader.system.devices import choose_device
from grader.system.processors import cores
from grader.system.stopping import listen

from .messages import COURSE_VARIABLE, Finished, Opening, Request, Seals, claimed, difference, identity_of


class Ending(enum.IntEnum):
    """How the process of a node ended.

    Attributes:
        BROKEN: The course is broken, here as everywhere.
        NO_ISOLATION: Student code can't be shut in on this node.
        REFUSED: This node can't stand for the machine that asks.
        EARLY: The jail was lost on the way; what was sent counts.
    """

    DONE = 0
    BROKEN = 2
    NO_ISOLATION = 3
    REFUSED = 4
    EARLY = 5
    STOPPED = 143


def main() -> int:
    """Serve one request and return how that ended."""
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a suite prints must not come between the results
    listen()
    try:
        prctl("tie this process to its worker's life", PR_SET_PDEATHSIG, signal.SIGTERM)
        if len(sys.argv) > 1 and os.getppid() != int(sys.argv[1]):
            return Ending.STOPPED
        return BatchRun(sys.stdin.buffer.read(), results).grade()
    except (StepRefused, Refused) as error:
        return _print_ending(error, Ending.REFUSED)
    except KeyboardInterrupt:
        return Ending.STOPPED


class Refused(Exception):
    """This node can't stand for the machine that asks; the text says why."""


def _print_ending(error: Exception, ending: Ending) -> Ending:
    """Say an error to the person who asks, and return the ending."""
    print(error, file=sys.stderr)
    return ending


class BatchRun:
    """A request on its way.

    Raises:
        Refused: It is not for this node.
    """

    def __init__(self, sent: bytes, results: BinaryIO) -> None:
        try:
            self.request: Request = claimed(sent)
        except ValueError as problem:
            raise Refused(f"the request can't be read, perhaps since its kit is another one: {problem}") from None
        try:
            self.course: Course = find_course(Path(os.environ.get(COURSE_VARIABLE) or self.request.course))
            self.assignment: Assignment = self.course.assignment(self.request.assignment)
            self.seals = Seals(self.course.secret())
            choose_device(self.request.device, self.request.device)
        except GraderError as error:
            raise Refused(str(error)) from None
        here = identity_of(self.course, self.assignment, self.request.device, self.request.limits)
        if (other := difference(self.request.identity, here)) is not None:
            raise Refused(f"{other}.")
        if not self.seals.is_whole(sent):
            raise Refused("the request does not carry this course's seal.")
        self._results = results
        self._written = 0

    def grade(self) -> Ending:
        """Prove a jail, grade the batch in it and send each result."""
        from grader.grading.jails import isolation_of, open_course_jail

        request = self.request
        jobs, count = request.jobs or cores(), len(request.items)
        paths = [path for path in map(Path, request.paths) if path.exists()]
        try:
            jail = open_course_jail(self.course, request.tier, request.limits, request.device, jobs, count, paths)
        except IsolationError as error:
            return _print_ending(error, Ending.NO_ISOLATION)
        except GraderError as error:
            return _print_ending(error, Ending.REFUSED)
        isolation = isolation_of(jail)
        from grader.grading.suite_run import Result, SuiteRun

        def take(manifest: list[ManifestCheck], result: Result) -> None:
            if not self._written:
                self._send(Opening(isolation=isolation, manifest=manifest))
            self._send(
                Finished(
                    number=request.items[result.number].number,
                    problem=result.source.problem,
                    outcome=result.outcome,
                    lasting=result.lasting,
                    raw=result.raw.read_bytes() if request.raw and result.raw is not None else None,
                )
            )

        try:
            with jail:
                SuiteRun(
                    course=self.course,
                    assignment=self.assignment,
                    jail=jail,
                    limits=request.limits,
                    device=request.device,
                    language=request.language,
                    jobs=jobs,
                    read=lambda place: request.items[place].source,
                    take=take,
                    shuffle=request.shuffle,
                    singly=request.singly,
                ).run(range(len(request.items)))
        except (IsolationError, UsageError) as error:
            return _print_ending(error, Ending.EARLY)
        except GraderError as error:
            return _print_ending(error, Ending.BROKEN)
        return Ending.DONE

    def _send(self, line: Opening | Finished) -> None:
        self._results.write(self.seals.line(self.request.nonce, self._written, line))
        self._results.flush()
        self._written += 1


if __name__ == "__main__":
    sys.exit(main())
