"""What was seen of the calls of a contract, which all of its rules read: they travel in one exchange."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from grader.errors import CourseError
from grader.suite.core.context import current_check
from grader.suite.core.contract import Contract
from grader.suite.core.draw import Draw
from grader.suite.core.failures import require_value
from grader.suite.core.reference import Reference
from grader.suite.diagnosis.by_measurement import Scaling
from grader.suite.library.reference_checks import function_probe
from grader.tolerances import Kind
from grader.workers.calls.kept_calls import KeptCall
from grader.workers.calls.student import Observation, Student
from grader.workers.process.check_attempt import CheckAttempt
from grader.workers.process.failures import StudentFailure

from .calls import LEAD, Call, Solution, gate_calls, rule_calls

EXCHANGES = 3
"""How often the calls that are left are made at most, on another worker each time."""
WORDS = {"T": "the number of tokens", "Tq": "the number of queries", "Tk": "the number of keys"}
"""How a letter is called to students, where the text has no name for it."""


class Seen:
    """What a student's function answered to the calls of a contract.

    Where a call ends the worker, the calls behind it are made once more, without it and those that are like it.

    Attributes:
        changes: The calls of the gate in which one input differs.
        calls: What was asked, by name.
        has_items_in_gate: Whether the calls of the gate have a leading dimension, since the plain form gave no value.
    """

    def __init__(self, name: str, contract: Contract, student: Student, reference: Reference) -> None:
        self.name, self.contract = name, contract
        self.solution, self.has_items_in_gate = Solution(name, reference), False
        self._student, self._reference = student, reference
        self._draw, self._outcomes = Draw(current_check.get().seed), dict[str, Observation | StudentFailure]()
        course = current_check.get().course
        forbids = course.forbids.get(name, []) if course else []
        self.calls: dict[str, Call] = {}
        self.changes, calls = gate_calls(contract, self.solution, self._draw)
        self.ask(calls | rule_calls(contract, self.solution, self._draw, calls["alike"].given, forbids))

    def ask(self, calls: Mapping[str, Call]) -> None:
        """Make some calls in one exchange; those behind one that ends the worker in a further one.

        What such a call has in common with others is the first word of its name.
        """
        self.calls |= calls
        function, left = getattr(self._student, self.name), list(calls)
        for _ in range(EXCHANGES):
            with self._kept_by_the_rules():
                outcomes, end = function.observe_until_end([(calls[name].given, calls[name].options) for name in left])
            self._outcomes.update(zip(left, outcomes, strict=False))
            left = left[len(outcomes) :]
            if end is None:
                break
            self._outcomes |= dict.fromkeys(left, end)
            left = [name for name in left if name.split()[0] != left[0].split()[0]]
            if end.status == "timeout" or not left:
                break

    @contextmanager
    def _kept_by_the_rules(self) -> Iterator[None]:
        """Keep no call, where calls are kept to be shown, with the rule that happens to come first."""
        attempt = attempt_of_check()
        kept, attempt.calls = attempt.calls, None
        try:
            yield
        finally:
            attempt.calls = kept

    def gate_with_items(self) -> None:
        """Make the calls of the gate once more, with a leading dimension."""
        self.has_items_in_gate = True
        self.changes, calls = gate_calls(self.contract, self.solution, self._draw, LEAD)
        if "items watched" in self.calls:
            calls["items watched"] = Call(calls["alike"].given, {"forbids": self.calls["watched"].options["forbids"]})
        self.ask(calls)

    def failure(self, call: str) -> StudentFailure | None:
        """Return why a call gave no value; None where it gave one."""
        outcome = self._outcomes[call]
        return outcome if isinstance(outcome, StudentFailure) else None

    def observed(self, call: str) -> Observation:
        """Return all that was seen of a call.

        Raises:
            StudentFailure: It gave no value.
        """
        if call not in self._outcomes:
            raise CourseError(
                f"The contract of {self.name} makes no call '{call}'.", f"It makes {', '.join(self.calls)}."
            )
        outcome, calls = self._outcomes[call], attempt_of_check().calls
        if calls is not None:
            calls.append(KeptCall(self.name, self.calls[call].given, True, outcome))
        seen: Observation = require_value(outcome)
        return seen

    def answer(self, call: str) -> Any:
        """Return the answer to a call."""
        return self.observed(call).value

    def require_right(self, calls: Sequence[str], kind: Kind = "value") -> None:
        """Ask that the answers to some calls are the solution's."""
        for name in calls:
            scaling = scaling_of(self.contract, self.calls[name])
            probe = function_probe(self._student, self._reference, self.name, self.calls[name].given, kind, scaling)
            try:
                answer = self.answer(name)
            except StudentFailure as failure:
                answer = failure
            probe.judge(answer)


def attempt_of_check() -> CheckAttempt:
    """Return what the running check asked so far."""
    session = current_check.get().session
    assert session is not None  # or there would be no student
    return session.attempt


def scaling_of(contract: Contract, call: Call) -> Scaling | None:
    """Return what the scores behind the result of a call should be divided by; None where nothing is known of it."""
    letter, sizes = contract.scaling, call.sizes
    if letter not in sizes:
        return None
    texts = enumerate(contract.inputs.values())
    argument = next((place for place, text in texts if isinstance(text, tuple) and letter in text), 0)
    others = {WORDS.get(name, name): size for name, size in sizes.items() if name != letter}
    return Scaling(sizes[letter], letter, argument=argument, sizes=others)


def seen_of(name: str, contract: Contract, student: Student, reference: Reference) -> Seen:
    """Return what was seen of an exercise's calls, which are made when the first rule asks."""
    findings = current_check.get().findings
    if ("contract", name) not in findings:
        findings["contract", name] = Seen(name, contract, student, reference)
    seen: Seen = findings["contract", name]
    return seen
