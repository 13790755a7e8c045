"""Makes checks of an exercise's examples: that they are right, and in a student's own run what needs no answer.

Grading asks the rest by hidden inputs; here it is asked of the first example.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
import torch

from grader.language import N_
from grader.results.verdict import Diagnosis
from grader.suite.core.context import Mistake, student_now
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import Gradients, gradients_seen, require_gradients, weights_of
from grader.suite.diagnosis.by_answer import one_of
from grader.suite.library.changed_inputs import outputs_of
from grader.suite.library.checks import has_dtype
from grader.suite.library.gradient_checks import gradients_arrive, require_finite, require_followed
from grader.suite.library.other_device import same_elsewhere
from grader.suite.library.purity import require_unchanged
from grader.suite.library.reference_checks import judge
from grader.suite.rules.items import RULES, item_of
from grader.suite.rules.layer_rules import require_left_alone, states_after
from grader.suite.rules.module_rules import require_drawn, require_restored, require_shapes
from grader.workers.calls.student import ModuleHandle, Observation, Student
from grader.workers.process.failures import StudentFailure

from .make import answer_hash, answers_of
from .model import Example, ExerciseExamples, StoredCall, given_in, results_of, values_of

CHECK = "examples"
SENTENCES = {
    CHECK: N_("Small examples, with sizes that all differ, give the right result."),
    "sizes": N_("A single token or feature gives the right result."),
}
"""What is asked where it is not what the rule of that name asks of hidden inputs."""


@dataclass(frozen=True)
class Shown:
    name: str
    known: ExerciseExamples
    student: Student

    @property
    def first(self) -> Example:
        return self.known.examples[0]

    @property
    def is_module(self) -> bool:
        return self.first.built is not None

    def module(self, example: Example, loaded: bool = True) -> ModuleHandle:
        """Build a module of the student's class; with the parameters of the example, or with those that it draws."""
        assert example.built is not None
        given, loads = given_in(example.built), values_of(example.parameters) if loaded else {}
        handle: ModuleHandle = getattr(self.student, self.name).built(*given.args, loads=loads, **given.kwargs)
        return handle

    def callee(self, example: Example) -> Any:
        return self.module(example) if self.is_module else getattr(self.student, self.name)

    def ready(self, call: StoredCall, dtype: torch.dtype = torch.float32) -> Any:
        """Return what is called in a call of the first example, in its mode."""
        callee = self.callee(self.first)
        if self.is_module:
            getattr(callee, call.mode)()
            if dtype != torch.float32:
                callee.to(dtype=dtype)
        return callee


def examples_are_right(shown: Shown, examples: Sequence[Example]) -> None:
    """Ask that all calls give what they should, and name the mistake where they do not."""
    place = 0
    for example in examples:
        callee, cases = shown.callee(example), [given_in(call) for call in example.calls]
        calls = [callee.to_call(given, mode=call.mode) for given, call in zip(cases, example.calls, strict=True)]
        outcomes, end = callee.ask_until_end(calls)
        for number, (given, outcome) in enumerate(zip(cases, [*outcomes, end], strict=False)):
            answer = outcome.value if isinstance(outcome, Observation) else outcome
            try:
                right, run_mistake = results_of(example.calls[number]), partial(mistaken_answer, example, number)
                judge(shown.name, given, answer, right, "module" if shown.is_module else "value", run_mistake)
            except (CheckFailed, StudentFailure) as wrong:
                wrong.diagnosis = wrong.diagnosis or hint_for(shown, place, answer)
                if not shown.is_module:
                    callee.note_call(given)
                raise
            place += 1


def mistaken_answer(example: Example, number: int, mistake: Mistake) -> Any:
    """Return what a mistake gives or raises in a call of an example; a module may keep something of those before."""
    return [answer for _, answer in answers_of(mistake.make, example, torch.float32)][number]


def hint_for(shown: Shown, place: int, answer: Any) -> Diagnosis | None:
    answered = answer_hash(place, answer)
    hints = [(hint.hint, hint.ko) for hint in shown.known.hints if answered in hint.answers]
    return Diagnosis.of([], one_of(hints)) if hints else None


def examples(shown: Shown) -> None:
    examples_are_right(shown, shown.known.examples)


# -- what only a student's own run asks --------------------------------------------------------------------------


