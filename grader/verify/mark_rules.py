"""The rules of an exercise whose mistakes say by `marks=` what they may earn."""

from collections import Counter
from collections.abc import Sequence

from grader.course.layout import Assignment
from grader.course.variants.read_variants import Variant

from .rules import Findings, Unmet, hidden_suite, mistakes_file
from .trial import Trial

WHOLE = 100
LEAST = {"gradient": 15, "purity": 15, "stability": 5, "device": 5}
"""What the checks of a category weigh together at least; `stability` may share its row with the text's own point."""


def weights_are_enough(assignment: Assignment, exercises: Sequence[str], solution: str, trial: Trial) -> Findings:
    """Ask that no category of an exercise is worth less than a text makes of it.

    Args:
        exercises: Those whose mistakes are marked.
        solution: The name under which the solution was graded, whose report has every check.
    """
    for exercise in exercises:
        weights = Counter[str]()
        for check in trial.exercise(solution, exercise)["checks"]:
            weights[check["category"]] += check["weight"]
        for category, least in LEAST.items():
            share = WHOLE * weights[category] / weights.total()
            if category in weights and share < least:
                rule = f"The checks of the category `{category}` must weigh at least {least} % together."
                yield Unmet(rule, hidden_suite(assignment, exercise), exercise, f"They weigh {share:.0f} %.")


def kinds_are_there(assignment: Assignment, exercises: Sequence[str], mistakes: Sequence[Variant]) -> Findings:
    """Ask for a mistake of each kind that proves the marks of these exercises."""
    for exercise in exercises:
        wanted = ["slip", "point", "trivial"] + ["library"] * bool(assignment.exercise(exercise).forbids)
        known = {mistake.marks for mistake in mistakes if mistake.exercise == exercise}
        for kind in (kind for kind in wanted if kind not in known):
            rule = f'An exercise with marked mistakes must have one with `marks="{kind}"`.'
            yield Unmet(rule, mistakes_file(assignment, exercise), exercise, "There is none.")
