"""What can be called in a worker: the student's functions and classes, and the modules that they return.

A call that returns an nn.Module gives a handle, which is called in turn; so functions and handles share this file.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import torch

from grader.inside.protocol.answers import Answer, Returned
from grader.inside.protocol.messages import Message, ModuleAction, ModuleRequest
from grader.inside.protocol.values import DTYPE_NAMES
from grader.inside.protocol.wire import ProtocolViolation
from grader.workers.process.call_budget import Make, Read
from grader.workers.process.connection import new_nonce
from grader.workers.process.failures import StudentFailure
from grader.workers.session import Session

from .large_answers import is_tensor
from .observation import Observation, Placement, Raised
from .replies import RaisedError, returned
from .requests import Asking, Given, require_alike
from .value_rows import ArgumentPacker, ResultUnpacker

Step = tuple[Literal["train", "eval"], torch.Tensor]
"""The mode and the input of a call of a module."""


class Callee:
    """Anything in the worker that can be called.

    Args:
        session: The submission.
        name: What it is called in sentences.
    """

    def __init__(self, session: Session, name: str) -> None:
        self._session = session
        self.name = name

    def _target(self) -> str | int:
        raise NotImplementedError

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it and return plain values."""
        return self._observe(args, kwargs).value

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
        """Call it and return what can be seen of the call.

        Args:
            *args: Passed by position.
            cotangent: The shape of output number `output`; gradients of (output * cotangent).sum() are taken.
            output: Which item of a returned tuple that is.
            before: What the arguments' tensors hold at a call that is made first, of which nothing is returned; each
                is of its argument's shape and dtype. The call that is seen gets the very same objects.
            echo: Whether the inputs are sent back after the call.
            trace: Whether torch's operations are counted.
            forbids: Groups of library calls that are taken away for the time of the call.
            seed: Passed to torch.manual_seed before the call.
            **kwargs: Passed by keyword.

        Raises:
            StudentFailure: It gave no value, or none that such a gradient can be taken of, or it called what is
                forbidden (status `forbidden`).
            CourseError: What `before` holds does not fit the arguments.
        """
        options = {"output": output, "before": before, "echo": echo, "trace": trace, "seed": seed}
        options |= {"forbids": list(forbids)} if forbids else {}
        return self._observe(args, kwargs, cotangent, **options)

    def error(self, *args: Any, **kwargs: Any) -> Raised | None:
        """Call it and return the exception that it raises, None when it raises none.

        Raises:
            StudentFailure: It is missing or not written, or ended in another way than by an exception.
        """
        try:
            self._observe(args, kwargs)
        except RaisedError as error:
            return error.raised
        return None

    def seeded(self, seed: int, *args: Any, **kwargs: Any) -> Any:
        """Call it after torch.manual_seed(seed)."""
        return self._observe(args, kwargs, seed=seed).value

    def on_each(self, cases: Sequence[Given]) -> list[Any | StudentFailure]:
        """Call it on several inputs, one after the other in one exchange with the worker.

        Returns:
            For each the plain value, or the failure of a call that gave none.

        Raises:
            StudentFailure: The worker did not come to the end of them: one of the calls hung or ended its process.
        """
        return [seen.value if isinstance(seen, Observation) else seen for seen in self.observe_each(cases)]

    def observe_each(self, cases: Sequence[Given], **options: Any) -> list[Observation | StudentFailure]:
        """Do the same, and return all that can be seen of each call; the options are those of `observe`."""
        asked = [self._asking(case.args, case.kwargs, **options) for case in cases]
        self._session.attempt.called = None
        return self._session.request_each([(each.make, each.read) for each in asked], self.name)

    def _observe(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], cotangent: torch.Tensor | None = None, **options: Any
    ) -> Observation:
        asked = self._asking(args, kwargs, cotangent, **options)
        self._session.attempt.called = (self.name, asked.given) if isinstance(self, StudentFunction) else None
        return self._session.request(asked.make, asked.read, self.name)

    def _asking(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], cotangent: torch.Tensor | None = None,
        before: Sequence[Any] | None = None, **options: Any,
    ) -> Asking:  # fmt: skip
        def handle(number: int, class_name: str) -> ModuleHandle:
            return ModuleHandle(self._session, number, class_name, self.name, (args, dict(kwargs)))

        if before is not None:
            require_alike(self.name, args, before)
        given, before = Given(args, kwargs), before or ()
        return Asking(self._session, self.name, self._target, given, module_number, handle, cotangent, before, options)


