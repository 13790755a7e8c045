"""The wrong divisors that have a name, as mistakes of an exercise whose contract says what scores are divided by."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch
from torch import nn

from grader.suite.core.context import Mistake
from grader.suite.core.contract import Contract
from grader.suite.diagnosis.by_measurement import Scaling, scaled_arguments, words_of_divisor
from grader.suite.library.modules.module_checks import scaled_parameters
from grader.suite.rules.function_calls import scaling_of


def wrong_divisors(name: str, contract: Contract, solution: ModuleType) -> list[Mistake]:
    """Return a mistake for each number that students may take for the right divisor, at sizes that all differ."""
    scaling, answer = scaling_of(contract, contract.distinct), getattr(solution, name)
    if scaling is None:
        return []
    dividing, words = dividing_module if contract.is_module else dividing_function, dict[float, list[str]]()
    for divisor, word in scaling.words():
        words.setdefault(round(divisor, 6), []).append(word)
    mistakes = []
    for divisor, several in words.items():
        hint = words_of_divisor(scaling, several)
        mistakes.append(Mistake(
            name=name, exercise=name, kind="mistake", hint=str(hint), ko=hint.to("ko"), why="", twins=(), marks=None,
            make=dividing(answer, scaling, divisor), text="", imports=(), helpers=(), uses_solution=True, line=0,
        ))  # fmt: skip
    return mistakes


def dividing_function(function: Callable[..., Any], scaling: Scaling, divisor: float) -> Callable[..., Any]:
    """Return a function of the solution's as it would be if it divided the scores by another number."""
    return lambda *args, **kwargs: function(*scaled_arguments(scaling, divisor, args), **kwargs)


def dividing_module(made: Callable[..., nn.Module], scaling: Scaling, divisor: float) -> Callable[..., nn.Module]:
    """Return a class of the solution's as it would be if it divided the scores by another number."""

    def build(*init: Any, **options: Any) -> nn.Module:
        module = made(*init, **options)
        forward = module.forward

        def divided(*args: Any, **kwargs: Any) -> Any:
            with torch.no_grad(), scaled_parameters(module, scaling, divisor):
                return forward(*args, **kwargs)

        module.forward = divided
        return module

    return build
