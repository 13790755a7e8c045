"""Calls something in a worker: the student's functions (`student.py`) and modules (`module_handles.py`) alike."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import torch

from grader.workers.process.check_attempt import Asked, Make, Read
from grader.workers.process.failures import StudentFailure
from grader.workers.session import WorkerSession

from .kept_calls import KeptCall, kept
from .observation import Observation, Raised
from .replies import RaisedError
from .requests import CallRequest, Given, require_same_layout

T = TypeVar("T")


class Callee:
    """Anything in the worker that can be called.

    Args:
        name: Its name in sentences.
    """

    def __init__(self, session: WorkerSession, name: str) -> None:
        self._session = session
        self.name = name

    def _target(self) -> str | int:
        raise NotImplementedError

    def _new_handle(self, number: int, class_name: str, given: Given) -> "Callee":
        raise NotImplementedError

    def _call_to_show(self, given: Given) -> tuple[str, Given] | None:
        """Return what a report may show of a call; None if it cannot be written as Python."""
        return None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it and return plain values."""
        return self._observe(args, kwargs).value

    def observe(
        self,
        *args: Any,
        cotangent: torch.Tensor | Sequence[torch.Tensor] = (),
        before: Sequence[Any] | None = None,
        echo: bool = False,
        trace: bool = False,
        forbids: Sequence[str] = (),
        seed: int | None = None,
        no_grad: bool = False,
        device: str = "",
        **kwargs: Any,
    ) -> Observation:
        """Call it and return what can be seen of the call.

        Args:
            cotangent: Of the shape of the result; of a tuple one for each item. The gradients of
                (result * cotangent).sum() are computed, summed over the items.
            before: The values of the arguments' tensors in an extra call that is made first, of its argument's shape
                and dtype. What that call gives is overwritten. The observed call gets the very same objects.
            echo: Whether the inputs are sent back after the call.
            trace: Whether torch's operations are counted.
            forbids: Groups of library calls that are blocked during the call.
            seed: Passed to torch.manual_seed before the call.
            no_grad: Whether the call is made under torch.no_grad().
            device: Where the tensors are put, if it is not where the worker computes; the result has to be there, too.

        Raises:
            StudentFailure: It gave no value, or one without such a gradient, or it made a forbidden call (status
                `forbidden`).
            CourseError: What `before` holds does not fit the arguments.
        """
        options = {"cotangent": cotangent, "before": before, "echo": echo, "trace": trace, "seed": seed}
        options |= {"no_grad": no_grad, "device": device}
        options |= {"forbids": list(forbids)} if forbids else {}
        return self._observe(args, kwargs, **options)

    def error(self, *args: Any, **kwargs: Any) -> Raised | None:
        """Call it and return the exception that it raises, or None.

        Raises:
            StudentFailure: It is missing or not written, or ended otherwise than by an exception.
        """
        (raised,) = self.errors([Given(args, kwargs)])
        return raised

    def errors(self, cases: Sequence[Given]) -> list[Raised | None]:
        """Do the same on several inputs, in one exchange with the worker."""
        errors: list[Raised | None] = []
        outcomes = self.observe_all([(case, {}) for case in cases])
        for case, outcome in zip(cases, outcomes, strict=True):
            self.note_call(case)
            if isinstance(outcome, StudentFailure) and not isinstance(outcome, RaisedError):
                raise outcome
            errors.append(outcome.raised if isinstance(outcome, RaisedError) else None)
        return errors

    def on_each(self, cases: Sequence[Given]) -> list[Any | StudentFailure]:
        """Call it on several inputs, one after the other in one exchange with the worker.

        Returns:
            For each the plain value, or the failure of a call that gave none.

        Raises:
            StudentFailure: The worker did not finish them: one of the calls hung or ended its process.
        """
        outcomes = self.observe_all([(case, {}) for case in cases])
        return [seen.value if isinstance(seen, Observation) else seen for seen in outcomes]

    def answers(self, cases: Sequence[Given]) -> list[Any]:
        """Return the plain values of several calls, made in one exchange; raises the failure of the first without."""
        answers = self.on_each(cases)
        for case, answer in zip(cases, answers, strict=True):
            if isinstance(answer, StudentFailure):
                self.note_call(case)
                raise answer
        return answers

    def observe_all(self, calls: Sequence[tuple[Given, Mapping[str, Any]]]) -> list[Observation | StudentFailure]:
        """Do the same with options of `observe` for each call, and return all that can be seen of each."""
        self._session.attempt.called = None
        return self._session.request_each(self._asked(calls), self.name)

    def ask_until_end(self, asked: Asked[T], times: int = 1) -> tuple[list[T | StudentFailure], StudentFailure | None]:
        """Make several requests in one exchange, such as those that `to_call` returns, whose outcomes many checks read.

        Args:
            times: How many times `SHARED_TIMES` as long as a check they may take together.

        Returns:
            What came of each, as far as the worker came; and the failure of the next call, if that ended the worker.
        """
        self._session.attempt.called = None
        return self._session.request_until_end(asked, self.name, shared=times)

    def to_call(self, given: Given, **options: Any) -> tuple[Make, Read[Observation]]:
        """Return how to make a call and read its reply, with the options of `observe`.

        Args:
            **options: Further, `mode` (`train` or `eval`): what a module is switched to before; `loads`: what is copied
                into it before, by name; `state_of`, `turned_to` and `moved_to`, as a `Call` has them; and `fills`:
                whether memory that nobody has written to holds NaN, so that what is read of it shows.
        """
        return self._asked([(given, options)])[0]

    def _asked(self, calls: Sequence[tuple[Given, Mapping[str, Any]]]) -> list[tuple[Make, Read[Observation]]]:
        """Return how to make these calls and read their replies; all are worked out before the first is made."""
        requests = [self._call_request(given.args, given.kwargs, **options) for given, options in calls]
        return [self._kept(request) for request in requests]

    def note_call(self, given: Given) -> None:
        """Let a report of the running check show this call, of several that were made together."""
        self._session.attempt.called = self._call_to_show(given)

    def _observe(self, args: tuple[Any, ...], kwargs: Mapping[str, Any], **options: Any) -> Observation:
        request = self._call_request(args, kwargs, **options)
        self.note_call(request.given)
        return self._session.request(*self._kept(request), self.name)

    def _kept(self, request: CallRequest) -> tuple[Make, Read[Observation]]:
        """Return how to make a call and read its reply, kept with the check where it keeps what it asks."""
        return kept(self._session.attempt, KeptCall(self.name, request.given), request.make, request.read)

    def _call_request(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any],
        cotangent: torch.Tensor | Sequence[torch.Tensor] = (),
        before: Sequence[Any] | None = None, loads: Mapping[str, torch.Tensor] | None = None, **options: Any,
    ) -> CallRequest:  # fmt: skip
        given = Given(args, kwargs)

        def handle(number: int, class_name: str) -> Callee:
            return self._new_handle(number, class_name, given)

        if before is not None:
            require_same_layout(self.name, args, before)
        weighers = [cotangent] if isinstance(cotangent, torch.Tensor) else cotangent
        return CallRequest(
            self._session, self.name, self._target, given, handle, weighers, before or (), loads or {}, options
        )
