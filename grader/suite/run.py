"""One submission on its way through the suite, and which checks are not worth running for it (the ladder, `needs`)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from grader.limits import Limits
from grader.results.verdict import CheckVerdict, Visibility
from grader.suite.broken import no_need
from grader.suite.context import CourseSide
from grader.suite.draw import check_seed
from grader.suite.manifest import Check
from grader.suite.outcomes import not_run
from grader.suite.overtime import Overseer
from grader.workers.clock import Finish
from grader.workers.session import Session
from grader.workers.turn import Turn


@dataclass(frozen=True)
class BodyResult:
    """What came of the body of a check that was run before pytest's turn for it.

    Attributes:
        turn: What it asked, and what its calls printed.
        error: The exception that left it; None where it came to its end.
    """

    turn: Turn
    error: BaseException | None


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
        hangs: How many checks ran into the time limit, by exercise.
        missing: The exercises of which a fresh worker has already said that they are not written.
        tries_again: The exercise whose second tries, all of which failed as the first ones had, are all that ran on
            the worker so far; empty for none.
        seeds: What the inputs of a check are drawn from, by check; worked out where it is not given.
        results: What came of the checks whose bodies were run together, until pytest comes to them, by check.
        ran_together: The visibilities whose checks were run together.
        asks_singly: Whether every check asks by itself, since asking together did not go well once.
        overseer: Ends a check in which more is computed than the submission has time for, where it is at work.
        proven: Whether the solution passed all of the suite, so that a check that stumbles does so over the submission.
    """

    session: Session
    submission: str
    limits: Limits
    finish: Finish
    on_verdict: Callable[[CheckVerdict], None]
    verdicts: dict[str, CheckVerdict] = field(default_factory=dict)
    hangs: Counter[str] = field(default_factory=Counter)
    missing: set[str] = field(default_factory=set)
    tries_again: str = ""
    seeds: dict[str, int] = field(default_factory=dict)
    results: dict[str, BodyResult] = field(default_factory=dict)
    ran_together: set[Visibility] = field(default_factory=set)
    asks_singly: bool = False
    proven: bool = False
    overseer: Overseer = field(init=False)

    def __post_init__(self) -> None:
        self.overseer = Overseer(self.finish)

    def has_passed(self, check: Check) -> bool:
        """Tell whether a check that was run together with others came to its end, before pytest's turn for it."""
        return check.id in self.results and self.results[check.id].error is None

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
    if run.finish.is_over() and not run.has_passed(check):
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


def may_still_run(run: Run, check: Check, by_stem: Mapping[str, Sequence[Check]]) -> bool:
    """Tell whether nothing is known so far for which a check would not be run at its turn."""
    exercise = check.spec.exercise
    needed = (other for need in check.spec.needs for other in by_stem.get(stem_of(exercise, need), ()))
    failed = any(run.verdicts[other.id].status != "passed" for other in needed if other.id in run.verdicts)
    return not failed and run.hangs[exercise] < run.limits.hangs_per_exercise


def stem_of(exercise: str, need: str) -> str:
    """Return the id without parameters of a check that a `needs` entry names."""
    return f"{exercise}.{need.removeprefix('test_')}"


def _named(run: Run, check: Check, need: str, by_stem: Mapping[str, Sequence[Check]]) -> Sequence[Check]:
    """Return the checks (one, or one for each parameter) that a `needs` entry names; all ran before this one."""
    found = by_stem.get(stem_of(check.spec.exercise, need), [])
    if not found or any(other.id not in run.verdicts for other in found):
        raise no_need(check, need, by_stem)
    return found
