"""Asks a student's function, or modules of a student's class, and the solution's, the calls of a contract."""

from collections.abc import Callable, Iterator, Mapping
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
from grader.suite.core.gradients import Gradients, argument_names, followed, followed_answer, gradients_of
from grader.suite.core.reference import Reference, answer_of, widened
from grader.suite.library.changed_inputs import outputs_of
from grader.suite.library.modules.module_checks import load
from grader.suite.library.reference_checks import loaded_module
from grader.workers.calls.refusals import is_of_loading
from grader.workers.calls.student import Given, ModuleHandle, Observation, Student
from grader.workers.process.check_attempt import Make, Read
from grader.workers.process.failures import StudentFailure

from .calls import EQUAL, SHOWS_ALL, Call, Mode, changes_of

OTHER = "other "
"""What the names of calls begin with in which an input is another one than in the gate's plain call."""
FORM = (4, 3, 2)
"""The leading dimensions of the gate's calls in other forms; of two items a norm across them leaves the signs."""
Step = tuple[str, str]
"""What a request is for: `build` and the module, or `call` and the call."""


@dataclass(frozen=True)
class Built:
    """A module that is built on both sides.

    Attributes:
        given: What its class is called with.
        values: Random numbers for the parameters of the solution's, by name.
    """

    given: Given
    values: Mapping[str, torch.Tensor]


@dataclass
class Expected:
    """What the solution gives in a call; nothing where it drops at random.

    Attributes:
        followed: The places of the results that gradients can be taken of.
    """

    value: Any = None
    gradients: Gradients = field(default_factory=dict)
    followed: list[int] = field(default_factory=list)