def sizes(shown: Shown) -> None:
    if shown.known.smallest is not None:
        examples_are_right(shown, [shown.known.smallest])


def dtype(shown: Shown) -> None:
    call = shown.first.calls[0]
    for wanted in (torch.float64, torch.bfloat16):
        given = given_in(call, wanted)
        for result in outputs_of(shown.ready(call, wanted)(*given.args, **given.kwargs)):
            has_dtype(result, wanted)


def inputs_unchanged(shown: Shown) -> None:
    for call in shown.first.calls:
        given = given_in(call)
        seen = shown.ready(call).observe(*given.args, echo=True, **given.kwargs)
        require_unchanged(given.args, given.kwargs, seen)
        for layer, state in states_after(given, seen):
            require_left_alone(layer, state)


def gradients_flow(shown: Shown) -> None:
    seen, answers, wanted = with_gradients(shown)
    gradients_arrive(answers, wanted)
    require_finite(answers)
    require_followed(seen.facts, shown.first.calls[0].followed)


def gradients(shown: Shown) -> None:
    _, answers, wanted = with_gradients(shown)
    require_gradients(answers, wanted, "float32")


def with_gradients(shown: Shown) -> tuple[Observation, Gradients, Gradients]:
    """Return what was seen of a call whose gradients are taken, these, and those that there should be."""
    call = shown.first.calls[0]
    given, weights = given_in(call), weights_of(outputs_of(results_of(call)))
    seen = shown.ready(call).observe(*given.args, cotangent=weights, **given.kwargs)
    inputs = dict(zip(shown.known.inputs, given.args, strict=False))
    return seen, gradients_seen(seen, inputs), dict(values_of(call.gradients))


def another_device(shown: Shown) -> None:
    call = shown.first.calls[-1]
    given = given_in(call)
    if not shown.is_module:
        function = getattr(shown.student, shown.name)
        same_elsewhere(function, function, given)
        return
    stays, moved = shown.module(shown.first), shown.module(shown.first)
    for mode in ("train", "eval"):
        for module in (stays, moved):
            getattr(module, mode)()
        same_elsewhere(stays, moved, given)


def parameters(shown: Shown) -> None:
    for example in shown.known.examples:
        require_shapes(shown.module(example, loaded=False).parameters(), values_of(example.parameters))


def state_dict(shown: Shown) -> None:
    example, call = shown.first, shown.first.calls[-1]
    given = given_in(call)
    used, new = shown.module(example), shown.module(example, loaded=False)
    for module in (used, new):
        getattr(module, call.mode)()
    used(*given.args, **given.kwargs)
    used.load_state_dict(new.state_dict())
    require_restored(*(module(*given.args, **given.kwargs) for module in (used, new)))


def dropout(shown: Shown) -> None:
    example = shown.known.examples[-1]
    call = example.calls[-1]
    given, module = given_in(call), shown.module(example)
    module.train()
    first, second = (module(*given.args, **given.kwargs) for _ in range(2))
    require_drawn(first, second, results_of(call))


OWN_RUN: Mapping[str, Callable[[Shown], None]] = {
    function.__name__: function
    for function in (
        sizes, dtype, inputs_unchanged, gradients_flow, gradients, another_device, parameters, state_dict, dropout,
    )
}  # fmt: skip
"""By the names of the rules that ask the same of hidden inputs."""


def example_items(suite: pytest.Collector, name: str, known: ExerciseExamples, *, graded: bool) -> list[pytest.Item]:
    """Return an item for each check of an exercise's examples.

    Args:
        graded: Whether the examples alone are asked for; hidden checks ask the rest.
    """

    def item(check: str, body: Callable[[Shown], None], **fields: Any) -> pytest.Item:
        def run() -> None:
            body(Shown(name, known, student_now()))

        sentence = SENTENCES.get(check) or RULES[check].sentence
        return item_of(suite, run, name, check, sentence, visibility="visible", **fields)

    items = [item(CHECK, examples, category="value", weight=1, row="values")]
    for rule, body in OWN_RUN.items():
        if rule in known.rules and not graded:
            fields = {"category": RULES[rule].category, "needs": (f"test_{CHECK}",)}
            items.append(item(rule, body, weight=0, row=None, **fields))
    return items
