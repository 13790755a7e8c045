"""Which checks are not worth running for a submission: those that need another one, and those after many hangs.

A check for forbidden calls limits the points of its exercise. It runs although what it needs did not pass; only a
forbidden call counts then, whatever else it finds.
"""

from collections.abc import Mapping, Sequence

from grader.results.verdict import CheckVerdict
from grader.suite.core.manifest import Check
from grader.words import say

from .outcomes import out_of_time_verdict
from .submission_run import Run
from .suite_errors import unknown_need_error

Checks = Mapping[str, Sequence[Check]]
"""The suite's checks by their id without parameters."""


def reason_not_to_run(run: Run, check: Check, by_stem: Checks, *, has_passed: bool = False) -> CheckVerdict | None:
    """Return the verdict of a check that is not worth running, or None for one that is.

    Args:
        has_passed: Whether its body has come to its end already, so that no time is needed for it.

    Raises:
        CourseError: It needs a check that is not there or comes later.
    """
    if run.deadline.is_over() and not has_passed:
        return out_of_time_verdict(check.id, "submission_time", seconds=run.limits.submission_wall_s)
    if check.spec.exercise in run.lost:
        return CheckVerdict(id=check.id, status="skipped")
    hangs = run.hangs[check.spec.exercise]
    if hangs >= run.limits.hangs_per_exercise:
        return out_of_time_verdict(check.id, "hangs" if hangs > 1 else "hang", count=hangs)
    return None if check.spec.category == "policy" else unmet_need(run, check, by_stem)


def unmet_need(run: Run, check: Check, by_stem: Checks) -> CheckVerdict | None:
    """Return the verdict of a check that needs one which did not pass, or None where all that it needs passed.

    Raises:
        CourseError: It needs a check that is not there or comes later.
    """
    for need, stem in zip(check.spec.needs, check.needed, strict=True):
        others = by_stem.get(stem, ())  # one, or one for each parameter
        if not others or any(other.id not in run.verdicts for other in others):
            raise unknown_need_error(check, need, by_stem)
        for other in others:
            if run.verdicts[other.id].status != "passed":
                reason = say("needs", "en", sentence=other.spec.sentence)
                korean = say("needs", "ko", sentence=other.spec.sentence_ko)
                return CheckVerdict(id=check.id, status="skipped", reason=reason, reason_ko=korean)
    return None


def may_still_run(run: Run, check: Check, by_stem: Checks) -> bool:
    """Tell whether nothing is known so far for which a check would not be run at its turn."""
    ended = (run.verdicts.get(other.id) for stem in check.needed for other in by_stem.get(stem, ()))
    failed = any(verdict is not None and verdict.status != "passed" for verdict in ended)
    if failed and check.spec.category != "policy":
        return False
    return check.spec.exercise not in run.lost and run.hangs[check.spec.exercise] < run.limits.hangs_per_exercise


def costs_points(check: Check, verdict: CheckVerdict) -> bool:
    """Tell whether an exercise loses points by this verdict, whatever comes of its other checks."""
    if verdict.excused or verdict.status == "passed":
        return False
    return check.spec.weight > 0 or verdict.status != "skipped"
