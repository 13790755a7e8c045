"""One submission on its way through the suite."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.limits import Limits
from grader.results.verdict import CheckVerdict
from grader.suite.core.context import AssignmentContext, CheckState
from grader.suite.core.draw import check_seed
from grader.suite.core.manifest import Check
from grader.suite.diagnosis.shown_calls import ShownCall
from grader.workers.process.check_attempt import CheckAttempt
from grader.workers.process.clock import Deadline
from grader.workers.session import WorkerSession
from grader.workers.source_loading import TextReading

from .overtime import Overseer


@dataclass(frozen=True)
class BodyResult:
    """What came of the body of a check that was run before pytest's turn for it.

    Attributes:
        attempt: What it asked, and what its calls printed.
        error: The exception that left it; None where it came to its end.
        seconds: How long it took, with its share of the exchanges that it asked in.
        worker_ran_code: Whether its worker had run student code by then, other than unwritten functions.
    """

    attempt: CheckAttempt
    error: BaseException | None
    seconds: float
    worker_ran_code: bool


@dataclass
class Run:
    """One submission on its way through the suite.

    Attributes:
        digest: The hash that inputs are drawn from.
        on_verdict: Called with each verdict the moment it is reached, so that none is lost when a process dies.
        seeds: What the inputs of single checks are drawn from instead of the submission, by check.
        proven: Whether the solution passed all of the suite, so that a check that stumbles does so over the submission.
        results: What came of the checks whose bodies were run together, until pytest comes to them, by check.
        asked_on: The number of the worker that answered a check which began beside others and came to no end there, by
            check; that worker is not to be asked by it again.
        hangs: How many checks ran into the time limit, by exercise.
        missing: The exercises of which a fresh worker has already said that they are not written.
        lost: The exercises whose other checks are not run, since one has cost points already.
        retried_exercise: The exercise whose second tries are all that ran on the worker so far, each of which failed as
            it did at first; empty for none.
        shown: What each check asked and what came of it, where the session keeps that, by check.
        asks_alone: Whether every check runs alone from now on, since the worker did not finish a common exchange.
        overseer: Ends a check in which more is computed than the submission has time for, where it is at work.
    """

    course: AssignmentContext
    session: WorkerSession
    digest: str
    limits: Limits
    deadline: Deadline
    on_verdict: Callable[[CheckVerdict], None]
    text: TextReading = field(default_factory=TextReading)
    seeds: Mapping[str, int] = field(default_factory=dict)
    proven: bool = False
    verdicts: dict[str, CheckVerdict] = field(default_factory=dict)
    results: dict[str, BodyResult] = field(default_factory=dict)
    asked_on: dict[str, int] = field(default_factory=dict)
    hangs: Counter[str] = field(default_factory=Counter)
    missing: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    retried_exercise: str = ""
    asks_alone: bool = False
    shown: dict[str, list[ShownCall]] = field(default_factory=dict)
    findings: dict[Any, Any] = field(default_factory=dict)
    overseer: Overseer = field(init=False)

    def __post_init__(self) -> None:
        self.overseer = Overseer(self.deadline)

    def seed_of(self, check: Check) -> int:
        """Return what the inputs of a check are drawn from."""
        if check.id in self.seeds:
            return self.seeds[check.id]
        return check_seed(self.course.secret, self.course.assignment, self.digest, check.id)

    def state_of(self, check: Check, *, will_be_repeated: bool) -> CheckState:
        """Return what a try of a check begins with."""
        compared: list[tuple[Any, Any]] | None = [] if self.session.keeps_calls else None
        seed = self.seed_of(check)
        return CheckState(
            check, seed, self.course, self.session, self.findings, compared=compared, will_be_repeated=will_be_repeated
        )
