"""Makes pytest's items of the rules that follow from a contract."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from grader.errors import CourseError
from grader.faults import did_you_mean
from grader.language import translation
from grader.suite.core.contract import GATE, MIXING, Contract
from grader.suite.core.exercise_decorator import ATTRIBUTE, CheckSpec

from . import layer_rules, module_rules, shared_rules
from .seen import seen_of
from .table import Rule

RULES = {
    rule.name: rule
    for rules in (shared_rules, layer_rules, module_rules)
    for rule in vars(rules).values()
    if isinstance(rule, Rule)
}
"""All rules by name, those first that others need."""


def rule_items(suite: pytest.Collector, owner: str, contract: Contract, forbids: Sequence[str]) -> list[pytest.Item]:
    """Return an item for each rule that holds for an exercise with a contract.

    Args:
        suite: The one that declares it.
        forbids: The groups of library calls that the exercise forbids.

    Raises:
        CourseError: A rule is left out that there is not.
    """
    for name in contract.without:
        if name not in (*RULES, MIXING):
            raise CourseError(
                f"The contract of {owner} leaves out the rule `{name}`, which does not exist.",
                did_you_mean(name, [*RULES, MIXING]),
            )
    return [rule_item(suite, owner, contract, rule) for rule in RULES.values() if rule.is_asked_of(contract, forbids)]


def rule_item(suite: pytest.Collector, owner: str, contract: Contract, rule: Rule) -> pytest.Item:
    def check() -> None:
        rule.body(seen_of(owner, contract))

    needs = (f"test_{rule.needs}",) if rule.needs and rule.needs not in contract.without else ()
    if rule.name != GATE and rule.category != "policy":  # a forbidden call is told of in any case
        needs = (*contract.gate, *needs)
    weight = 0 if rule.category == "policy" else 1
    fields = {"category": rule.category, "weight": weight, "row": rule.row, "needs": needs, "contract": contract}
    return item_of(suite, check, owner, rule.name, rule.sentence, **fields)


def item_of(
    suite: pytest.Collector, check: Callable[..., None], owner: str, name: str, sentence: str, **fields: Any
) -> pytest.Item:
    """Return an item of a check that no suite writes out; the sentence is in the catalogues."""
    korean = translation("ko").gettext(sentence)
    spec = CheckSpec(exercise=owner, sentence=sentence, sentence_ko=korean, is_rule=True, **fields)
    setattr(check, ATTRIBUTE, spec)
    return pytest.Function.from_parent(suite, name=f"{owner}.{name}", callobj=check)
