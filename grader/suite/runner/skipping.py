"""Which checks are not worth running for a submission: those that need another one, and those after many hangs.

A check for forbidden calls limits the points of its exercise. It runs although what it needs did not pass; only a
forbidden call counts then, whatever else it finds.
"""

from collections.abc import Mapping, Sequence

import msgspec

from grader.results.verdict import CheckVerdict
from grader.suite.core.manifest import Check

from .outcomes import not_run_verdict
from .submission_run import Run
from .suite_errors import unknown_need_error


def reason_not_to_run(
    run: Run, check: Check, by_stem: Mapping[str, Sequence[Check]], *, has_passed: bool = False
) -> CheckVerdict | None:
    """Return the verdict of a check that is not worth running, or None for one that is.

    Args:
        run: The submission, with the verdicts so far.
        check: The check whose turn it is.
        by_stem: The suite's checks by their id without parameters.
        has_passed: Whether its body has come to its end already, so that no time is needed for it.

    Raises:
        CourseError: It needs a check that is not there or comes later.
    """
    if run.deadline.is_over() and not has_passed:
        return not_run_verdict(check.id, "timeout", "submission_time", seconds=run.limits.submission_wall_s)
    hangs = run.hangs[check.spec.exercise]
    if hangs >= run.limits.hangs_per_exercise:
        return not_run_verdict(check.id, "timeout", "hangs" if hangs > 1 else "hang", count=hangs)
    return None if check.spec.category == "policy" else unmet_need(run, check, by_stem)


def unmet_need(run: Run, check: Check, by_stem: Mapping[str, Sequence[Check]]) -> CheckVerdict | None:
    """Return the verdict of a check that needs one which did not pass, or None where all that it needs passed.

    Raises:
        CourseError: It needs a check that is not there or comes later.
    """
    for need in check.spec.needs:
        for other in _named(run, check, need, by_stem):
            if run.verdicts[other.id].status != "passed":
                reason = not_run_verdict(check.id, "skipped", "needs", sentence=other.spec.sentence)
                korean = not_run_verdict(check.id, "skipped", "needs", sentence=other.spec.sentence_ko).reason_ko
                return msgspec.structs.replace(reason, reason_ko=korean)
    return None


def may_still_run(run: Run, check: Check, by_stem: Mapping[str, Sequence[Check]]) -> bool:
    """Tell whether nothing is known so far for which a check would not be run at its turn."""
    exercise = check.spec.exercise
    needed = (other for need in check.spec.needs for other in by_stem.get(stem_of(exercise, need), ()))
    failed = any(run.verdicts[other.id].status != "passed" for other in needed if other.id in run.verdicts)
    return (not failed or check.spec.category == "policy") and run.hangs[exercise] < run.limits.hangs_per_exercise


def stem_of(exercise: str, need: str) -> str:
    """Return the id without parameters of a check that a `needs` entry names."""
    return f"{exercise}.{need.removeprefix('test_')}"


def _named(run: Run, check: Check, need: str, by_stem: Mapping[str, Sequence[Check]]) -> Sequence[Check]:
    """Return the checks (one, or one for each parameter) that a `needs` entry names; all ran before this one."""
    found = by_stem.get(stem_of(check.spec.exercise, need), [])
    if not found or any(other.id not in run.verdicts for other in found):
        raise unknown_need_error(check, need, by_stem)
    return found
