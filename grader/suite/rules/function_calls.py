"""The calls that a contract makes of a function."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from grader.suite.core.context import Mistake
from grader.suite.core.contract import Contract
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed, require_value
from grader.suite.core.gradients import is_float
from grader.suite.core.reference import Reference
from grader.suite.diagnosis.by_answer import copies
from grader.suite.diagnosis.by_measurement import Scaling, remember_expected
from grader.suite.library.changed_inputs import named, outputs_of
from grader.suite.library.other_device import SEED, place_to_try
from grader.suite.library.reference_checks import Probe, function_probe
from grader.tolerances import Kind
from grader.workers.calls.student import Given, Observation, Student
from grader.workers.process.failures import StudentFailure

from .calls import EQUAL, SHOWS_ALL, Call, Change, Gradients, beside, changes_of, cotangent, in_views, tell_place
from .given_layers import GivenLayers, Handles, moved_to, with_handles

LEAD = (2,)
"""The leading dimension that is tried where the plain form is no form of an answer."""
LAID_OUT: tuple[tuple[int, ...], ...] = ((2, 3), (), LEAD)
"""The leading dimensions of the calls with views."""
WORDS = {"T": "the number of tokens", "Tq": "the number of queries", "Tk": "the number of keys"}
"""How a letter is called to students, where the text has no name for it."""


class FunctionSide:
    """The student's function and the solution's."""

    def __init__(self, name: str, contract: Contract, student: Student, reference: Reference) -> None:
        self.name, self.contract = name, contract
        self._student, self._reference = student, reference
        self._solution = getattr(reference.module, name)
        self._layers: GivenLayers | None = None

    def gate_calls(
        self, draw: Draw, lead: Sequence[int] = (), fewer: bool = False
    ) -> tuple[list[Change], dict[str, Call]]:
        given = self.contract.call(draw, self.contract.alike, lead)
        changes = changes_of(given, self.named(given), draw)
        calls = {"alike": Call(given, SHOWS_ALL)} | {f"other {change.name}": Call(step) for change, step in changes}
        return [change for change, _ in changes], calls

    def calls(self, draw: Draw, forbids: Sequence[str]) -> tuple[list[Change], dict[str, Call]]:
        """Return them as `Side` says.

        An answer that works in place has values of its own, but raises where gradients are asked for: so these calls
        are others than those that show a value.
        """
        contract = self.contract
        if contract.takes_layers:
            self._layers = GivenLayers(self._student, Draw(draw.key()))
        changes, calls = self.gate_calls(draw)

        def call(sizes: Mapping[str, int], lead: Sequence[int] = (), scale: float = 1.0, **options: Any) -> Call:
            return Call(contract.call(draw, sizes, lead, scale=scale), options, sizes)

        distinct, equal, place = contract.distinct, dict.fromkeys(contract.letters, EQUAL), place_to_try()
        calls |= {
            "distinct": call(distinct, **SHOWS_ALL),
            "equal": call(equal, scale=2.0),
            "ones": call(contract.ones),
            **{f"large {letter}": call(contract.large(letter, draw)) for letter in contract.letters},
        }
        if forbids:
            calls["watched"] = call(draw.choice([distinct, equal, contract.alike]), forbids=list(forbids))
        if not contract.takes_tensors:
            return changes, calls
        here = calls["alike"].given
        calls["here"] = Call(here, {"cotangent": cotangent(contract, contract.alike), "seed": SEED})
        if contract.leads:
            items = contract.call(draw, distinct, contract.items, dtype=torch.float64)
            calls["items"] = Call(items, SHOWS_ALL, distinct)
            if place is not None:
                calls["items elsewhere"] = Call(moved_to(place, items), {"device": place})
        if contract.leads and forbids:
            calls["watched items"] = call(distinct, contract.items, forbids=list(forbids))
        exact = contract.call(draw, distinct, dtype=torch.float64)
        calls["float64"], calls["float64 beside"] = Call(exact, {"echo": True}), Call(beside(exact, draw))
        calls["bfloat16"] = Call(contract.call(draw, contract.alike, dtype=torch.bfloat16))
        for first, lead in enumerate(LAID_OUT):
            given = contract.call(draw, distinct, lead if contract.leads else ())
            calls[f"layout {first}"] = Call(in_views(contract, given, first))
        calls["anew"] = call(distinct, before=contract.call(draw, distinct).args)
        followed = contract.call(draw, distinct)
        for output in range(len(contract.results)):
            options = {"cotangent": cotangent(contract, distinct, output=output), "output": output}
            calls[f"gradients {output}"] = Call(followed, options)
        if place is not None:
            calls["elsewhere"] = Call(moved_to(place, here), dict(calls["here"].options) | {"device": place})
        return changes, calls

    def ask(
        self, calls: Mapping[str, Call]
    ) -> tuple[dict[str, Observation | StudentFailure], tuple[str, StudentFailure] | None]:
        asked = [(call.given, call.options) for call in calls.values()]
        if self._layers is not None:
            handles = self._layers.on_the_worker(given for given, _ in asked)
            asked = [(with_handles(given, handles), self._options(options, handles)) for given, options in asked]
        outcomes, end = getattr(self._student, self.name).observe_until_end(asked)
        return dict(zip(calls, outcomes, strict=False)), None if end is None else (list(calls)[len(outcomes)], end)

    def _options(self, options: Mapping[str, Any], handles: Handles) -> Mapping[str, Any]:
        before = options.get("before")
        return options if before is None else {**options, "before": with_handles(Given(before, {}), handles).args}

    def _ours(self, given: Given, dtype: torch.dtype = torch.float64) -> Given:
        """Return a call as the solution is given it."""
        return given if self._layers is None else self._layers.twins(given, dtype)

    def expected(self, name: str, call: Call) -> Any:
        with torch.no_grad():
            return getattr(self._reference, self.name)(*self._ours(call.given).args)

    def is_loaded(self, call: Call) -> bool:
        return True

    def right_gradients(self, name: str, call: Call) -> Gradients:
        wide = [arg.detach().double().requires_grad_() if is_float(arg) else arg for arg in self._ours(call.given).args]
        result = outputs_of(self._solution(*wide))[call.options.get("output", 0)]
        scalar, leaves = (result * call.options["cotangent"].double()).sum(), [arg for arg in wide if is_float(arg)]
        names = [name for name, value in self.named(call.given).items() if is_float(value)]
        return dict(zip(names, torch.autograd.grad(scalar, leaves, allow_unused=True), strict=True))

    def found_gradients(self, seen: Observation, call: Call) -> Gradients:
        pairs = zip(self.named(call.given).items(), seen.input_gradients, strict=True)
        return {name: grad for (name, value), grad in pairs if is_float(value)}

    def named(self, given: Given) -> dict[str, Any]:
        return named(self._solution, given)

    def explain(self, failure: CheckFailed, call: Call) -> None:
        answers, solution = getattr(self._student, self.name), getattr(self._reference, self.name)
        tell_place(failure, self.contract, self.name, answers, solution, call.given)

    def probe(self, name: str, call: Call, kind: Kind | None = None) -> Probe:
        if "before" in call.options:
            earlier = self._ours(Given(call.options["before"], {}))
            remember_expected(getattr(self._reference, self.name)(*earlier.args))
        if self._layers is not None:
            return self._probe_with_layers(name, call, kind)
        scaling = scaling_of(self.contract, call.sizes)
        function, solution = getattr(self._student, self.name), getattr(self._reference, self.name)
        return function_probe(function, solution, call.given, kind or "value", scaling)

    def _probe_with_layers(self, name: str, call: Call, kind: Kind | None) -> Probe:
        def run_mistake(mistake: Mistake) -> Any:
            given = self._ours(call.given, call.given.args[0].dtype)
            with torch.no_grad():
                return mistake.make(*(copies(arg) if isinstance(arg, torch.Tensor) else arg for arg in given.args))

        def again() -> Any:
            outcomes, end = self.ask({name: call})
            if end is not None:
                raise end[1]
            return require_value(outcomes[name]).value

        return Probe(
            self.name, call.given, kind or "module", None, lambda _: self.expected(name, call), run_mistake, again
        )


def scaling_of(contract: Contract, sizes: Mapping[str, int]) -> Scaling | None:
    """Return what the scores behind a result of these sizes should be divided by; None where nothing is known of it."""
    letter, *parameters = contract.scaling or [""]
    if not parameters and letter not in sizes:
        return None
    others = {WORDS.get(name, name): size for name, size in sizes.items() if name != letter}
    if contract.is_module:
        return Scaling(sizes.get(letter, 1), letter, parameters=tuple(parameters), sizes=others)
    texts = enumerate(contract.inputs.values())
    argument = next((place for place, text in texts if isinstance(text, tuple) and letter in text), 0)
    return Scaling(sizes[letter], letter, argument=argument, sizes=others)
