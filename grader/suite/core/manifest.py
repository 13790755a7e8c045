"""Which checks an assignment has: the list that every submission must answer in full.

It is made once, from the collected suite. A verdict that is missing from a report, or one too many, is then seen by
comparing with it, never by believing the report.
"""

import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from grader.errors import CourseError, UsageError
from grader.faults import did_you_mean
from grader.results.verdict import ManifestCheck, Visibility

from .exercise_decorator import CheckSpec, spec_of
from .marks import weights


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One check of an assignment.

    Attributes:
        id: `<exercise>.<function without test_>`, with the parameter's id in brackets where there is one.
    """

    id: str
    item: pytest.Item
    spec: CheckSpec
    visibility: Visibility

    @property
    def node(self) -> str:
        return self.item.nodeid

    @property
    def stem(self) -> str:
        """Its id without a parameter."""
        return self.id.partition("[")[0]

    @property
    def needed(self) -> list[str]:
        """The stems of the checks that it needs, in the author's order."""
        return [f"{self.spec.exercise}.{need.removeprefix('test_')}" for need in self.spec.needs]

    def entry(self) -> ManifestCheck:
        return ManifestCheck(
            id=self.id,
            exercise=self.spec.exercise,
            category=self.spec.category,
            visibility=self.visibility,
            weight=self.spec.weight,
            sentence=self.spec.sentence,
            sentence_ko=self.spec.sentence_ko,
        )


def check_of(item: pytest.Item, visible_root: Path) -> Check:
    """Describe a collected item.

    Raises:
        CourseError: The function carries no `@exercise.check(...)`.
    """
    function = getattr(item, "function", None)
    spec = spec_of(function)
    if spec is None:
        raise CourseError(
            f"{item.nodeid} is in a suite but is not a check of any exercise.",
            hint="Decorate it with @<exercise>.check(category, ko=...), or give helpers a name without test_.",
        )
    inside = item.path.is_relative_to(visible_root)
    visibility: Visibility = spec.visibility or ("visible" if inside else "hidden")
    id_ = item.name if spec.is_rule else f"{spec.exercise}.{item.name.removeprefix('test_')}"
    return Check(id=id_, item=item, spec=spec, visibility=visibility)


def checks_of(
    assignment: str, items: Sequence[pytest.Item], exercises: Sequence[str], visible_root: Path, *, graded: bool
) -> list[Check]:
    """Return the checks of the collected items, exercise by exercise, which is the order of a report.

    Args:
        visible_root: Checks below it are visible.
        graded: Whether every exercise must have a hidden check; not so in a student's own run.

    Raises:
        CourseError: Two checks have the same id, a check names an unknown exercise or needs one that is not there or
            comes later, or an exercise has no check.
    """
    order = list(exercises)
    checks = weighed([check_of(item, visible_root) for item in items])
    seen: dict[str, str] = {}
    for check in checks:
        if check.spec.exercise not in exercises:
            raise CourseError(
                f"tests/{check.node} checks the exercise {check.spec.exercise!r}, which {assignment} does not have.",
                hint=did_you_mean(check.spec.exercise, order),
            )
        if check.id in seen:
            raise CourseError(f"{check.node} and {seen[check.id]} have the same name {check.id!r}; rename one.")
        seen[check.id] = check.node
    for name in order if graded else ():
        if not any(check.spec.exercise == name and check.visibility != "visible" for check in checks):
            raise CourseError(
                f"The exercise {name} of {assignment} has no hidden check.",
                hint=f"Add tests/hidden/{assignment}/test_{name}.py.",
            )
    before: set[str] = set()
    for check in in_order(checks):
        for need, stem in zip(check.spec.needs, check.needed, strict=True):
            if stem not in before or stem == check.stem:
                problem = f"tests/{check.node} needs {need!r}, but no such check of its exercise runs before it."
                raise CourseError(problem, "Name a function above it in the same file.")
        before.add(check.stem)
    return sorted(in_order(checks), key=lambda check: order.index(check.spec.exercise))


def weighed(checks: Sequence[Check]) -> list[Check]:
    """Return the checks with the weights of the table of marks, where their exercise has a contract."""
    known = {}
    for exercise in {check.spec.exercise for check in checks if check.spec.is_rule}:
        its_checks = [check for check in checks if check.spec.exercise == exercise]
        shares = weights([(check.spec.row, check.spec.weight) for check in its_checks])
        for check, weight in zip(its_checks, shares, strict=True):
            spec = msgspec.structs.replace(check.spec, weight=weight)
            known[check.node] = msgspec.structs.replace(check, spec=spec)
    return [known.get(check.node, check) for check in checks]


def in_order(checks: Sequence[Check]) -> list[Check]:
    """Return the checks in the order in which they run: the visible ones, then the hidden ones.

    What a visible one prints is shown, so none may run in a process that has seen the inputs of a hidden one.
    """
    return sorted(checks, key=lambda check: check.visibility != "visible")


def shuffled(checks: Sequence[Check], seed: int) -> list[Check]:
    """Return them in an order drawn from a seed: visible ones first, and each after those that it needs."""
    waiting = in_order(random.Random(seed).sample(list(checks), len(checks)))
    ordered: list[Check] = []
    while waiting:
        left = {check.stem for check in waiting}
        check = next(check for check in waiting if left.isdisjoint(check.needed))
        waiting.remove(check)
        ordered.append(check)
    return ordered


def only_with_needs(assignment: str, checks: Sequence[Check], wanted: str) -> list[Check]:
    """Return one check and all that it needs, in their order.

    Args:
        wanted: The check's id; without a parameter in brackets it means that function with every parameter.

    Raises:
        UsageError: There is no such check; the sentence names the closest.
    """
    chosen = {check.id for check in checks if wanted in (check.id, check.stem)}
    if not chosen:
        raise UsageError(f"{assignment} has no check {wanted!r}.", did_you_mean(wanted, {check.id for check in checks}))
    for check in reversed(checks):  # what a check needs runs before it
        if check.id in chosen:
            chosen |= {other.id for other in checks if other.stem in check.needed}
    return [check for check in checks if check.id in chosen]
