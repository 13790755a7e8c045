"""What was seen of the calls of a contract, which all of its rules read: they travel in one exchange."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from grader.suite.core.compare import lowest_precision
from grader.suite.core.context import Mistake, current_check, reference_now, student_now
from grader.suite.core.contract import Contract
from grader.suite.core.draw import Draw
from grader.suite.core.failures import require_value
from grader.suite.core.gradients import Gradients, gradients_seen
from grader.suite.core.reference import Reference
from grader.suite.diagnosis.by_answer import alike, outcome_of
from grader.suite.library.reference_checks import judge
from grader.tolerances import Kind
from grader.workers.calls.kept_calls import KeptCall
from grader.workers.calls.student import Observation, Student
from grader.workers.process.check_attempt import CheckAttempt
from grader.workers.process.failures import ForbiddenCall, StudentFailure

from .calls import Call
from .function_calls import FunctionSide
from .module_calls import ModuleSide

EXCHANGES = 2
"""How often calls are made at most, where one of them ends the worker."""


class Seen:
    """What a student's answer gave in the calls of a contract.

    Where a call ends the worker, the calls behind it are made once more, without it and those that are like it. What
    an exercise forbids is not there in its calls; where one of them asks for it, all are made once more with it.

    Attributes:
        side: Makes the calls.
        calls: What was asked, by name.
        form: In which form the calls of the gate were made last: 0, or a later one where those before gave no value.
        is_asked_anew: Whether they were made once more, in any form.
        caught: The failure of a call that made a forbidden call.
    """

    def __init__(self, name: str, contract: Contract, student: Student, reference: Reference) -> None:
        self.name, self.contract, self.form, self.is_asked_anew = name, contract, 0, False
        side = (ModuleSide if contract.is_module else FunctionSide)(name, contract, student, reference)
        self.side: FunctionSide | ModuleSide = side
        self.draw, self._outcomes = Draw(current_check.get().seed), dict[str, Observation | StudentFailure]()
        course = current_check.get().course
        self._forbids = course.forbids.get(name, []) if course else []
        self.caught: StudentFailure | None = None
        self.calls: dict[str, Call] = {}
        self.ask(side.calls(self.draw))

    def ask(self, calls: Mapping[str, Call]) -> None:
        """Make some calls in one exchange; those behind one that ends the worker in a further one."""
        self.calls |= calls
        if self._forbids and self.caught is None:
            without = {"forbids": self._forbids}
            self._make({name: replace(call, options={**call.options, **without}) for name, call in calls.items()})
            self.caught = next((end for end in map(self.failure, calls) if isinstance(end, ForbiddenCall)), None)
            if self.caught is None:
                return
        self._make(calls)

    def _make(self, calls: Mapping[str, Call]) -> None:
        left = list(calls)
        for _ in range(EXCHANGES):
            attempt = attempt_of_check()
            kept, attempt.calls = attempt.calls, None  # each rule keeps what it reads, where calls are kept to be shown
            try:
                outcomes, spared, end = self.side.ask({name: calls[name] for name in left})
            finally:
                attempt.calls = kept
            self._outcomes |= outcomes
            left = [name for name in left if name not in outcomes]
            if end is None:
                break
            self._outcomes |= dict.fromkeys(left, end)
            left = [name for name in left if name not in spared]
            if end.status == "timeout" or not left:
                break

    def ask_the_gate_anew(self) -> None:
        self.is_asked_anew = True
        self.ask(self.side.gate_calls(self.draw, self.form))

    def ask_the_gate_in_its_next_form(self) -> bool:
        """Make the calls of the gate from now on in the next form, and tell whether there is one."""
        if self.form == self.contract.other_forms:
            return False
        self.form += 1
        self.ask_the_gate_anew()
        return True

    def failure(self, call: str) -> StudentFailure | None:
        """Return why a call gave no value; None where it gave one."""
        outcome = self._outcomes[call]
        return outcome if isinstance(outcome, StudentFailure) else None

    def observed(self, call: str) -> Observation:
        """Return all that was seen of a call.

        Raises:
            StudentFailure: It gave no value.
        """
        outcome, calls = self._outcomes[call], attempt_of_check().calls
        if calls is not None:
            calls.append(KeptCall(self.name, self.calls[call].given, outcome))
        seen: Observation = require_value(outcome)
        return seen

    def answer(self, call: str) -> Any:
        return self.observed(call).value

    def expected(self, call: str) -> Any:
        return self.side.expected[call].value

    def gradients(self, call: str) -> tuple[Gradients, Gradients]:
        """Return the student's gradients of a call, and the solution's: of inputs, and of a module's parameters."""
        inputs = self.side.named(self.calls[call].given)
        return gradients_seen(self.observed(call), inputs), self.side.expected[call].gradients

    def may_be(self, mistake: Mistake) -> bool:
        """Tell whether a known mistake gives what was answered to the plain call, which may be right."""
        answer, call = self._outcomes["distinct"], self.calls["distinct"]
        if isinstance(answer, StudentFailure) or call.module in self.side.unloaded:
            return True
        other = outcome_of(partial(self.side.run_mistake, "distinct", call, mistake))
        return alike(answer.value, other, lowest_precision(call.given.args))

    def require_right(self, calls: Sequence[str]) -> None:
        kind: Kind = "module" if self.contract.is_module or self.contract.takes_layers else "value"
        for name in calls:
            call = self.calls[name]
            if call.module in self.side.unloaded:
                raise self.side.unloaded[call.module]
            try:
                answer = self.answer(name)
            except StudentFailure as failure:
                answer = failure
            run_mistake = partial(self.side.run_mistake, name, call)
            judge(self.name, call.given, answer, self.expected(name), kind, run_mistake)


def attempt_of_check() -> CheckAttempt:
    """Return what the running check asked so far."""
    session = current_check.get().session
    assert session is not None  # or there would be no student
    return session.attempt


def seen_of(name: str, contract: Contract) -> Seen:
    """Return what was seen of an exercise's calls, which are made when the first rule asks."""
    known = current_check.get().findings.seen
    if name not in known:
        known[name] = Seen(name, contract, student_now(), reference_now())
    seen: Seen = known[name]
    return seen
