"""What a suite's `student` is when the student's code runs right here: the same calls, without a process between.

Functions and modules take what the kit's take, since they are of the kit's classes. Tensors are copied on their way in
and out, as they are by any way into another process, so that nobody changes what the other side holds. Nothing else is
done that a check did not ask for.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch import nn

from grader.inside.forbidden.blocking import Blocked
from grader.inside.forbidden.operation_count import OperationCounter
from grader.inside.pretended.device import entered, set_up
from grader.inside.protocol import untampered
from grader.inside.protocol.values import DTYPES
from grader.inside.worker import modules
from grader.inside.worker.operations import call_with_earlier_values
from grader.inside.worker.pack_results import Refused, in_memory
from grader.inside.worker.reset_state import seed_torch
from grader.workers.calls.observation import Observation, Raised, TensorFacts
from grader.workers.calls.replies import RaisedError, forbidden_call
from grader.workers.calls.requests import Given
from grader.workers.calls.student import Foreign, HistoryStep, ModuleHandle, StudentFunction
from grader.workers.process.failures import StudentFailure

PLAIN = (bool, int, float, str, type(None))
set_up()  # before the first gradient of this process


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

    def torch_nn(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Build one of torch's own layers, to hand it to student code."""
        return LocalFunction(f"torch.nn.{name}", getattr(nn, name))(*args, **kwargs)


