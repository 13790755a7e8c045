"""The calls that a contract makes of a function."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch

from grader.suite.core.contract import drawn_layer
from grader.suite.core.draw import Draw
from grader.suite.library.other_device import SEED, device_to_try
from grader.workers.calls.given_layers import GivenLayer
from grader.workers.calls.student import Given

from .calls import EQUAL, IN_ITEMS, NOT_FOLLOWED, SHOWS_ALL, SMALL, VIEWED, Call, cotangent, in_views, with_zero_tokens
from .side import Side

LEAD = (2,)
SAMPLES = (6,)
"""The leading dimension of what batch norms are given, which tell how often they are called."""


class FunctionSide(Side):
    def calls(self, draw: Draw) -> dict[str, Call]:
        """Return all calls of all rules, by what they are made with.

        An answer that works in place has values of its own, but raises where gradients are asked for: so these calls
        are others than those that show a value.
        """
        contract = self.contract
        calls = self.gate_calls(draw)

        def call(sizes: Mapping[str, int], lead: Sequence[int] = (), scale: float = 1.0, **options: Any) -> Call:
            return Call(contract.call(draw, sizes, lead, scale=scale), options)

        distinct, equal = contract.distinct, dict.fromkeys(contract.letters, EQUAL)
        device, large = device_to_try(), contract.large(draw)
        calls |= {
            "distinct": call(distinct, **SHOWS_ALL),
            "equal": Call(with_zero_tokens(contract, contract.call(draw, equal, scale=2.0)), NOT_FOLLOWED),
            **{f"large {number}": call(sizes, scale=SMALL) for number, sizes in enumerate(large)},
        }
        if len(large) < 2:  # or a token is alone among many features, and a feature among many tokens
            calls["ones"] = call(contract.ones)
        here, sizes = calls["gate"].given, contract.alike
        if not contract.takes_numbers:  # the gate goes on with its table, which may be overwritten here
            here, sizes = contract.call(draw, distinct), distinct
        pairs = zip(contract.call(draw, sizes).args, here.args, strict=True)
        earlier = tuple(old if isinstance(old, torch.Tensor) else new for old, new in pairs)
        calls["anew"] = Call(here, {"before": earlier})
        if not contract.takes_numbers:
            return calls
        here = contract.call(draw, contract.alike, keywords=True)
        calls["here"] = Call(here, {"cotangent": cotangent(contract, contract.alike), "seed": SEED})
        if contract.leads:
            calls["items"] = Call(contract.call(draw, distinct, contract.items, dtype=torch.float64), SHOWS_ALL)
            if not contract.has_options and not contract.takes_any_layers:  # which have calls enough
                calls["one item"] = call(distinct, (1,))
        calls["float64"] = Call(contract.call(draw, distinct, dtype=torch.float64), {"echo": True})
        if not contract.has_options:  # with them, it is asked of a call in which they are given
            calls["bfloat16"] = Call(contract.call(draw, contract.alike, dtype=torch.bfloat16, scale=SMALL))
        if contract.takes_tensors:
            for first, leading in enumerate((VIEWED[: len(contract.items)], ())):
                calls[f"layout {first}"] = Call(in_views(contract, contract.call(draw, distinct, leading), first))
        if contract.leads:
            weighers = cotangent(contract, distinct, LEAD)
            calls[IN_ITEMS] = call(distinct, LEAD, cotangent=weighers, seed=SEED, device=device or "")
        if device is not None:
            calls["elsewhere"] = replace(calls["here"], options={**calls["here"].options, "device": device})
        if contract.has_options:
            optional = contract.call(draw, distinct, LEAD, keywords=True)
            half = contract.call(draw, distinct, LEAD, torch.bfloat16, SMALL, keywords=True)
            calls |= {"optional": Call(optional, {"echo": True}), "optional bfloat16": Call(half)}
        return calls | (self._calls_with_other_layers(draw) if contract.takes_any_layers else {})

    def _calls_with_other_layers(self, draw: Draw) -> dict[str, Call]:
        """Return calls with layers that hand on what they are given, and with such as count their calls."""
        contract = self.contract
        given, samples = (contract.call(draw, contract.distinct, lead) for lead in (LEAD, SAMPLES))

        def others(kind: str, *sizes: int, trained: int = 0) -> list[GivenLayer]:
            places = range(len(layers_in(given)))
            return [drawn_layer(draw, kind, sizes, training=place == trained) for place in places]

        calls = {"handed on": Call(with_layers(given, others("Identity")), {"echo": True})}
        for trained in (0, 1):  # the other one is in eval
            norms = others("BatchNorm1d", given.args[0].shape[-1], trained=trained)
            calls[f"counted {trained}"] = Call(with_layers(samples, norms), {"echo": True})
        return calls


def layers_in(given: Given) -> list[GivenLayer]:
    return [arg for arg in given.args if isinstance(arg, GivenLayer)]


def with_layers(given: Given, layers: Iterable[GivenLayer]) -> Given:
    others = iter(layers)
    return Given(tuple(next(others) if isinstance(arg, GivenLayer) else arg for arg in given.args), given.kwargs)
