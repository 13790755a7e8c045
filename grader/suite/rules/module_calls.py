"""The calls that a contract makes of modules of a class."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.context import Mistake
from grader.suite.core.contract import Contract
from grader.suite.core.draw import Draw
from grader.suite.core.failures import require_value
from grader.suite.core.gradients import is_float
from grader.suite.core.reference import Reference, answer_of
from grader.suite.library.changed_inputs import named, outputs_of
from grader.suite.library.modules.module_checks import load
from grader.suite.library.other_device import SEED, device_to_try
from grader.suite.library.reference_checks import given_to
from grader.workers.calls.refusals import is_of_loading
from grader.workers.calls.student import Given, ModuleHandle, Observation, Student
from grader.workers.process.check_attempt import Make, Read
from grader.workers.process.failures import StudentFailure

from .calls import EQUAL, SHOWS_ALL, SMALL, Call, Change, Gradients, Mode, changes_of, cotangent, in_views
from .function_calls import LEAD, SINGLE

P = 0.2
PARTS = 2
"""Modules are built and then called, which takes longer than calls alone."""
Step = tuple[str, str]
"""What a request is for: `build` and the module, or `call` and the call."""


@dataclass(frozen=True)
class Built:
    """A module that is built on both sides.

    Attributes:
        given: What its class is called with.
        values: Random numbers for the parameters of the solution's, by name; empty to load none.
        device: Where it is moved to, with what the module `here` holds; empty to leave it where it is.
    """

    given: Given
    values: Mapping[str, torch.Tensor]
    device: str = ""


@dataclass
class Expected:
    """What the solution gives in a call; nothing where it drops at random."""

    value: Any = None
    gradients: Gradients = field(default_factory=dict)


class ModuleSide:
    """Modules of the student's class and of the solution's.

    Attributes:
        unbuilt: Why a module could not be built.
        unloaded: Why nothing could be loaded into a module: it has not the parameters of the solution's.
    """

    def __init__(self, name: str, contract: Contract, student: Student, reference: Reference) -> None:
        self.name, self.contract = name, contract
        self._student, self._class = student, getattr(reference.module, name)
        self.built: dict[str, Built] = {}
        self.unbuilt: dict[str, StudentFailure] = {}
        self.unloaded: dict[str, StudentFailure] = {}
        self._handles: dict[str, ModuleHandle] = {}
        self._lost: dict[str, StudentFailure] = {}  # modules whose construction ended the worker
        self._fresh: dict[str, nn.Module] = {}  # the solution's modules that nobody has called yet
        self._made: dict[str, Call] = {}  # in their order
        self._expected: dict[str, Expected] = {}

    # -- what is asked -----------------------------------------------------------------------------------------------

    def calls(self, draw: Draw) -> tuple[list[Change], dict[str, Call]]:
        """Return them as `Side` says; a module that keeps something of its calls gets them in this order."""
        contract = self.contract
        self._build("plain", draw, contract.distinct)
        self._build("equal", draw, dict.fromkeys(contract.letters, EQUAL))
        self._build("ones", draw, contract.ones)
        self._build("here", draw, contract.alike, P if contract.drops else 0.0)
        self.built["second"] = replace(self.built["equal"], values={})
        changes, calls = self.gate_calls(draw)
        calls["again"] = replace(calls["alike"], options={})
        calls |= self._plain_calls(draw)
        calls |= self._calls_with_options(draw)
        calls |= self._sizes(draw)
        if any(True for _ in self._fresh["equal"].buffers()):  # which training may change
            calls["equal in training"] = replace(calls["equal"], mode="train")
        calls["restored"] = replace(calls["equal"], state_of="second")
        calls["second"] = replace(calls["equal"], module="second")
        calls |= self._calls_in_both_modes(draw)
        calls |= self._calls_in_other_dtypes(draw)
        return changes, calls

    def _call(
        self, draw: Draw, module: str, mode: Mode, sizes: Mapping[str, int], lead: Sequence[int] = (),
        words: bool = False, **options: Any,
    ) -> Call:  # fmt: skip
        return Call(self.contract.call(draw, sizes, lead, options=words), options, module, mode)

    def _plain_calls(self, draw: Draw) -> dict[str, Call]:
        """Return calls of one module: plain ones, with items, with views, and anew."""
        contract, distinct = self.contract, self.contract.distinct
        calls = {"distinct": self._call(draw, "plain", "train", distinct, **SHOWS_ALL)}
        if (fewer := contract.shorter(distinct)) != distinct:
            calls["shorter"] = self._call(draw, "plain", "train", fewer)
        calls |= self._parts(calls["distinct"], draw)
        if contract.leads:
            calls["items"] = self._call(draw, "plain", "eval", distinct, contract.items, echo=True)
            calls["items single"] = self._call(draw, "plain", "eval", distinct, SINGLE)
        for first, leading in enumerate((contract.items, ())):
            views = self._call(draw, "plain", "eval", distinct, leading if contract.leads else ())
            calls[f"layout {first}"] = replace(views, given=in_views(contract, views.given, first))
        earlier = contract.call(draw, distinct).args
        calls["anew"] = self._call(draw, "plain", "eval", distinct, before=earlier)
        return calls

    def _calls_with_options(self, draw: Draw) -> dict[str, Call]:
        """Return calls in which options are given, if there are any, and those whose gradients are compared."""
        contract, distinct = self.contract, self.contract.distinct
        calls: dict[str, Call] = {}
        module = "further" if contract.further else "plain"
        if contract.further:
            self._build(module, draw, distinct, options=contract.further)
        if contract.further or contract.options:
            calls["further"] = self._call(draw, module, "train", distinct, words=True, echo=True)
            lead, fewer = LEAD if contract.leads else (), contract.shorter(distinct)
            calls["further in eval"] = self._call(draw, module, "eval", fewer, lead, words=True)
        weigher = cotangent(contract, distinct)
        calls["gradients 0"] = self._call(draw, module, "train", distinct, words=True, cotangent=weigher)
        return calls

    def _calls_in_both_modes(self, draw: Draw) -> dict[str, Call]:
        """Return calls of a module that drops, if any does: in training, in eval, trained, and on another device."""
        contract, device = self.contract, device_to_try()
        lead, sizes = LEAD if contract.leads else (), contract.shorter(contract.alike)
        weighers = [cotangent(contract, sizes, lead, output) for output in range(len(contract.results))]
        here = self._call(draw, "here", "eval", sizes, lead, words=True, cotangent=weighers[0], seed=SEED)
        training = replace(here, mode="train", given=Given(here.given.args, {}))
        calls = {"here in training": training}
        if contract.drops:
            calls["dropped"] = replace(training, options={})
        calls |= {"here": here, "here again": replace(here, options={})}
        for output, weigher in enumerate(weighers[1:], start=1):
            calls[f"here {output}"] = replace(here, options={"cotangent": weigher, "output": output})
        others = {name: draw.normal(*value.shape) / 2 for name, value in self.built["here"].values.items()}
        anew = self._call(draw, "here", "eval", sizes, lead, words=True)
        calls["here trained"] = replace(anew, values=others)  # late, since these stay
        if device is not None:
            self.built["elsewhere"] = replace(self.built["here"], device=device)
            for name, call in (("elsewhere in training", training), ("elsewhere", here)):
                calls[name] = replace(call, module="elsewhere", options={**call.options, "device": device})
        return calls

    def _calls_in_other_dtypes(self, draw: Draw) -> dict[str, Call]:
        contract, lead = self.contract, LEAD if self.contract.leads else ()
        exact = contract.call(draw, contract.distinct, lead, torch.float64, options=True)
        half = contract.call(draw, contract.alike, lead, torch.bfloat16, options=True)
        return {
            "float64": Call(exact, {"echo": True}, "plain", "train", torch.float64),
            "bfloat16": Call(half, {}, "here", "train", torch.bfloat16),
        }

    def gate_calls(
        self, draw: Draw, lead: Sequence[int] = (), fewer: bool = False
    ) -> tuple[list[Change], dict[str, Call]]:
        self._build("gate", draw, self.contract.alike)
        sizes = self.contract.shorter(self.contract.alike) if fewer else self.contract.alike
        given = self.contract.call(draw, sizes, lead)
        alike = Call(given, SHOWS_ALL, "gate", self._mode_of_the_gate(given))
        changes = changes_of(given, self.named(given), draw, mixes=self.contract.mixes)
        others = {f"other {change.name}": replace(alike, given=step, options={}) for change, step in changes}
        return [change for change, _ in changes], {"alike": alike} | others

    def _mode_of_the_gate(self, given: Given) -> Mode:
        """Return eval, in which who drops without being asked drops nothing; but train where the two are not alike."""
        answers = [outputs_of(answer_of(self._twin("gate").train(mode), given.args)) for mode in (True, False)]
        return "eval" if all(map(torch.allclose, *answers)) else "train"

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
            calls["sooner in eval"] = replace(plain, options={}, mode="eval")
            calls["later in eval"] = replace(calls["later"], mode="eval")
        return calls

    def _sizes(self, draw: Draw) -> dict[str, Call]:
        """Return calls of modules of other sizes: all equal, as small as can be, and far larger."""
        contract = self.contract
        equal = dict.fromkeys(contract.letters, EQUAL)
        calls = {
            "equal": Call(contract.call(draw, equal), {}, "equal", "eval"),
            "ones": Call(contract.call(draw, contract.ones), {}, "ones", "train"),
        }
        for number, sizes in enumerate(contract.large(draw)):
            calls[f"large {number}"] = Call(contract.call(draw, sizes, scale=SMALL), {}, "plain", "train")
        for number, sizes in enumerate(contract.largest(draw)):
            self._build(f"larger {number}", draw, sizes)
            calls[f"larger {number}"] = Call(contract.call(draw, sizes), {}, f"larger {number}", "train")
        return calls

    def _build(
        self, key: str, draw: Draw, sizes: Mapping[str, int], p: float = 0.0,
        options: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        given = self.contract.made_with(sizes, p)
        given = Given(given.args, {**given.kwargs, **(options or {})})
        self.built[key] = Built(given, {})
        module = self._twin(key)
        values = draw.parameters(module)
        largest = max((value.shape[-1] for value in values.values() if value.dim() > 1), default=1)
        if largest > EQUAL * EQUAL:  # sums over many features stay of the order of one
            values = {name: value / largest**0.5 if value.dim() > 1 else value for name, value in values.items()}
        self.built[key] = Built(given, values)
        load(module, values)
        self._fresh[key] = module

    def _twin(self, key: str) -> nn.Module:
        """Return the solution's module, new, in training."""
        if key in self._fresh:
            return self._fresh.pop(key)
        built = self.built[key]
        module: nn.Module = self._class(*built.given.args, **built.given.kwargs).double()
        load(module, built.values)
        return module

    # -- what comes of it --------------------------------------------------------------------------------------------

    def ask(
        self, calls: Mapping[str, Call]
    ) -> tuple[dict[str, Observation | StudentFailure], tuple[str, StudentFailure] | None]:
        self._replay(calls)
        while True:
            left = {name: call for name, call in calls.items() if not self._lost.keys() & self._needs(call)}
            steps = [*self._steps(left)]
            replies, end = getattr(self._student, self.name).ask_until_end([request for _, request in steps], PARTS)
            step = steps[len(replies)][0] if end is not None else ("", "")
            if end is None or step[0] != "build":
                break
            self._lost[step[1]] = end  # a module whose construction ends the worker is left out
            if end.status == "timeout" or len(self._lost) > 1:
                return {}, (next(iter(calls)), end)
        outcomes: dict[str, Observation | StudentFailure] = {}
        for name in calls.keys() - left.keys():
            outcomes[name] = next(self._lost[key] for key in self._needs(calls[name]) if key in self._lost)
        spoilt: dict[str, StudentFailure] = {}
        for ((what, name), _), reply in zip(steps, replies, strict=False):
            if what == "call":
                failed = [spoilt[key] for key in self._needs(left[name]) if key in spoilt]
                outcomes[name] = failed[0] if failed else reply
            elif isinstance(reply, StudentFailure) and is_of_loading(reply):
                self.unloaded[name] = reply
            elif isinstance(reply, StudentFailure):
                self.unbuilt[name] = spoilt[name] = reply
        if end is None:
            return outcomes, None
        of_module = (name for name in left if left[name].module == step[1])
        return outcomes, (step[1] if step[1] in left else next(of_module, next(iter(calls))), end)

    def _needs(self, call: Call) -> list[str]:
        """Return the modules without which a call cannot be made."""
        moved = ["here"] if self.built[call.module].device else []
        return [*moved, call.module, *([call.state_of] if call.state_of else [])]

    def _steps(self, calls: Mapping[str, Call]) -> Iterator[tuple[Step, tuple[Make, Read[Any]]]]:
        """Yield what each request is for, and the request.

        All modules are built before the first is called, so that what one leaves behind for another shows.
        """
        for key in dict.fromkeys(key for call in calls.values() for key in self._needs(call)):
            built, build = self.built[key], getattr(self._student, self.name).to_build
            if built.device:
                self._handles[key], request = build(built.given, state_of=self._number("here"), moved_to=built.device)
            else:
                self._handles[key], request = build(built.given, loads=built.values)
            yield ("build", key), request
        dtypes = dict[str, torch.dtype]()
        for name, call in calls.items():
            options = {**call.options, "mode": call.mode, "loads": call.values}
            if call.state_of:
                options["state_of"] = self._number(call.state_of)
            if call.dtype != dtypes.get(call.module, torch.float32):
                dtypes[call.module] = call.dtype
                options["turned_to"] = compare.dtype_name(call.dtype)
            yield ("call", name), self._handles[call.module].to_call(call.given, **options)

    def _number(self, key: str) -> int:
        return self._handles[key].module_number()[0]

    def _replay(self, calls: Mapping[str, Call]) -> None:
        """Make the same calls of new modules of the solution's, in the same order, and keep what they give."""
        keys = dict.fromkeys(key for call in calls.values() for key in (call.module, call.state_of) if key)
        twins = {key: self._twin(key) for key in keys}
        for name, call in calls.items():
            twin = twins[call.module]
            if call.state_of:
                twin.load_state_dict(twins[call.state_of].state_dict())
            load(twin, call.values)
            twin.train(call.mode == "train")
            self._made[name] = call
            self._expected[name] = expected_of(twin, call, self.named(call.given))

    def _remembers(self) -> bool:
        """Tell whether a module of the solution's keeps something of a call, such as running statistics."""
        module = self._twin("plain")
        kept = [value.clone() for value in module.buffers()]
        answer_of(module, self._made["distinct"].given.args)
        return not all(map(torch.equal, kept, module.buffers()))

    def expected(self, name: str, call: Call) -> Any:
        return self._expected[name].value

    def unloaded_in(self, call: Call) -> StudentFailure | None:
        return self.unloaded.get(call.module)

    def right_gradients(self, name: str, call: Call) -> Gradients:
        return self._expected[name].gradients

    def found_gradients(self, seen: Observation, call: Call) -> Gradients:
        pairs = zip(self.named(call.given).items(), seen.input_gradients, strict=False)  # none of what has a keyword
        return {name: grad for (name, value), grad in pairs if is_float(value)} | dict(seen.parameter_gradients)

    def read_parameters(self, key: str) -> dict[str, torch.Tensor]:
        """Return the parameters of the student's module by name; where all were loaded, they need not be asked for.

        Raises:
            StudentFailure: There is no such module.
        """
        require_value(self.unbuilt.get(key))
        handle = self._handles[key]
        return self.parameters(key) if handle.has_all_loaded else handle.parameters()

    def parameters(self, key: str) -> dict[str, torch.Tensor]:
        """Return the parameters of the solution's module by name."""
        return dict(self.built[key].values)

    def named(self, given: Given) -> dict[str, Any]:
        inputs = named(self._class.forward, Given((self, *given.args), given.kwargs))
        return dict([*inputs.items()][1:])  # without `self`

    def run_mistake(self, name: str, call: Call, mistake: Mistake) -> Any:
        built = self.built[call.module]
        wrong = mistake.make(*built.given.args, **built.given.kwargs)
        load(wrong, {**built.values, **call.values})
        wrong.to(getattr(torch, compare.lowest_precision(call.given.args)))
        before = takewhile(lambda made: made[0] != name, self._made.items() if self._remembers() else ())
        with torch.no_grad():
            for earlier in (made for _, made in before if made.module == call.module):
                given_to(wrong.train(earlier.mode == "train"), earlier.given)
            return given_to(wrong.train(call.mode == "train"), call.given)


def expected_of(module: nn.Module, call: Call, inputs: Mapping[str, Any]) -> Expected:
    """Return what a module of the solution's gives in a call."""
    before, weigher = call.options.get("before"), call.options.get("cotangent")
    if before is not None:
        answer_of(module, before)
    if call.mode == "train" and any(isinstance(part, nn.Dropout) and part.p for part in module.modules()):
        return Expected()
    if weigher is None:
        return Expected(answer_of(module, call.given.args, call.given.kwargs))
    wide = {name: x.detach().double().requires_grad_() if is_float(x) else x for name, x in inputs.items()}
    words = {name: wide[name] for name in call.given.kwargs}
    value = module(*(x for name, x in wide.items() if name not in words), **words)
    scalar = (outputs_of(value)[call.options.get("output", 0)] * weigher.double()).sum()
    leaves = {name: x for name, x in wide.items() if is_float(x)} | dict(module.named_parameters())
    gradients = torch.autograd.grad(scalar, list(leaves.values()), allow_unused=True)
    plain = tuple(x.detach() for x in outputs_of(value))
    return Expected(plain if isinstance(value, tuple) else plain[0], dict(zip(leaves, gradients, strict=True)))