class Side:
    """The student's function or modules of the student's class, and the solution's.

    Attributes:
        built: The modules by name; none of a function.
        unbuilt: Why a module could not be built.
        unloaded: Why nothing could be loaded into a module: it has not the parameters of the solution's.
        expected: What the solution gives in the calls that were made.
    """

    def __init__(self, name: str, contract: Contract, student: Student, reference: Reference) -> None:
        self.name, self.contract = name, contract
        self._asked, self._solution = getattr(student, name), getattr(reference.module, name)
        self._inputs = argument_names(self._solution)[contract.is_module :]  # without `self`
        self.built: dict[str, Built] = {}
        self.unbuilt: dict[str, StudentFailure] = {}
        self.unloaded: dict[str, StudentFailure] = {}
        self.expected: dict[str, Expected] = {}
        self._handles: dict[str, ModuleHandle] = {}
        self._twins: dict[str, tuple[nn.Module, list[torch.Tensor]]] = {}
        self._made: dict[str, Call] = {}  # in their order

    def gate_calls(self, draw: Draw, form: int = 0) -> dict[str, Call]:
        """Return the calls of the gate: a plain one, and some in which one input after the other changes.

        Args:
            form: How many leading dimensions they have; or not 0 for fewer tokens than a module was made for.
        """
        contract, sizes = self.contract, self.contract.alike
        if contract.is_module:
            self._build("gate", draw, sizes)
        given = contract.call(draw, contract.shorter(sizes) if form else sizes, FORM[:form])
        plain = Call(given, SHOWS_ALL)
        if contract.is_module:
            plain = replace(plain, module="gate", mode=self._mode_of_the_gate(given))
        changes = changes_of(self.named(given), draw, mixes=contract.mixes)
        others = {f"{OTHER}{name}": replace(plain, given=changed, options={}) for name, changed in changes.items()}
        return {"gate": plain, **others}

    def _mode_of_the_gate(self, given: Given) -> Mode:
        """Return eval, in which who drops without being asked drops nothing; but train where the two are not alike."""
        answers = [outputs_of(answer_of(self._twin("gate").train(mode), given)) for mode in (True, False)]
        return "eval" if all(map(torch.allclose, *answers)) else "train"

    def _build(
        self, key: str, draw: Draw, sizes: Mapping[str, int], p: float = 0.0,
        options: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        given = self.contract.made_with(sizes, p, options)
        module = self._solution(*given.args, **given.kwargs).double()
        self._twins[key] = module, [buffer.clone() for buffer in module.buffers()]
        values = draw.parameters(module)
        for name, value in values.items():  # sums over many features stay of the order of one
            if value.dim() > 1 and value.shape[-1] > EQUAL * EQUAL:
                values[name] = value / value.shape[-1] ** 0.5
        self.built[key] = Built(given, values)

    def _twin(self, key: str) -> nn.Module:
        """Return the solution's module as it was built, in training; it is the same one each time."""
        module, buffers = self._twins[key]
        for buffer, value in zip(module.buffers(), buffers, strict=True):
            buffer.copy_(value)
        load(module, self.built[key].values)
        return module.train()

    def ask(
        self, calls: Mapping[str, Call]
    ) -> tuple[dict[str, Observation | StudentFailure], list[str], StudentFailure | None]:
        """Make some calls in one exchange.

        Returns:
            What came of each, as far as the worker came; and if one ended it, those that are like it or need the same
            module, and the failure. Calls are alike by the first word of their names, and by a dtype but float32.
        """
        self._replay(calls)
        steps = [*self._steps(calls)]
        replies, end = self._asked.ask_until_end([request for _, request in steps], 1 + bool(self.built))
        outcomes: dict[str, Observation | StudentFailure] = {}
        for ((what, name), _), reply in zip(steps, replies, strict=False):
            if what == "call":
                failed = [self.unbuilt[key] for key in self._needs(calls[name]) if key in self.unbuilt]
                outcomes[name] = failed[0] if failed else reply
            elif isinstance(reply, StudentFailure) and is_of_loading(reply):
                self.unloaded[name] = reply
            elif isinstance(reply, StudentFailure):
                self.unbuilt[name] = reply
            else:
                self.unbuilt.pop(name, None)
        if end is None:
            return outcomes, [], None
        what, at = steps[len(replies)][0]
        if what == "build":
            self.unbuilt[at] = end
            return outcomes, [name for name in calls if at in self._needs(calls[name])], end
        dtype = compare.lowest_precision(calls[at].given.args)
        alike = {name for name in calls if name.split()[0] == at.split()[0]}
        if dtype != "float32":
            alike |= {name for name, call in calls.items() if compare.lowest_precision(call.given.args) == dtype}
        return outcomes, [*alike], end

    def _needs(self, call: Call) -> list[str]:
        return [key for key in (call.module, call.state_of) if key]

    def _steps(self, calls: Mapping[str, Call]) -> Iterator[tuple[Step, tuple[Make, Read[Any]]]]:
        """Yield what each request is for, and the request.

        All modules are built before the first is called, so that what one leaves behind for another shows.
        """
        for key in dict.fromkeys(key for call in calls.values() for key in self._needs(call)):
            self._handles[key], request = self._asked.to_build(self.built[key].given, loads=self.built[key].values)
            yield ("build", key), request
        dtypes = dict[str, torch.dtype]()
        for name, call in calls.items():
            options = {**call.options, "mode": call.mode, "loads": call.values}
            if call.state_of:
                options["state_of"] = self._handles[call.state_of].module_number()[0]
            if call.dtype != dtypes.get(call.module, torch.float32):
                dtypes[call.module] = call.dtype
                options["turned_to"] = compare.dtype_name(call.dtype)
            yield ("call", name), self._handles.get(call.module, self._asked).to_call(call.given, **options)

    def _replay(self, calls: Mapping[str, Call]) -> None:
        """Make the same calls of the solution, of new modules in the same order, and keep what they give."""
        keys = dict.fromkeys(key for call in calls.values() for key in self._needs(call))
        twins = {key: self._twin(key) for key in keys}
        for name, call in calls.items():
            callee = self._solution
            if call.module:
                callee = twins[call.module]
                if call.state_of:
                    callee.load_state_dict(twins[call.state_of].state_dict())
                load(callee, call.values)
                callee.train(call.mode == "train")
            self._made[name] = call
            self.expected[name] = expected_of(callee, call)

    def _remembers(self, given: Given) -> bool:
        """Tell whether a module of the solution's keeps something of a call, such as running statistics."""
        module = self._twin("plain")
        kept = [value.clone() for value in module.buffers()]
        answer_of(module, given)
        return not all(map(torch.equal, kept, module.buffers()))

    def read_parameters(self, key: str) -> dict[str, torch.Tensor]:
        """Return the parameters of the student's module by name; where all were loaded, they need not be asked for.

        Raises:
            StudentFailure: There is no such module.
        """
        require_value(self.unbuilt.get(key))
        handle = self._handles[key]
        return dict(self.built[key].values) if handle.has_all_loaded else handle.parameters()

    def named(self, given: Given) -> dict[str, Any]:
        return {**dict(zip(self._inputs, given.args, strict=False)), **given.kwargs}

    def run_mistake(self, name: str, call: Call, mistake: Mistake) -> Any:
        """Return what a known mistake gives in a call that was made."""
        if not call.module:
            return answer_of(mistake.make, call.given, None)
        built, dtype = self.built[call.module], compare.lowest_precision(call.given.args)
        wrong = loaded_module(mistake.make, built.given, {**built.values, **call.values}, dtype)
        remembers = self._remembers(self._made["distinct"].given)
        before = takewhile(lambda made: made[0] != name, self._made.items() if remembers else ())
        for earlier in (made for _, made in before if made.module == call.module):
            answer_of(wrong.train(earlier.mode == "train"), earlier.given, None)
        return answer_of(wrong.train(call.mode == "train"), call.given, None)


def expected_of(callee: Callable[..., Any], call: Call) -> Expected:
    given, before, weighers = call.given, call.options.get("before"), call.options.get("cotangent")
    parts = callee.modules() if isinstance(callee, nn.Module) else ()
    if before is not None:
        answer_of(callee, Given(before, {}))
    if call.mode == "train" and any(isinstance(part, nn.Dropout) and part.p for part in parts):
        return Expected()
    if weighers is None:
        return Expected(answer_of(callee, given))
    value, leaves = followed_answer(callee, given)
    results = outputs_of(value)
    return Expected(widened(value), gradients_of(results, weighers, leaves), followed(results))
