"""The hints of a student's own run are those of the mistakes, as verifying sees them fail visible checks."""

from collections.abc import Sequence
from types import SimpleNamespace

import msgspec

from grader.course.handed_out.build import give_hints
from grader.course.handed_out.hints import Hint, Hints, answer_hash, hints_text, read_hints
from grader.course.layout import Assignment
from grader.course.variants.read_variants import Variant
from grader.results.verdict import Values
from grader.system.whole_file import write_whole

from .naming import left_aside
from .rules import Findings, Unmet, submission_name
from .trial import Trial


def hints_of(mistakes: Sequence[Variant], trial: Trial) -> Hints:
    """Return the hints for the answers that mistakes give in visible checks.

    An answer that mistakes with different hints give has none: in their own run a student sees it as wrong, and the
    report, which knows the hidden checks too, tells them apart.
    """
    by_answer: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for each in mistakes:
        for check in trial.not_passed(submission_name(each), each.exercise):
            if check["visibility"] == "visible" and check["status"] in ("failed", "error"):
                detail = dict(check["detail"])
                detail["values"] = detail["values"] and msgspec.convert(detail["values"], Values)
                answer = answer_hash(check["id"], SimpleNamespace(**detail))
                by_answer.setdefault((each.exercise, answer), set()).add((each.hint, each.ko))
    answers: dict[str, dict[tuple[str, str], list[str]]] = {}
    for (exercise, answer), hints in by_answer.items():
        if len(hints) == 1:
            (hint,) = hints
            answers.setdefault(exercise, {}).setdefault(hint, []).append(answer)
    return {
        exercise: [Hint(*hint, sorted(found)) for hint, found in sorted(each.items())]
        for exercise, each in sorted(answers.items())
    }


def record_hints(assignment: Assignment, exercises: Sequence[str], hints: Hints) -> None:
    """Write the hints of some exercises, the students' copy too; those of the assignment's other exercises stay."""
    write_whole(assignment.hints, hints_text(merged(assignment, exercises, hints)).encode())
    give_hints(assignment)


def hints_in_step(assignment: Assignment, exercises: Sequence[str], hints: Hints) -> Findings:
    """Ask that the kept hints are those of the mistakes now."""
    kept, now = read_hints(assignment.hints), merged(assignment, exercises, hints)
    for exercise in sorted(name for name in kept.keys() | now.keys() if kept.get(name) != now.get(name)):
        rule = "The hints of the mistakes must be in step with the suite."
        yield Unmet(rule, assignment.hints, exercise, "They are not; run `grader verify --record`.")


def merged(assignment: Assignment, exercises: Sequence[str], hints: Hints) -> Hints:
    """Return the hints of the exercises that were looked at beside the kept ones of all others."""
    kept = read_hints(assignment.hints)
    others = {name: kept[name] for name in left_aside(assignment, exercises, kept)}
    return dict(sorted({**others, **hints}.items()))
