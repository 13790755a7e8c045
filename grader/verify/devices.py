"""Asks that right answers are right on another device, too: `grader verify --device pretended`, or `cuda` where one is.

Only answers that a GPU would refuse, or whose results it would change, can lose anything there. Mistakes and mutants
say nothing more than on the CPU, so they are left out.
"""

from grader.course.layout import Assignment, Course
from grader.course.variants.read_variants import build_submission, load_variants, solution_submission

from .proof_rules import SOLUTION
from .rules import Findings, Unmet, VerifyOptions, hidden_suite, print_stage
from .trial import grade_texts

SLOWER = {"submission_cpu_s": 900.0, "check_cpu_s": 300.0}
"""Each small operation costs more on a device that is written in Python, and a loop over tokens has thousands."""


def right_on_device(course: Course, assignment: Assignment, options: VerifyOptions) -> Findings:
    """Grade the solution and every right variant on the device, and ask that each has every point."""
    exercises = options.exercises(assignment)
    rights = [variant for variant in load_variants(assignment).rights if variant.exercise in exercises]
    texts = {variant.name: build_submission(assignment, variant) for variant in rights}
    print_stage(assignment, f"grading the solution and {len(rights)} right variants on the device {options.device}")
    trial = grade_texts(
        course,
        assignment,
        texts | {SOLUTION: solution_submission(assignment)},
        options.jobs,
        exercise=options.exercise,
        alone={variant.name: variant.exercise for variant in rights},
        device=options.device,
        limits=SLOWER,
    )
    for name in trial.reports:
        for exercise, checks in trial.lost(name).items():
            who = f"The right variant `{name}`" if name in texts else "The solution"
            rule = f"{who} must get every point on the device {options.device}."
            yield Unmet(rule, hidden_suite(assignment, exercise), exercise, f"It does not pass {', '.join(checks)}.")
