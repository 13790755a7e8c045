"""The calls that a contract makes of modules of a class."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch

from grader.suite.core.draw import Draw
from grader.suite.library.other_device import SEED, device_to_try
from grader.workers.calls.student import Given

from .calls import (
    DROPPED,
    EQUAL,
    NOT_FOLLOWED,
    SHOWS_ALL,
    SMALL,
    VIEWED,
    Call,
    Mode,
    cotangent,
    in_views,
    with_zero_tokens,
)
from .function_calls import LEAD
from .side import Side

P = 0.5  # so that some of few numbers fall, and others the next time


class ModuleSide(Side):
    def calls(self, draw: Draw) -> dict[str, Call]:
        """Return all calls of all rules; a module that keeps something of its calls gets them in this order."""
        contract = self.contract
        self._build("plain", draw, contract.distinct)
        self._build("here", draw, contract.alike, P if contract.drops else 0.0)
        calls = self.gate_calls(draw) | self._plain_calls(draw)
        calls |= self._calls_with_options(draw)
        calls |= self._sizes(draw)
        remembers = self._remembers(calls["distinct"].given)
        calls |= self._calls_in_both_modes(draw, remembers)
        calls |= self._calls_in_other_dtypes(draw, "train" if remembers else "eval")
        return calls

    def _call(
        self, draw: Draw, module: str, mode: Mode, sizes: Mapping[str, int], lead: Sequence[int] = (),
        keywords: bool = False, **options: Any,
    ) -> Call:  # fmt: skip
        return Call(self.contract.call(draw, sizes, lead, keywords=keywords), options, module, mode)

    def _plain_calls(self, draw: Draw) -> dict[str, Call]:
        """Return calls of one module: plain ones, with items, with views, and anew."""
        contract, distinct = self.contract, self.contract.distinct
        calls = {"distinct": self._call(draw, "plain", "train", distinct, **SHOWS_ALL)}
        calls |= self._parts(calls["distinct"], draw)
        if contract.leads:
            calls["items"] = self._call(draw, "plain", "eval", distinct, contract.items, echo=True)
        for first, leading in enumerate((VIEWED[: len(contract.items)], ())):
            views = self._call(draw, "plain", "train", distinct, leading)
            calls[f"layout {first}"] = replace(views, given=in_views(contract, views.given, first))
        earlier = contract.call(draw, distinct).args
        calls["anew"] = self._call(draw, "plain", "train", distinct, before=earlier)
        return calls

    def _calls_with_options(self, draw: Draw) -> dict[str, Call]:
        contract, distinct = self.contract, self.contract.distinct
        calls: dict[str, Call] = {}
        module, shorter = "further" if contract.further else "plain", contract.shorter(distinct)
        if contract.further:
            self._build(module, draw, distinct, options=contract.further)
        if contract.further or contract.options or shorter != distinct:
            calls["further"] = self._call(draw, module, "train", shorter, keywords=True, echo=True)
        if contract.further:
            calls["further in eval"] = self._call(draw, module, "eval", shorter, LEAD, keywords=True)
        weighers = cotangent(contract, distinct)
        calls["gradients"] = self._call(draw, module, "train", distinct, cotangent=weighers)
        return calls

    def _calls_in_both_modes(self, draw: Draw, remembers: bool) -> dict[str, Call]:
        """Return calls of one module, with dropout if its class has it: in eval, in training, with other parameters."""
        contract = self.contract
        sizes = self._small
        weighers = cotangent(contract, sizes, LEAD)
        here = self._call(draw, "here", "eval", sizes, LEAD, keywords=True, cotangent=weighers, seed=SEED)
        training = replace(here, mode="train", given=Given(here.given.args, {}))
        calls = {"restored": replace(here, module="gate", state_of="here")}  # before `here` is called
        if device_to_try() is not None:
            calls["elsewhere"] = elsewhere(calls["restored"])  # and holds that state
            if contract.drops:
                self._build("new", draw, contract.alike, P, contract.further)
            if contract.drops or remembers:
                training_there = replace(training, module="new" if contract.drops else "gate")
                calls["elsewhere in training"] = elsewhere(training_there)
        calls |= {"here": here, "here again": replace(here, options=NOT_FOLLOWED)}
        if contract.drops or remembers:
            calls["here in training"] = training
        if contract.drops:
            calls["dropped"] = replace(training, options={"no_grad": True})
        others = {name: draw.normal(*value.shape) / 2 for name, value in self.built["here"].values.items()}
        anew = self._call(draw, "here", "eval", sizes, LEAD, keywords=True, no_grad=True)
        calls["here trained"] = replace(anew, values=others)  # late, since these stay
        return calls

    @property
    def _small(self) -> dict[str, int]:
        """Sizes for a call on a device that is slow; a module of the sizes `alike` takes it."""
        alike = self.contract.alike
        return alike | {letter: alike[letter] - 2 for letter in alike if letter[0] == "T"} | {"B": 2}

    def _calls_in_other_dtypes(self, draw: Draw, mode: Mode) -> dict[str, Call]:
        contract = self.contract
        exact = contract.call(draw, contract.distinct, LEAD, torch.float64, keywords=True)
        half = contract.call(draw, contract.distinct, LEAD, torch.bfloat16)
        calls = {
            "float64": Call(exact, {"echo": True}, "plain", "train", torch.float64),
            "bfloat16": Call(half, {}, "plain", mode, torch.bfloat16),
        }
        if contract.drops:
            dropped = contract.call(draw, self._small, LEAD, torch.bfloat16, keywords=True)
            calls[DROPPED] = Call(dropped, {}, "here", "train", torch.bfloat16)
        return calls

    def _parts(self, plain: Call, draw: Draw) -> dict[str, Call]:
        """Return calls in which one item is alone, and in which later tokens are others."""
        calls: dict[str, Call] = {}
        if self.contract.has_batch:
            calls["alone"] = replace(plain, options={}, given=Given(tuple(x[1:2] for x in plain.given.args), {}))
        if self.contract.causal:
            later = []
            for x, text in zip(plain.given.args, self.contract.texts, strict=True):
                axis = text.index("T") - len(text)
                kept = x.shape[axis] // 2
                other = draw.normal(*x.shape, dtype=x.dtype)
                later.append(torch.cat([x.narrow(axis, 0, kept), other.narrow(axis, kept, x.shape[axis] - kept)], axis))
            calls["later"] = replace(plain, options={}, given=Given(tuple(later), {}))
        return calls

    def _sizes(self, draw: Draw) -> dict[str, Call]:
        """Return calls of other sizes: all equal, as small as can be, and far larger.

        They are made of modules of their own, if the class is called with any of these sizes.
        """
        contract = self.contract
        equal = dict.fromkeys(contract.letters, EQUAL)
        large = {f"large {number}": sizes for number, sizes in enumerate(contract.large(draw))}
        calls = dict[str, Call]()
        for name, sizes in {"equal": equal, "ones": contract.ones, **large}.items():
            module = name if contract.init_letters else "plain"
            if contract.init_letters:
                self._build(module, draw, sizes)
            given = contract.call(draw, sizes, scale=SMALL if name in large else 1.0)
            calls[name] = Call(given, {}, module, "train")
        given = with_zero_tokens(contract, calls["equal"].given)
        return calls | {"equal": replace(calls["equal"], given=given, options=NOT_FOLLOWED, mode="eval")}


def elsewhere(call: Call) -> Call:
    """Return the same call on another device, to which its module is moved before."""
    device = device_to_try()
    return replace(call, options={**call.options, "device": device, "moved_to": device}, state_of="")