class Local:
    """What functions and modules have in common here: how they are called.

    Attributes:
        name: What is called, for sentences.
        target: The function or module; None where there is none.
    """

    name: str
    target: Callable[..., Any] | None

    def observe_each(self, cases: Sequence[Given], **options: Any) -> list[Observation | StudentFailure]:
        """Call it on several inputs, one after the other; a call that raises leaves its failure in place of a value."""
        found: list[Observation | StudentFailure] = []
        for case in cases:
            try:
                found.append(self._observe(case.args, case.kwargs, **options))
            except StudentFailure as failure:
                found.append(failure)
        return found

    def _observe(
        self,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        cotangent: torch.Tensor | None = None,
        output: int = 0,
        before: Sequence[Any] | None = None,
        echo: bool = False,
        trace: bool = False,
        forbids: Sequence[str] = (),
        seed: int | None = None,
        no_grad: bool = False,
        device: str = "",
    ) -> Observation:
        follow = cotangent is not None
        there, place = (entered, device) if device else (contextlib.nullcontext, "cpu")
        with there():
            given = [sent(arg, follow, place) for arg in args]
            words = {name: sent(value, follow, place) for name, value in kwargs.items()}
        counted = OperationCounter() if trace else None
        blocked = Blocked(forbids) if forbids else None
        gradients: dict[int, torch.Tensor] = {}
        with torch.enable_grad(), untampered.saved_copies() if follow else contextlib.nullcontext():
            left = call_with_earlier_values([sent(each) for each in before or ()], self._call, given, words, echo)
            if seed is not None:
                seed_torch(seed)
            unfollowed = torch.no_grad() if no_grad else contextlib.nullcontext()
            with blocked or contextlib.nullcontext(), counted or contextlib.nullcontext(), unfollowed, there():
                value = self._call(*given, **words)
            if blocked is not None and blocked.calls_seen:
                raise forbidden_call(self.name, blocked.calls_seen[0][0])
            parameters = self._parameters(given) if follow else {}
            if cotangent is not None:
                leaves = [*given, *words.values(), *parameters.values()]
                with there():
                    gradients = self._gradients(chosen(value, output), cotangent.to(place), leaves)
        outputs = value if isinstance(value, tuple | list) else [value]
        return Observation(
            value=self._received(value, (args, dict(kwargs))),
            input_gradients=[gradients.get(id(arg)) for arg in given] if follow else [],
            keyword_gradients={name: gradients.get(id(arg)) for name, arg in words.items()} if follow else {},
            parameter_gradients={name: gradients.get(id(each)) for name, each in parameters.items()},
            inputs_after=[self._received(arg) for arg in given] if echo else [],
            keywords_after={name: self._received(arg) for name, arg in words.items()} if echo else {},
            before_after=[self._received(each) for each in left],
            followed_after=followed(given, words) if echo else frozenset(),
            operations={} if counted is None else dict(counted.counts),
            facts=[facts_of(each, given) for each in outputs],
        )

    def _call(self, *args: Any, **kwargs: Any) -> Any:
        if not callable(self.target):
            raise StudentFailure("missing", f"{self.name} is not defined.", name=self.name)
        try:
            return self.target(*args, **kwargs)
        except NotImplementedError as error:
            raise StudentFailure("missing", f"{self.name} is not written yet.", name=self.name) from error
        except Exception as error:
            raise raised(self.name, error) from error

    def _parameters(self, args: Sequence[Any]) -> dict[str, nn.Parameter]:
        """Return the parameters of the called module by name, and of those that are arguments behind their place."""
        owners = {"": self.target, **{f"{place}.": arg for place, arg in enumerate(args)}}
        return {
            before + name: parameter
            for before, owner in owners.items() if isinstance(owner, nn.Module)
            for name, parameter in untampered.named_parameters(owner).items()
        }  # fmt: skip

    def _gradients(self, result: Any, cotangent: torch.Tensor, values: Sequence[Any]) -> dict[int, torch.Tensor]:
        if not isinstance(result, torch.Tensor) or result.shape != cotangent.shape:
            raise StudentFailure("failed", f"{self.name} gave nothing that a gradient can be taken of.", name=self.name)
        leaves = [leaf for leaf in values if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
        if not result.requires_grad or not leaves:
            return {}
        try:
            found = torch.autograd.grad((result * cotangent).sum(), leaves, allow_unused=True)
        except Exception as error:
            raise raised(self.name, error) from error
        return {id(leaf): each.detach().cpu() for leaf, each in zip(leaves, found, strict=True) if each is not None}

    def _received(self, value: Any, built_with: tuple[Any, dict[str, Any]] = ((), {})) -> Any:
        """Return what a suite gets to see of a value."""
        if isinstance(value, torch.Tensor):
            return value.detach().cpu().clone()
        if isinstance(value, PLAIN):
            return value
        if isinstance(value, tuple | list):
            items = [self._received(item, built_with) for item in value]
            return tuple(items) if isinstance(value, tuple) else items
        if isinstance(value, dict):
            return {key: self._received(item, built_with) for key, item in value.items()}
        if isinstance(value, nn.Module):
            return LocalModule(self.name, value, built_with)
        return Foreign(type(value).__name__)


class LocalFunction(Local, StudentFunction):
    """A function or class of the student's, by name."""

    def __init__(self, name: str, target: Callable[..., Any] | None) -> None:
        self.name, self.target = name, target


class LocalModule(Local, ModuleHandle):
    """An nn.Module that stays behind what a suite may do with it."""

    def __init__(self, name: str, target: nn.Module, built_with: tuple[Any, dict[str, Any]]) -> None:
        self.name, self.target, self.built_with = name, target, built_with
        self.class_name = type(target).__name__
        self.unset: list[str] | None = None

    @property
    def worker(self) -> Any:
        """There is one process for all, so nothing tells one worker from another."""
        return None

    def wait(self) -> None:
        """Nobody else asks meanwhile."""

    def load(self, values: Mapping[str, torch.Tensor]) -> None:
        """Copy values into parameters and buffers by name."""
        self._request("load", values)

    def call_each(self, steps: Sequence[tuple[Mapping[str, torch.Tensor], Given]]) -> list[Any]:
        """Load values and call the module, once for each of several steps."""
        found = []
        for values, given in steps:
            if values:
                self.load(values)
            found.append(self(*given.args, **given.kwargs))
        return found

    def history(
        self, steps: Sequence[HistoryStep], keeps: bool = False
    ) -> Iterator[tuple[Any, dict[str, torch.Tensor]]]:
        """Call the module step by step, each in its mode."""
        for mode, x in steps:
            self._request(mode)
            value = self(x)
            yield value, self.kept() if keeps else {}

    def _request(self, action: str, values: Mapping[str, torch.Tensor] | None = None, **where: Any) -> tuple[Any, Any]:
        try:
            return self._perform(action, {name: sent(value) for name, value in (values or {}).items()}, **where)
        except Refused as refused:
            raise StudentFailure("failed", str(refused), name=self.name) from refused
        except Exception as error:
            raise raised(f"{self.name}.{action}", error) from error

    def _perform(self, action: str, values: dict[str, torch.Tensor], **where: Any) -> tuple[Any, Any]:
        module, names, result = self.target, {}, None
        match action:
            case "parameters":
                result = untampered.named_parameters(module)
            case "buffers":
                result = untampered.named_buffers(module)
            case "state_dict":
                result = dict(module.state_dict())
            case "kept":
                result = {**module.state_dict(), **dict(module.named_buffers())}
            case "facts":
                names = modules.placements(module)
            case "load":
                modules.load(module, values)
            case "load_state_dict":
                module.load_state_dict(values)
            case "to":
                dtype = where["dtype"]
                with entered():
                    module.to(device=where["device"], dtype=DTYPES[dtype] if dtype else None)
            case "gradients":
                result = modules.gradients(module, values)
            case "train" | "eval" | "training":
                if action != "training":
                    getattr(module, action)()
                result = module.training
        return self._received(result), SimpleNamespace(names=names)


def sent(value: Any, follow: bool = False, device: str = "cpu") -> Any:
    """Return a value with its tensors copied, so that the student's code owns what it gets; autograd may follow them.

    A module is handed over as it is.
    """
    if isinstance(value, torch.Tensor):
        copy = value.detach().clone(memory_format=torch.contiguous_format).to(device)
        return copy.requires_grad_() if follow and copy.is_floating_point() else copy
    if isinstance(value, LocalModule):
        return value.target
    if isinstance(value, tuple | list):
        return type(value)(sent(item, follow, device) for item in value)
    if isinstance(value, dict):
        return {key: sent(item, follow, device) for key, item in value.items()}
    return value


def raised(name: str, error: Exception) -> RaisedError:
    """Return an exception of the student's code as the failure that a check ends with."""
    kind, *bases = (each.__name__ for each in type(error).__mro__)
    failure = RaisedError("error", f"{name} raised {error!r}.", name=name, exception_type=kind, text=str(error))
    failure.raised = Raised(kind, tuple(bases), str(error), None)
    return failure


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
    tensors = [in_memory(each) for each in inputs if isinstance(each, torch.Tensor) and each.numel()]
    shares = untampered.storage_address(in_memory(value)) in map(untampered.storage_address, tensors)
    return TensorFacts(value.requires_grad, value.is_contiguous(), shares, str(value.device))
