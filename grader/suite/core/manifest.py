"""Which checks an assignment has: the list that every submission must answer in full.

It is made once, from the collected suite. A verdict that is missing from a report, or one too many, is then seen by
comparing with it, never by believing the report.
"""

import difflib
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

ORDER: tuple[Visibility, ...] = ("visible", "hidden")
"""The order in which checks run: what a visible one prints is shown, so none may run in a process that has seen the
inputs of a hidden one."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One check of an assignment.

    Attributes:
        id: `<exercise>.<function without test_>`, with the parameter's id in brackets where there is one.
    """

    id: str
    node: str
    spec: CheckSpec
    visibility: Visibility

    @property
    def stem(self) -> str:
        """Its id without a parameter."""
        return self.id.partition("[")[0]

    @property
    def needed(self) -> list[str]:
        """The stems of the checks that it needs, in the author's order."""
        return [f"{self.spec.exercise}.{need.removeprefix('test_')}" for need in self.spec.needs]

    def entry(self) -> ManifestCheck:
        """Return what the score needs to know of it."""
        return ManifestCheck(
            id=self.id,
            exercise=self.spec.exercise,
            category=self.spec.category,
            visibility=self.visibility,
            weight=self.spec.weight,
            sentence=self.spec.sentence,
            sentence_ko=self.spec.sentence_ko,
        )


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The checks of an assignment in the order of its exercises, which is that of a report."""

    assignment: str
    checks: list[Check]


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
    name = getattr(item, "originalname", item.name).removeprefix("test_")
    brackets = item.name[len(getattr(item, "originalname", item.name)) :]
    inside = item.path == visible_root or visible_root in item.path.parents
    visibility: Visibility = spec.visibility or ("visible" if inside else "hidden")
    id_ = item.name if spec.is_rule else f"{spec.exercise}.{name}{brackets}"
    return Check(id=id_, node=item.nodeid, spec=spec, visibility=visibility)


def make_manifest(
    assignment: str, items: list[pytest.Item], exercises: Sequence[str], visible_root: Path, *, graded: bool
) -> tuple[Manifest, list[pytest.Item]]:
    """List the checks of the collected items and put the items into the order in which they run.

    Args:
        visible_root: Checks below it are visible.
        graded: Whether every exercise must have a hidden check; not so in a student's own run.

    Returns:
        The manifest, exercise by exercise; and the items by visibility: visible, hidden.

    Raises:
        CourseError: Two checks have the same id, a check names an unknown exercise, or an exercise has no check.
    """
    order = list(exercises)
    pairs = weighed([(check_of(item, visible_root), item) for item in items])
    seen: dict[str, str] = {}
    for check, _ in pairs:
        if check.spec.exercise not in exercises:
            raise CourseError(
                f"tests/{check.node} checks the exercise {check.spec.exercise!r}, which {assignment} does not have.",
                hint=did_you_mean(check.spec.exercise, order),
            )
        if check.id in seen:
            raise CourseError(f"{check.node} and {seen[check.id]} have the same name {check.id!r}; rename one.")
        seen[check.id] = check.node
    for name in order if graded else ():
        if not any(check.spec.exercise == name and check.visibility != "visible" for check, _ in pairs):
            raise CourseError(
                f"The exercise {name} of {assignment} has no hidden check.",
                hint=f"Add tests/hidden/{assignment}/test_{name}.py.",
            )
    pairs.sort(key=lambda pair: (order.index(pair[0].spec.exercise), pair[0].visibility != "visible"))
    manifest = Manifest(assignment=assignment, checks=[check for check, _ in pairs])
    pairs.sort(key=lambda pair: ORDER.index(pair[0].visibility))
    return manifest, [item for _, item in pairs]


def weighed(pairs: Sequence[tuple[Check, pytest.Item]]) -> list[tuple[Check, pytest.Item]]:
    """Return the checks with the weights of the table of marks, where their exercise has a contract."""
    known = {}
    for exercise in {check.spec.exercise for check, _ in pairs if check.spec.is_rule}:
        checks = [check for check, _ in pairs if check.spec.exercise == exercise]
        for check, weight in zip(
            checks, weights([(check.spec.row, check.spec.weight) for check in checks]), strict=True
        ):
            spec = msgspec.structs.replace(check.spec, weight=weight)
            known[check.node] = msgspec.structs.replace(check, spec=spec)
    return [(known.get(check.node, check), item) for check, item in pairs]


def shuffled(manifest: Manifest, items: Sequence[pytest.Item], seed: int) -> list[pytest.Item]:
    """Return the items in another order drawn from a seed that is as good: by visibility, each behind what it needs."""
    checks = {check.node: check for check in manifest.checks}
    waiting = random.Random(seed).sample(list(items), len(items))
    waiting.sort(key=lambda item: ORDER.index(checks[item.nodeid].visibility))
    ordered: list[pytest.Item] = []
    while waiting:
        left = {checks[item.nodeid].stem for item in waiting}
        item = next(item for item in waiting if left.isdisjoint(checks[item.nodeid].needed))
        waiting.remove(item)
        ordered.append(item)
    return ordered


def of_exercise(manifest: Manifest, items: Sequence[pytest.Item], exercise: str) -> list[pytest.Item]:
    """Return the items of the checks of one exercise, in their order."""
    nodes = {check.node for check in manifest.checks if check.spec.exercise == exercise}
    return [item for item in items if item.nodeid in nodes]


def only_with_needs(manifest: Manifest, items: Sequence[pytest.Item], wanted: str) -> list[pytest.Item]:
    """Return the items of one check and of all that it needs, in their order.

    Args:
        wanted: The check's id; without a parameter in brackets it means that function with every parameter.

    Raises:
        UsageError: There is no such check; the sentence names the closest.
    """
    chosen = {check.id: check for check in manifest.checks if wanted in (check.id, check.stem)}
    if not chosen:
        near = difflib.get_close_matches(wanted, [check.id for check in manifest.checks], 1, 0.5)
        stems = dict.fromkeys(check.stem for check in manifest.checks if check.spec.exercise == wanted)
        hint = f"Did you mean {near[0]}?" if near else "The reports list the ids of the checks."
        hint = f"That is an exercise; its checks are {', '.join(stems)}." if stems else hint
        raise UsageError(f"{manifest.assignment} has no check {wanted!r}.", hint)
    waiting = list(chosen.values())
    while waiting:
        needed = waiting.pop().needed
        more = {check.id: check for check in manifest.checks if check.stem in needed and check.id not in chosen}
        chosen |= more
        waiting += more.values()
    nodes = {check.node for check in chosen.values()}
    return [item for item in items if item.nodeid in nodes]
