"""One submission on its way through the suite, and which checks are not worth running for it (the ladder, `needs`)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from grader.limits import Limits
from grader.results.verdict import CheckVerdict
from grader.suite.broken import no_need
from grader.suite.context import CourseSide
from grader.suite.draw import check_seed
from grader.suite.manifest import Check
from grader.suite.outcomes import not_run
from grader.suite.overtime import Overseer
from grader.workers.clock import Finish
from grader.workers.prefetch import Prefetched
from grader.workers.session import Session

Group = tuple[str, str]
"""An exercise, or none for all of them, and a visibility."""
NO_GROUP: Group = ("", "")


@dataclass(frozen=True)
class Ahead:
    """What is there of a check before its turn.

    Attributes:
        answers: To its first calls.
        judge: Judges them, where the check has nothing else to do with them; None where it has.
    """

    answers: Prefetched
    judge: Callable[[], Any] | None


@dataclass
class Run:
    """One submission on its way through the suite.

    Attributes:
        session: The student's side.
        submission: The hash that inputs are drawn from.
        limits: What the submission may use.
        finish: When its time is over.
        on_verdict: Called with each verdict the moment it is reached, so that none is lost when a process dies.
        verdicts: What each check came to, by id.
        exercise: The exercise that is being checked.
        hangs: How many checks ran into the time limit, by exercise.
        missing: The exercises of which a fresh worker has already said that they are not written.
        suspect: Whether one of its checks did not pass at the first try, so that the worker may be damaged.
        seeds: What the inputs of a check are drawn from, by check; worked out where it is not given.
        prefetched: What is there already of the checks whose first calls were made ahead, by check.
        group: The exercise, or none for all of them, and the visibility of the checks whose calls were made ahead last.
        asks_singly: Whether nothing is asked ahead any more, since it did not go well once.
        ask_once: The checks that asked something once.
        overseer: Ends a check in which more is computed than the submission has time for, where it is at work.
        proven: Whether the solution passed all of the suite, so that a check that stumbles does so over the submission.
    """

    session: Session
    submission: str
    limits: Limits
    finish: Finish
    on_verdict: Callable[[CheckVerdict], None]
    verdicts: dict[str, CheckVerdict] = field(default_factory=dict)
    exercise: str = ""
    hangs: Counter[str] = field(default_factory=Counter)
    missing: set[str] = field(default_factory=set)
    suspect: bool = False
    seeds: dict[str, int] = field(default_factory=dict)
    prefetched: dict[str, Ahead] = field(default_factory=dict)
    group: Group = NO_GROUP
    asks_singly: bool = False
    ask_once: list[str] = field(default_factory=list)
    proven: bool = False
    overseer: Overseer = field(init=False)

    def __post_init__(self) -> None:
        self.overseer = Overseer(self.finish)

    def seed_of(self, course: CourseSide, check: str) -> int:
        """Return what the inputs of a check are drawn from."""
        if check not in self.seeds:
            self.seeds[check] = check_seed(course.secret, course.assignment, self.submission, check)
        return self.seeds[check]


def reason_not_to_run(run: Run, check: Check, by_stem: Mapping[str, Sequence[Check]]) -> CheckVerdict | None:
    """Return the verdict of a check that is not worth running, or None for one that is.

    Args:
        run: The submission, with the verdicts so far.
        check: The check whose turn it is.
        by_stem: The suite's checks by their id without parameters.

    Raises:
        CourseError: It needs a check that is not there or comes later.
    """
    if run.finish.is_over():
        return not_run(check.id, "timeout", "submission_time", seconds=run.limits.submission_wall_s)
    hangs = run.hangs[check.spec.exercise]
    if hangs >= run.limits.hangs_per_exercise:
        return not_run(check.id, "timeout", "hangs" if hangs > 1 else "hang", count=hangs)
    for need in check.spec.needs:
        for other in _named(run, check, need, by_stem):
            if run.verdicts[other.id].status != "passed":
                reason = not_run(check.id, "skipped", "needs", sentence=other.spec.sentence)
                korean = not_run(check.id, "skipped", "needs", sentence=other.spec.sentence_ko).reason_ko
                return msgspec.structs.replace(reason, reason_ko=korean)
    return None


def _named(run: Run, check: Check, need: str, by_stem: Mapping[str, Sequence[Check]]) -> Sequence[Check]:
    """Return the checks (one, or one for each parameter) that a `needs` entry names; all ran before this one."""
    found = by_stem.get(f"{check.spec.exercise}.{need.removeprefix('test_')}", [])
    if not found or any(other.id not in run.verdicts for other in found):
        raise no_need(check, need, by_stem)
    return found
