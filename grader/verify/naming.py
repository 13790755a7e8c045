"""The rules on diagnosis: a mistake whose answer gives it away is recognised.

The hints of a student's own run are those of the mistakes, as verifying sees them fail visible checks.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grader.course.handed_out.build import give_hints
from grader.course.handed_out.hints import Hint, Hints, answer_hash, hints_text, read_hints
from grader.course.layout import Assignment
from grader.course.variants.read_variants import Variant
from grader.results.report import Detail
from grader.suite.diagnosis.device_faults import DEVICE_FAULTS
from grader.system.whole_file import write_whole

from .rules import Findings, Unmet, mistakes_file, submission_name
from .trial import Trial

ON_THE_CPU = frozenset(each.name for each in DEVICE_FAULTS)


def left_aside(assignment: Assignment, exercises: Sequence[str], known: Mapping[str, object]) -> set[str]:
    """Return the exercises of a kept file that are not looked at: all others, where only some are."""
    whole = all(each.id in exercises for each in assignment.exercises)
    return set() if whole else known.keys() - set(exercises)


def mistakes_are_named(assignment: Assignment, mistakes: Sequence[Variant], trial: Trial) -> Findings:
    """Ask that a mistake which an answer gives away is diagnosed as itself or as a declared twin.

    One that is right on the CPU alone is named by what keeps it there.
    """
    for each in mistakes:
        if each.marks == "device":
            if not trial.faults(submission_name(each), each.exercise) & ON_THE_CPU:
                rule = f"The report on the mistake `{each.name}` must say what keeps it on the CPU."
                yield Unmet(rule, mistakes_file(assignment, each.exercise), each.exercise, "It does not.")
            continue
        named = trial.diagnosed(submission_name(each), each.exercise)
        if named and named.isdisjoint({each.name, *each.twins}):
            rule = f"The mistake `{each.name}` must be diagnosed as itself or as a declared twin."
            found = f"It is taken for {', '.join(sorted(named))}."
            yield Unmet(rule, mistakes_file(assignment, each.exercise), each.exercise, found)


def hints_of(mistakes: Sequence[Variant], trial: Trial) -> Hints:
    """Return the hints for the answers that mistakes give in visible checks.

    An answer that mistakes with different hints give has none: in their own run a student sees it as wrong, and the
    report, which knows the hidden checks too, tells them apart.
    """
    by_answer: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for each in mistakes:
        for check in trial.not_passed(submission_name(each), each.exercise):
            told_by_words = check["category"] == "device"  # and they name a line, which is another one in each answer
            if check["visibility"] == "visible" and check["status"] in ("failed", "error") and not told_by_words:
                answer = answer_hash(check["id"], as_a_students(check["detail"], each))
                if answer is not None:
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


def as_a_students(detail: Any, mistake: Variant) -> Detail:
    """Return a report's detail with the exercise's name, which a student's class carries, for the variant's."""
    said = {key: detail[key].replace(mistake.name, mistake.exercise) for key in ("exception_text", "code")}
    return msgspec.convert({**detail, **said}, Detail)


def record_hints(assignment: Assignment, exercises: Sequence[str], hints: Hints) -> str:
    """Write the hints of some exercises, the students' copy too; return in words what changed."""
    before, now = read_hints(assignment.hints), merged(assignment, exercises, hints)
    write_whole(assignment.hints, hints_text(now).encode())
    give_hints(assignment)
    changed = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    return f"those of {', '.join(changed)} changed" if changed else "nothing changed"


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
