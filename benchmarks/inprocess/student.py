"""What a suite's `student` is when the student's code runs right here: the same calls, without a process between.

Tensors are copied on their way in, as they are by any way into another process, so that code which overwrites its
inputs does not change what the check holds them against. Nothing else is done that a check did not ask for.
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import torch

from grader.inside.blocking import Blocked
from grader.inside.facts import saved_copies
from grader.inside.opcount import Operations
from grader.inside.operations import call_before
from grader.workers.asking import Given
from grader.workers.failures import StudentFailure
from grader.workers.observation import Observation, Raised, TensorFacts
from grader.workers.policy import called


class LocalStudent:
    """The student's names, called in this process.

    Args:
        names: The namespace that the student's file left behind.
    """

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names

    def __getattr__(self, name: str) -> "LocalFunction":
        if name.startswith("_"):
            raise AttributeError(name)
        return LocalFunction(name, self._names.get(name))


class LocalFunction:
    """A function of the student's.

    Args:
        name: What it is called.
        function: The function, or None when there is none.
    """

    def __init__(self, name: str, function: Callable[..., Any] | None) -> None:
        self.name = name
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it and return its value."""
        return self._call([copied(arg) for arg in args], {name: copied(value) for name, value in kwargs.items()})

    def on_each(self, cases: Sequence[Given]) -> list[Any]:
        """Call it on several inputs, one after the other; a call that raises leaves its failure in place of a value."""
        return [attempt(self, case) for case in cases]

    def observe_each(self, cases: Sequence[Given], **options: Any) -> list[Any]:
        """Do the same, and return what the check asked to see of each call; the options are those of `observe`."""
        return [attempt(partial(self.observe, **options), case) for case in cases]

    def error(self, *args: Any, **kwargs: Any) -> Raised | None:
        """Call it and return the exception that it raises, None when it raises none."""
        try:
            self(*args, **kwargs)
        except StudentFailure as failure:
            cause = failure.__cause__
            if failure.status != "error" or cause is None:
                raise
            bases = tuple(kind.__name__ for kind in type(cause).__mro__[1:])
            return Raised(type(cause).__name__, bases, str(cause), None)
        return None

    def observe(
        self,
        *args: Any,
        cotangent: torch.Tensor | None = None,
        output: int = 0,
        before: Sequence[Any] | None = None,
        echo: bool = False,
        trace: bool = False,
        forbids: Sequence[str] = (),
        seed: int | None = None,
        **kwargs: Any,
    ) -> Observation:
        """Call it and return what the check asked to see: gradients, inputs afterwards, the record of the call."""
        given = [copied(arg) for arg in args]
        words = {name: copied(value) for name, value in kwargs.items()}
        if cotangent is not None:
            for value in (*given, *words.values()):
                if isinstance(value, torch.Tensor) and value.is_floating_point():
                    value.requires_grad_()
        call = lambda *given, **words: self._call([*given], words)  # noqa: E731 - as `call_before` calls it
        left = call_before([*(before or ())], call, given, words, echo)
        if seed is not None:
            torch.manual_seed(seed)
        counted = Operations() if trace else None
        blocked = Blocked(forbids)
        gradients: dict[int, torch.Tensor | None] = {}
        with contextlib.nullcontext() if cotangent is None else saved_copies():
            with blocked, counted or contextlib.nullcontext():
                value = self._call(given, words)
            if blocked.heard:
                raise StudentFailure("forbidden", called(self.name, blocked.heard[0][0]), name=self.name)
            if cotangent is not None:
                gradients = self._gradients(chosen(value, output), cotangent, [*given, *words.values()])
        return Observation(
            value=value,
            input_gradients=[gradients.get(id(arg)) for arg in given],
            keyword_gradients={name: gradients.get(id(arg)) for name, arg in words.items()},
            inputs_after=given if echo else [],
            keywords_after=words if echo else {},
            before_after=left,
            followed_after=followed(given, words) if echo else frozenset(),
            operations={} if counted is None else dict(counted.counts),
            facts=[facts_of(each, given) for each in (value if isinstance(value, tuple | list) else [value])],
        )

    def _call(self, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if not callable(self._function):
            raise StudentFailure("missing", f"{self.name} is not defined.", name=self.name)
        try:
            return self._function(*args, **kwargs)
        except NotImplementedError as error:
            raise StudentFailure("missing", f"{self.name} is not written yet.", name=self.name) from error
        except Exception as error:
            raise StudentFailure("error", f"{self.name} raised {error!r}.", name=self.name, text=str(error)) from error

    def _gradients(self, result: Any, cotangent: torch.Tensor, leaves: list[Any]) -> dict[int, torch.Tensor | None]:
        asked = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
        if not isinstance(result, torch.Tensor) or result.shape != cotangent.shape:
            raise StudentFailure("failed", f"{self.name} gave nothing that a gradient can be taken of.", name=self.name)
        if not result.requires_grad or not asked:
            return {}
        try:
            found = torch.autograd.grad((result * cotangent).sum(), asked, allow_unused=True)
        except Exception as error:
            raise StudentFailure("error", f"The gradient: {error}", name=self.name, text=str(error)) from error
        return {id(leaf): gradient for leaf, gradient in zip(asked, found, strict=True)}


def copied(value: Any) -> Any:
    """Return a value with its tensors copied, so that the student's code owns what it gets."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, tuple | list):
        return type(value)(copied(item) for item in value)
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return value


def followed(args: list[Any], kwargs: dict[str, Any]) -> frozenset[int | str]:
    """Return where the arguments are that require a gradient."""
    places: list[tuple[int | str, Any]] = [*enumerate(args), *kwargs.items()]
    return frozenset(place for place, arg in places if isinstance(arg, torch.Tensor) and arg.requires_grad)


def chosen(value: Any, number: int) -> Any:
    """Return one output of a result, None where there are not so many."""
    outputs = list(value) if isinstance(value, tuple | list) else [value]
    return outputs[number] if number < len(outputs) else None


def facts_of(value: Any, inputs: list[Any]) -> TensorFacts:
    """Return what a tensor was like when it was returned."""
    if not isinstance(value, torch.Tensor):
        return TensorFacts()
    places = {each.untyped_storage().data_ptr() for each in inputs if isinstance(each, torch.Tensor) and each.numel()}
    shares = value.untyped_storage().data_ptr() in places
    return TensorFacts(value.requires_grad, value.is_contiguous(), shares, str(value.device))


def attempt(call: Callable[..., Any], case: Given) -> Any:
    """Return what a call gives, or its failure."""
    try:
        return call(*case.args, **case.kwargs)
    except StudentFailure as failure:
        return failure
