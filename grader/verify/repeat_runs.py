"""Asks that verdicts depend on the answer alone: not on the drawn inputs or the order of the checks.

A mistake in one exercise costs nothing in the others, so one submission carries a variant of every exercise at once.
What comes out otherwise than under the course's own secret is graded once more by itself before it is reported.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest

from grader.course.content.settings import drawn_from
from grader.course.layout import Assignment, Course
from grader.course.variants.read_variants import Variant, build_submission
from grader.grading import Judge
from grader.text import counted

from .rules import Findings, Unmet, VerifyOptions, hidden_suite, print_stage
from .trial import Trial, grade_texts

Crowd = list[Variant]


def results_repeat(
    course: Course,
    assignment: Assignment,
    whole: Mapping[str, str],
    variants: Sequence[Variant],
    first: Trial,
    options: VerifyOptions,
    judge: Judge,
) -> Findings:
    """Grade everything under other secrets, each time in another order, and ask for the same verdicts.

    Args:
        whole: The solution and the stub, by name.
        first: What they and the variants came to under the course's own secret.
    """
    crowds = {f"crowd-{number:04}": crowd for number, crowd in enumerate(crowded(variants))}
    texts = {**whole, **{name: build_submission(assignment, *crowd) for name, crowd in crowds.items()}}
    graded_in = [(name, name, exercise) for name in whole for exercise in options.exercises(assignment)]
    graded_in += [(name, variant.name, variant.exercise) for name, crowd in crowds.items() for variant in crowd]
    by_name = {variant.name: variant for variant in variants}
    for number in range(options.secrets):
        words = f"grading {counted(len(texts), 'submission')} again, with another secret and order"
        print_stage(assignment, f"{words}, {number + 1} of {options.secrets}")
        graded = partial(
            grade_texts, course, assignment, jobs=options.jobs, exercise=options.exercise, shuffle=number, judge=judge
        )
        with drawn_from(f"grader verify, secret number {number}"):
            again = graded(texts)
            suspects = [
                (name, who, exercise)
                for name, who, exercise in graded_in
                if verdicts(first, who, exercise) != verdicts(again, name, exercise)
            ]
            alone = {who: exercise for _, who, exercise in suspects if who in by_name}
            by_themselves = {who: build_submission(assignment, by_name[who]) for who in alone}
            once_more = graded(by_themselves, alone=alone) if alone else again
        for name, who, exercise in suspects:
            after = verdicts(once_more, who, exercise) if who in alone else verdicts(again, name, exercise)
            yield from differences(assignment, who, verdicts(first, who, exercise), after)


def differences(
    assignment: Assignment, name: str, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[Unmet]:
    """Yield a finding for each check whose verdict on a submission was another one, asked in another order."""
    for check in sorted(before):
        if before[check] != after[check]:
            exercise = check.partition(".")[0]
            rule = f"The verdict of `{check}` must depend on the answer alone."
            sentence = f"On {name} it is {before[check]}, and with other inputs in another order {after[check]}."
            yield Unmet(rule, hidden_suite(assignment, exercise), exercise, sentence)


def crowded(variants: Sequence[Variant]) -> Iterator[Crowd]:
    """Yield groups of variants that fit into one submission: of different exercises, and of one way to be built."""
    for uses_solution in (False, True):
        rows: dict[str, Crowd] = {}
        for variant in variants:
            if variant.uses_solution is uses_solution:
                rows.setdefault(variant.exercise, []).append(variant)
        for crowd in zip_longest(*rows.values()):
            yield [variant for variant in crowd if variant is not None]


def verdicts(trial: Trial, name: str, exercise: str) -> dict[str, str]:
    return {check["id"]: check["status"] for check in trial.exercise(name, exercise)["checks"]}
