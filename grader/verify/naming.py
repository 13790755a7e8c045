"""The rules on diagnosis: a mistake is recognised by its answer, or else by how its report looks.

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
from grader.suite.diagnosis.by_answer import MOST
from grader.suite.diagnosis.by_report import (
    Fingerprint,
    Fingerprints,
    fingerprints_text,
    load_fingerprints,
    report_lines,
)
from grader.suite.diagnosis.device_faults import DEVICE_FAULTS
from grader.system.whole_file import write_whole
from grader.text import listed

from .rules import Findings, Unmet, mistakes_file, submission_name
from .trial import Trial

MOST_NAMED = 5
ON_THE_CPU = frozenset(each.name for each in DEVICE_FAULTS)


def fingerprints_of(mistakes: Sequence[Variant], trial: Trial) -> Fingerprints:
    """Return how the reports of those mistakes look that no answer gives away, alike ones together.

    A mistake that says why no report can tell it is left out: chance makes its report another one every time.
    """
    found: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for each in mistakes:
        name = submission_name(each)
        lines = report_lines(trial.failing(name, each.exercise))
        if lines is not None and not each.unnamed and not trial.diagnosed(name, each.exercise):
            # A class carries the variant's name where a student's carries the exercise's.
            key = tuple(line.replace(each.name, each.exercise) for line in lines)
            found.setdefault(each.exercise, {}).setdefault(key, []).append(each.name)
    return {
        exercise: [Fingerprint(sorted(names), list(lines)) for lines, names in sorted(prints.items())]
        for exercise, prints in sorted(found.items())
    }


def record_fingerprints(assignment: Assignment, exercises: Sequence[str], prints: Fingerprints) -> str:
    """Write the fingerprints of some exercises, beside those that are kept of others; return in words what changed."""
    before = load_fingerprints(assignment.fingerprints)
    now = prints | {name: each for name, each in before.items() if name in left_aside(assignment, exercises, before)}
    write_whole(assignment.fingerprints, fingerprints_text(dict(sorted(now.items()))).encode())
    return f"fingerprints recorded, {changes(lines_by_mistake(before), lines_by_mistake(now))}"


def left_aside(assignment: Assignment, exercises: Sequence[str], known: Mapping[str, object]) -> set[str]:
    """Return the exercises of a kept file that are not looked at: all others, where only some are."""
    whole = all(each.id in exercises for each in assignment.exercises)
    return set() if whole else known.keys() - set(exercises)


def lines_by_mistake(prints: Fingerprints) -> dict[tuple[str, str], list[str]]:
    """Return the fingerprint of each mistake, by its exercise and its name."""
    return {
        (exercise, name): each.report for exercise, group in prints.items() for each in group for name in each.mistakes
    }


def changes(before: Mapping[tuple[str, str], object], now: Mapping[tuple[str, str], object]) -> str:
    """Say what is new, changed and gone: `2 new (summed, halved), 1 gone (doubled)`."""
    kinds = {
        "new": now.keys() - before.keys(),
        "changed": {key for key in now.keys() & before.keys() if now[key] != before[key]},
        "gone": before.keys() - now.keys(),
    }
    parts = []
    for kind, keys in kinds.items():
        names = [name for _, name in sorted(keys)]
        if names:
            parts.append(f"{len(names)} {kind} ({listed(names, MOST_NAMED)})")
    return ", ".join(parts) if parts else "nothing changed"


def fingerprints_in_step(assignment: Assignment, exercises: Sequence[str], prints: Fingerprints) -> Findings:
    """Ask that the kept fingerprints are those that the mistakes leave now."""
    known = load_fingerprints(assignment.fingerprints)
    for exercise in sorted((known.keys() | prints.keys()) - left_aside(assignment, exercises, known)):
        kept, now = known.get(exercise, []), prints.get(exercise, [])
        if kept != now:
            changed = sorted(
                {name for each in [*kept, *now] if each not in kept or each not in now for name in each.mistakes}
            )
            rule = "The fingerprints of the mistakes must be in step with the suite."
            found = f"Those of {', '.join(changed)} changed; run `grader verify --record`."
            yield Unmet(rule, assignment.fingerprints, exercise, found)


def mistakes_are_named(
    assignment: Assignment, mistakes: Sequence[Variant], trial: Trial, prints: Fingerprints
) -> Findings:
    """Ask that a mistake is diagnosed as itself or as a declared twin, or says why no report can name it.

    One that is right on the CPU alone is named by what keeps it there.
    """
    alike = {name: each.mistakes for group in prints.values() for each in group for name in each.mistakes}
    for each in mistakes:
        if each.marks == "device":
            if not trial.faults(submission_name(each), each.exercise) & ON_THE_CPU:
                rule = f"The report on the mistake `{each.name}` must say what keeps it on the CPU."
                yield Unmet(rule, mistakes_file(assignment, each.exercise), each.exercise, "It does not.")
            continue
        answered = trial.diagnosed(submission_name(each), each.exercise)
        looks = alike.get(each.name, [])
        named = answered or (set(looks) if len(looks) <= MOST else set())
        right = bool(named & {each.name, *each.twins})
        if named and not right:
            rule = f"The mistake `{each.name}` must be diagnosed as itself or as a declared twin."
            yield Unmet(
                rule,
                mistakes_file(assignment, each.exercise),
                each.exercise,
                f"It is taken for {', '.join(sorted(named))}.",
            )
        elif not named and not each.unnamed:
            others = f" Its report is like those of {', '.join(sorted({*looks} - {each.name}))}." if looks else ""
            rule = f"The mistake `{each.name}` must be diagnosed, or say in `unnamed=` why no report can tell it."
            yield Unmet(rule, mistakes_file(assignment, each.exercise), each.exercise, f"Nothing names it.{others}")


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
