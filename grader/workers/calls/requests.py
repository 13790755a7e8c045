"""Turns one call into a request, and its reply into an `Observation`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from grader.errors import CourseError
from grader.inside.protocol.answers import Answer
from grader.inside.protocol.messages import Call, Message
from grader.inside.protocol.wire import ProtocolViolation
from grader.workers.process.connection import new_nonce
from grader.workers.session import WorkerSession

from .observation import Observation, facts_of
from .replies import returned
from .value_rows import ArgumentPacker, ResultUnpacker


@dataclass(frozen=True)
class Given:
    """The inputs of one call."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


def require_same_layout(name: str, args: Sequence[Any], before: Sequence[Any]) -> None:
    """Require of `before` each tensor's shape and dtype, and the same other arguments."""
    looks = [
        [(tuple(arg.shape), arg.dtype) if isinstance(arg, torch.Tensor) else arg for arg in side]
        for side in (args, before)
    ]
    if looks[0] != looks[1]:
        raise CourseError(
            f"A check of {name} gives `before=` what does not fit its arguments: {looks[1]} for {looks[0]}. Give a "
            "tensor of the same shape and dtype for each tensor, and anything else as it is."
        )


@dataclass(frozen=True)
class CallRequest:
    """One call to make.

    Attributes:
        name: The name of the callee in sentences.
        target: Returns the callee's name or number in the worker.
        handle: Makes the handle of a returned module, from its number and class name.
        cotangents: The weights of what comes back, if gradients are requested.
        before: The values of the arguments' tensors in an extra first call; empty for none.
        loads: What is copied into a module by name.
        options: Further fields of the request.
    """

    session: WorkerSession
    name: str
    target: Callable[[], str | int]
    given: Given
    handle: Callable[[int, str], Any]
    cotangents: Sequence[torch.Tensor]
    before: Sequence[Any]
    loads: Mapping[str, torch.Tensor]
    options: Mapping[str, Any]

    def make(self, number: int) -> tuple[Message, list[bytes]]:
        """Return the request and its tensors."""
        session = self.session
        device = self.options.get("device") or session.device
        packer = ArgumentPacker(session.limits.reply_bytes, device, plainly=bool(self.before))
        rows = [packer.argument(arg) for arg in self.given.args]
        words = {name: packer.argument(value) for name, value in self.given.kwargs.items()}
        weighers = [packer.argument(weights) for weights in self.cotangents]
        before = [packer.argument(arg) for arg in self.before]
        loads = {name: packer.argument(value) for name, value in self.loads.items()}
        options = {"forbids": list(session.forbids), **self.options} if session.forbids else self.options
        call = Call(nonce=new_nonce(), target=self.target(), nodes=packer.nodes, args=rows, kwargs=words,
                    cotangents=weighers, before=before, loads=loads, start=number, **options)  # fmt: skip
        return call, packer.pieces

    def read(self, answer: Answer, payload: bytes) -> Observation:
        """Return what came of the call; a StudentFailure says why it gave no value."""
        reply = returned(answer, self.name, self.session)
        roots = [reply.value, *reply.inputs_after, *reply.kwargs_after.values()]
        gradients = (reply.gradients, reply.keyword_gradients.values(), reply.parameter_gradients.values())
        roots += [row for rows in gradients for row in rows if row is not None]
        values = ResultUnpacker(reply.nodes, payload, roots, self.handle).values
        aligned = (reply.gradients, reply.inputs_after)
        if any(rows and len(rows) != len(self.given.args) for rows in aligned):
            raise ProtocolViolation("Gradients or inputs came back that do not match the arguments.")

        after: list[tuple[int | str, int]] = [*enumerate(reply.inputs_after), *reply.kwargs_after.items()]
        followed = [place for place, row in after if any(seen.requires_grad for seen in facts_of(reply.nodes, row))]

        def gradient(row: int | None) -> torch.Tensor | None:
            return values[row] if row is not None and isinstance(values[row], torch.Tensor) else None

        return Observation(
            value=values[reply.value],
            input_gradients=[gradient(row) for row in reply.gradients],
            keyword_gradients={name: gradient(row) for name, row in reply.keyword_gradients.items()},
            parameter_gradients={name: gradient(row) for name, row in reply.parameter_gradients.items()},
            inputs_after=[values[row] for row in reply.inputs_after],
            keywords_after={name: values[row] for name, row in reply.kwargs_after.items()},
            followed_after=frozenset(followed),
            operations=dict(reply.operations),
            facts=facts_of(reply.nodes, reply.value),
        )
