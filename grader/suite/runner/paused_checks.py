"""Runs the bodies of many checks side by side: each pauses where it asks the student's code, and all ask together.

A change from process to process leaves both with cold caches, which costs more than most calls do. So a body runs in a
greenlet. Where it asks, it is left at that line with its question. When every body has a question or has ended, all
questions go to the worker in one exchange, and each body goes on from its line with its own answers. Each body runs
once from top to bottom, and torch's settings are put back as it left them whenever it resumes. What came of it is
raised or returned when pytest comes to the check (`attempts.py`).
"""

import contextlib
import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import greenlet
import pytest
import torch

from grader.errors import GraderError
from grader.suite.core.context import current_check
from grader.suite.core.manifest import Check
from grader.workers.process.check_attempt import Abandoned, CheckAttempt, PausedRequest
from grader.workers.process.clock import Allowance

from . import pytest_internals
from .overtime import Overtime, TooSlow
from .stages import NOT_CAUGHT
from .submission_run import BodyResult, Run

Body = Callable[[], None]
Maker = Callable[[], Any]


def run_together(run: Run, bodies: Sequence[tuple[Check, Body]]) -> None:
    """Run the bodies of checks up to their ends, and keep with the submission what came of each.

    All rounds together have the time that one check has, so a check has at most its own. If the worker does not finish
    in it, the waiting checks get no result, and they and all later ones run alone at their turn. So does a check that
    computes so long that it holds up the others.
    """
    every = [PausedBody(run, check, body) for check, body in bodies]
    outside = TorchState()
    try:
        with run.overseer.may_end():
            ask_in_rounds(run, every)
    except Overtime:
        pass  # whatever has its result by now keeps it
    finally:
        outside.restore()
    run.results |= {paused.check.id: paused.result for paused in every if paused.result is not None}
    run.asked_on |= {paused.check.id: paused.generation for paused in every if paused.result is None}


def ask_in_rounds(run: Run, every: Sequence["PausedBody"]) -> None:
    """Run bodies from question to question, with one exchange for those of all that wait.

    Raises:
        Overtime: The submission's time is over.
    """
    allowance = Allowance.full(run.limits, run.deadline)
    try:
        for paused in every:
            paused.go_on(None)
        while waiting := [(paused, paused.question) for paused in every if paused.question is not None]:
            began = time.monotonic()
            outcomes = run.session.ask_together([question for _, question in waiting], allowance)
            if outcomes is None:
                run.asks_alone = True
                break
            share = (time.monotonic() - began) / len(waiting)
            for (paused, _), outcome in zip(waiting, outcomes, strict=True):
                paused.seconds += share
                paused.generation = run.session.generation
                paused.go_on(outcome)
    finally:
        for paused in every:
            paused.abandon()


SWITCHES: tuple[tuple[Callable[[], Any], Callable[[Any], object]], ...] = (
    (torch.is_grad_enabled, torch.set_grad_enabled),
    (torch.get_default_dtype, torch.set_default_dtype),
    (partial(torch.is_autocast_enabled, "cpu"), partial(torch.set_autocast_enabled, "cpu")),
    (partial(torch.get_autocast_dtype, "cpu"), partial(torch.set_autocast_dtype, "cpu")),
    (torch.get_num_threads, torch.set_num_threads),
)


class TorchState:
    """What `torch` is switched to now, and where its generator is."""

    def __init__(self) -> None:
        self._values = [read() for read, _ in SWITCHES]
        self._generator = torch.default_generator.get_state()

    def restore(self) -> None:
        """Put it in force again."""
        for value, (read, switch) in zip(self._values, SWITCHES, strict=True):
            if read() != value:
                switch(value)
        torch.default_generator.set_state(self._generator)


@dataclass
class PausedBody:
    """The body of one check, from question to question.

    Attributes:
        question: Where it waits; None when it has ended.
        seconds: How long it took so far, with its share of the exchanges.
        result: What came of it; None as long as it waits, and where it has to be run once more by itself.
        generation: The number of the worker that answered it; 0 before one did.
    """

    run: Run
    check: Check
    body: Body
    question: PausedRequest | None = None
    seconds: float = 0.0
    result: BodyResult | None = None
    generation: int = 0
    _attempt: CheckAttempt = field(init=False)
    _torch: TorchState = field(init=False)
    _since: float = field(init=False)

    def __post_init__(self) -> None:
        self._attempt = self.run.session.begin_check(self.run.deadline, pauses=True)
        with own_torch(self.run.seed_of(self.check)):
            self._torch = TorchState()
        self._greenlet = greenlet.greenlet(self._run)

    def _run(self, _: object) -> None:  # the value passed by the first switch, unused
        # What fails beside others is tried again alone: `Tries.result` counts a worker with a body's result as used.
        current_check.set(self.run.state_of(self.check, will_be_repeated=True))
        error: BaseException | None = None
        try:
            self.body()
        except NOT_CAUGHT:
            raise
        except (Abandoned, TooSlow, GraderError):  # run the check alone later to see whether this happens again
            return
        except BaseException as caught:  # whatever it is, pytest meets it at the check's turn
            error = caught
        if not self._attempt.abandoned:  # else it caught even that
            seconds = self.seconds + time.monotonic() - self._since
            self.result = BodyResult(self._attempt, error, seconds, self.run.session.worker_ran_code)

    def go_on(self, outcome: Any) -> None:
        """Run it from where it waits to its next question or its end; what it switched in `torch` stays so."""
        self._since = time.monotonic()
        self._torch.restore()
        self.run.session.attempt = self._attempt
        self.question = None
        try:
            with self.run.overseer.for_a_moment():
                self.question = self._greenlet.switch(outcome)  # what `pause` sent; None when the body has ended
        except TooSlow:  # it came when the body had just paused
            self.abandon()
        finally:
            self._torch = TorchState()
            self.seconds += time.monotonic() - self._since
        if self.question is not None and torch.is_inference_mode_enabled():
            self.abandon()  # no other check could be run meanwhile: torch leaves that mode only where it was entered

    def abandon(self) -> None:
        """End it where it waits, if it does; calls that it makes while unwinding are not answered."""
        self._attempt.abandoned = True
        self.question = None
        if self._greenlet:  # it has begun and has not ended
            self.run.session.attempt = self._attempt
            self._greenlet.throw(Abandoned)


@contextlib.contextmanager
def own_torch(seed: int) -> Iterator[None]:
    """Seed torch's global generator with the check's seed inside the block; suites draw their inputs by `draw`.

    Afterwards torch is as it was: for the next check, and since in a notebook it is the student's.
    """
    before = TorchState()
    torch.default_generator.manual_seed(int.from_bytes(hashlib.sha256(seed.to_bytes(16, "big")).digest()[:7], "big"))
    try:
        yield
    finally:
        before.restore()


def body_of(item: pytest.Item, ready: dict[str, Maker]) -> Body | None:
    """Return what runs a check without pytest.

    Returns:
        None where the check needs more than these and its parameters.
    """
    if not isinstance(item, pytest.Function) or item.cls is not None:
        return None
    parameters = dict(item.callspec.params) if hasattr(item, "callspec") else {}
    fixtures = pytest_internals.fixtures_of(item)
    given = {name for name in parameters if all(map(pytest_internals.is_parameter, fixtures.get(name, ())))}
    needed, names = pytest_internals.names_needed(item)
    if not needed <= {*ready, *given}:
        return None
    function = item.obj

    def body() -> None:
        function(**{name: ready[name]() if name in ready else parameters[name] for name in names})

    return body