class StudentFunction(Callee):
    """A function or class of the student's, by name."""

    def _target(self) -> str:
        return self.name


class ModuleHandle(Callee):
    """An nn.Module that stays in the worker.

    Attributes:
        class_name: The name of its class.
        built_with: The arguments and keywords of the call that returned it.
        unset: The parameters that no value was loaded for; None where nothing was loaded.
    """

    def __init__(
        self,
        session: Session,
        number: int,
        class_name: str,
        name: str,
        built_with: tuple[tuple[Any, ...], dict[str, Any]],
    ) -> None:
        super().__init__(session, name)
        self.class_name = class_name
        self.built_with = built_with
        self.unset: list[str] | None = None
        self._number = number
        self._generation = session.generation

    def __repr__(self) -> str:
        return f"<{self.class_name} in the student's process>"

    def _target(self) -> int:
        if self._generation != self._session.generation:
            raise StudentFailure(
                "crash",
                f"The process that held this {self.class_name} has ended, so it cannot be used.",
                name=self.name,
            )
        return self._number

    @property
    def worker(self) -> tuple[Session, int]:
        """What tells the worker in which it stays from every other one."""
        return self._session, self._generation

    def wait(self) -> None:
        """Let the other checks that ask together go on until their next questions."""
        self._session.request_each([], self.name)

    def parameters(self) -> dict[str, torch.Tensor]:
        """Return the parameters by name."""
        return self._tensors("parameters")

    def buffers(self) -> dict[str, torch.Tensor]:
        """Return the buffers by name."""
        return self._tensors("buffers")

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return the module's state dictionary."""
        return self._tensors("state_dict")

    def kept(self) -> dict[str, torch.Tensor]:
        """Return all that the module keeps: its state dictionary, and buffers that stand in none."""
        return self._tensors("kept")

    def load(self, values: Mapping[str, torch.Tensor]) -> None:
        """Copy values into parameters and buffers by name.

        Raises:
            StudentFailure: A name is not there or has another shape (status `failed`); nothing was copied then.
        """
        unset = self._do("load", values)[1].names.get("unset", [])
        self.unset = unset if self.unset is None else [name for name in unset if name in self.unset]
        self._session.attempt.unset = self.unset

    def load_state_dict(self, values: Mapping[str, torch.Tensor]) -> None:
        """Call the module's own load_state_dict."""
        self._do("load_state_dict", values)

    def train(self) -> bool:
        """Switch to training mode; returns the module's `training` afterwards."""
        return self._do("train")[0] is True

    def eval(self) -> bool:
        """Switch to evaluation mode; returns the module's `training` afterwards."""
        return self._do("eval")[0] is True

    def is_training(self) -> bool:
        """Return the module's `training`."""
        return self._do("training")[0] is True

    def to(self, *, dtype: torch.dtype | None = None, device: str | None = None) -> "ModuleHandle":
        """Move or convert the module; returns this handle."""
        self._do("to", dtype=None if dtype is None else DTYPE_NAMES[dtype], device=device)
        return self

    def facts(self) -> dict[str, Placement]:
        """Return what each parameter and buffer is like, also where it holds no numbers (device `meta`)."""
        found: dict[str, Placement] = {}
        for name, words in self._do("facts")[1].names.items():
            if len(words) < 4 or not all(word.isascii() and word.isdigit() and len(word) < 20 for word in words[3:]):
                raise StudentFailure(
                    "forbidden", "The facts about the module are not what was asked for.", name=self.name
                )
            found[name] = Placement(words[0], words[1], words[2], tuple(map(int, words[4:])), words[3] == "1")
        return found

    def submodules(self) -> dict[str, str]:
        """Return the class name of each submodule by its dotted name; the module itself is ''."""
        return {name: lineage[0] for name, lineage in self.lineages().items()}

    def lineages(self) -> dict[str, tuple[str, ...]]:
        """Return for each submodule its class name followed by those of all its bases."""
        names = self._do("submodules")[1].names
        return {name: tuple(lineage) for name, lineage in names.items() if lineage}

    def call_with_each(self, settings: Sequence[Mapping[str, torch.Tensor]], *args: Any) -> list[Any]:
        """Load values as `load` does and call the module, once for each of several settings, in one exchange.

        Args:
            settings: Values by name, for each call.
            *args: Passed by position in every call.

        Returns:
            The plain value of each call.

        Raises:
            StudentFailure: One of the calls gave no value.
        """
        return self.call_each([(values, Given(args, {})) for values in settings])

    def call_each(self, steps: Sequence[tuple[Mapping[str, torch.Tensor], Given]]) -> list[Any]:
        """Do the same, with inputs of its own in each call; where there are no values, nothing is loaded before it."""
        asked: list[tuple[Make, Read[Any]]] = []
        for values, given in steps:
            asked += [self._doing("load", values)] if values else []
            asked += [self._calling(*given.args, **given.kwargs)]
        return [seen.value for seen in self._each(asked) if isinstance(seen, Observation)]

    def history(self, steps: Sequence[Step], keeps: bool = False) -> Iterator[tuple[Any, dict[str, torch.Tensor]]]:
        """Call the module step by step, all in one exchange.

        Args:
            steps: The mode and the input of each call. The mode is set where it changes; a new module is in training.
            keeps: Whether to tell what the module keeps after each call.

        Yields:
            The plain value of each call, and what the module keeps then.

        Raises:
            StudentFailure: The next call gave no value.
        """
        asked: list[tuple[Make, Read[Any]]] = []
        for (before, _), (mode, x) in pairwise([("train", None), *steps]):
            asked += [] if mode == before else [self._doing(mode)]
            asked += [self._calling(x), *([self._doing("kept")] if keeps else [])]
        outcomes = self._each(asked)
        for outcome in outcomes:
            if isinstance(outcome, Observation):
                yield outcome.value, self._only_tensors("kept", next(outcomes)[0]) if keeps else {}

    def _each(self, asked: Sequence[tuple[Make, Read[Any]]]) -> Iterator[Any]:
        """Make several requests in one exchange; yields what came of each, and raises where nothing did."""
        for outcome in self._session.request_each(asked, self.name):
            if isinstance(outcome, StudentFailure):
                raise outcome
            yield outcome

    def _calling(self, *args: Any, **kwargs: Any) -> tuple[Make, Read[Observation]]:
        call = self._asking(args, kwargs)
        return call.make, call.read

    def _tensors(self, action: ModuleAction) -> dict[str, torch.Tensor]:
        return self._only_tensors(action, self._do(action)[0])

    def _only_tensors(self, action: ModuleAction, value: Any) -> dict[str, torch.Tensor]:
        if type(value) is not dict or not all(map(is_tensor, value.values())):
            raise StudentFailure(
                "failed", f"The {action} of {self.class_name} are not all plain tensors.", name=self.name
            )
        return value

    def _do(
        self, action: ModuleAction, values: Mapping[str, torch.Tensor] | None = None, **where: Any
    ) -> tuple[Any, Returned]:
        return self._session.request(*self._doing(action, values, **where), f"{self.name}.{action}")

    def _doing(
        self, action: ModuleAction, values: Mapping[str, torch.Tensor] | None = None, **where: Any
    ) -> tuple[Make, Read[tuple[Any, Returned]]]:
        session = self._session

        def make(number: int) -> tuple[Message, list[bytes]]:
            packer = ArgumentPacker(session.limits.reply_bytes, session.device, module_number)
            rows = {name: packer.argument(value) for name, value in (values or {}).items()}
            request = ModuleRequest(nonce=new_nonce(), handle=self._target(), action=action, nodes=packer.nodes,
                                    values=rows, start=number, **where)  # fmt: skip
            return request, packer.pieces

        def read(answer: Answer, payload: bytes) -> tuple[Any, Returned]:
            reply = returned(answer, f"{self.name}.{action}", session)

            def no_handle(number: int, class_name: str) -> Any:
                raise ProtocolViolation("A module came where tensors were asked for.")

            return ResultUnpacker(reply.nodes, payload, [reply.value], no_handle).values[reply.value], reply

        return make, read


def module_number(value: Any) -> tuple[int, str] | None:
    """Return the number and class of a module that stays in the worker, None for any other value."""
    return (value._target(), value.class_name) if isinstance(value, ModuleHandle) else None
