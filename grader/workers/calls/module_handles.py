"""Modules of the student's that stay in the worker: calls them, and reads and loads their tensors."""

from collections.abc import Mapping
from typing import Any

import torch

from grader.inside.protocol.answers import Answer, Returned
from grader.inside.protocol.messages import Message, ModuleAction, ModuleRequest
from grader.inside.protocol.values import DTYPE_NAMES
from grader.inside.protocol.wire import ProtocolViolation
from grader.words import Words
from grader.workers.process.check_attempt import Make, Read
from grader.workers.process.connection import new_nonce
from grader.workers.process.failures import StudentFailure
from grader.workers.session import WorkerSession

from .callees import Callee
from .kept_calls import KeptCall, kept
from .observation import Placement
from .replies import returned
from .requests import Given
from .value_rows import ArgumentPacker, ResultUnpacker, WorkerModule


class ModuleHandle(Callee, WorkerModule):
    """An nn.Module in the worker.

    Attributes:
        built_with: The arguments and keywords of the call that returned it.
        has_all_loaded: Whether its parameters are those whose values were loaded when it was built, and no others.
    """

    def __init__(self, session: WorkerSession, number: int, class_name: str, name: str, given: Given) -> None:
        super().__init__(session, name)
        self.class_name = class_name
        self.built_with = given.args, dict(given.kwargs)
        self.has_all_loaded = False
        self._number = number
        self._generation = session.generation

    def __repr__(self) -> str:
        return f"<{self.class_name} in the student's process>"

    def _target(self) -> int:
        if self._generation != self._session.generation:
            raise StudentFailure(
                "crash",
                Words("The process that held this {name} has ended, so it cannot be used.", name=self.class_name),
                name=self.name,
            )
        return self._number

    def _new_handle(self, number: int, class_name: str, given: Given) -> "ModuleHandle":
        return ModuleHandle(self._session, number, class_name, self.name, given)

    def module_number(self) -> tuple[int, str]:
        """Return its number and class."""
        return self._target(), self.class_name

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
        """Return all that the module keeps: its state dictionary, and the buffers that are not in it."""
        return self._tensors("kept")

    def load(self, values: Mapping[str, torch.Tensor]) -> None:
        """Copy values into parameters and buffers by name, before the next request.

        That one fails (status `failed`) where a name is not there or has another shape; nothing was copied then.
        """
        self.tell("load", values)

    def load_state_dict(self, values: Mapping[str, torch.Tensor]) -> None:
        """Call the module's own load_state_dict."""
        self._request("load_state_dict", values)

    def train(self) -> None:
        """Switch to training mode before the next request."""
        self.tell("train")

    def eval(self) -> None:
        """Switch to evaluation mode before the next request."""
        self.tell("eval")

    def to(self, *, dtype: torch.dtype | None = None, device: str | None = None) -> "ModuleHandle":
        """Move or convert the module before the next request; returns this handle."""
        self.tell("to", dtype=None if dtype is None else DTYPE_NAMES[dtype], device=device)
        return self

    def tell(self, action: ModuleAction, values: Mapping[str, torch.Tensor] | None = None, **where: Any) -> None:
        """Have something done before the next request, which fails where it cannot be done."""
        attempt = self._session.attempt
        make, read = self.to_ask(action, values, told=True, **where)

        def note(answer: Answer, payload: bytes) -> None:
            try:
                read(answer, payload)
            except StudentFailure:
                attempt.called = self.name, Given(*self.built_with)
                raise

        self._session.tell(make, note, f"{self.name}.{action}")

    def facts(self) -> dict[str, Placement]:
        """Return kind, dtype, device and shape of each parameter and buffer, even on the device `meta`."""
        placements: dict[str, Placement] = {}
        for name, words in self._request("facts")[1].names.items():
            if len(words) < 4 or not all(word.isascii() and word.isdigit() and len(word) < 20 for word in words[3:]):
                raise StudentFailure(
                    "forbidden", "The facts about the module are not what was asked for.", name=self.name
                )
            placements[name] = Placement(words[0], words[1], words[2], tuple(map(int, words[4:])), words[3] == "1")
        return placements

    def in_both_modes(self, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        """Call the module in evaluation and then in training; return the plain values in training and in evaluation."""
        asked = [self.to_call(Given(args, kwargs), mode=mode) for mode in ("eval", "train")]
        values = []
        for outcome in self._session.request_each(asked, self.name):
            if isinstance(outcome, StudentFailure):
                raise outcome
            values.append(outcome.value)
        still, trained = values
        return trained, still

    def _tensors(self, action: ModuleAction) -> dict[str, torch.Tensor]:
        value = self._request(action)[0]
        if type(value) is not dict or not all(isinstance(tensor, torch.Tensor) for tensor in value.values()):
            raise StudentFailure(
                "failed", f"The {action} of {self.class_name} are not all plain tensors.", name=self.name
            )
        return value

    def _request(
        self, action: ModuleAction, values: Mapping[str, torch.Tensor] | None = None, **where: Any
    ) -> tuple[Any, Returned]:
        return self._session.request(*self.to_ask(action, values, **where), f"{self.name}.{action}")

    def to_ask(
        self, action: ModuleAction, values: Mapping[str, torch.Tensor] | None = None, *, told: bool = False,
        **where: Any,
    ) -> tuple[Make, Read[tuple[Any, Returned]]]:  # fmt: skip
        """Return how to make a request about this module and read its reply: its value, and the reply itself."""
        session = self._session

        def make(number: int) -> tuple[Message, list[bytes]]:
            packer = ArgumentPacker(session.limits.reply_bytes, session.device)
            rows = {name: packer.argument(value) for name, value in (values or {}).items()}
            request = ModuleRequest(nonce=new_nonce(), handle=self._target(), action=action, nodes=packer.nodes,
                                    values=rows, start=number, told=told, **where)  # fmt: skip
            return request, packer.pieces

        def read(answer: Answer, payload: bytes) -> tuple[Any, Returned]:
            reply = returned(answer, f"{self.name}.{action}", session)

            def no_handle(number: int, class_name: str) -> Any:
                raise ProtocolViolation("A module came where tensors were asked for.")

            return ResultUnpacker(reply.nodes, payload, [reply.value], no_handle).values[reply.value], reply

        given = Given((), {**(values or {}), **where})
        return kept(session.attempt, KeptCall(f"{self.name}.{action}", given), make, read)
