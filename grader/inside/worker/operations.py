"""Calls something in the student's module and packs what came of it: value, gradients, inputs afterwards, counts."""

import contextlib
import difflib
import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from ..forbidden.blocking import Blocked
from ..forbidden.operation_count import OperationCounter
from ..pretended.device import entered
from ..pretended.origins import Origins, require_one_device, require_there
from ..protocol import untampered
from ..protocol.answers import RaisedReply, Returned
from ..protocol.exceptions import GradientFailed, Place, clean, type_name
from ..protocol.messages import Call
from ..protocol.rows import LONGEST_NAME, PRETENDED
from ..protocol.torch_internals import set_deterministic
from ..source.module_loading import StudentModule
from .module_values import load, state_of
from .modules import move
from .pack_results import Handles, Refused, ResultPacker, full_name
from .reset_state import seed_torch
from .unpack_arguments import ArgumentUnpacker

LIBRARY = "torch.nn."
_grad = torch.autograd.grad
_OF_MODULE = {name: getattr(nn.Module, name) for name in ("__init__", "forward", "__call__")}
_inference_mode, _inference_is_on = torch.inference_mode, torch.is_inference_mode_enabled


def resolve(target: str | int, student: StudentModule, handles: Handles) -> Any:
    """Return what a call means: a module by number, a layer of torch by dotted name, or a name of the student's."""
    if isinstance(target, int):
        return handles.find(target)
    if target.startswith(LIBRARY):
        callee: Any = getattr(nn, target.removeprefix(LIBRARY), None)
    elif target not in vars(student.module):
        raise LookupError(f"{target} is not defined")
    else:
        callee = vars(student.module)[target]
    if not callable(callee):
        raise LookupError(f"{target} is {describe_type(callee)}, which cannot be called")
    return callee


def require_methods(target: Any, error: BaseException) -> None:
    """Say of a call that failed for want of a method that it is not there, or one of a similar name: `foward`.

    Args:
        target: What was called: a module, which needs `forward`, or a class of modules, which needs `__init__`.
        error: What the call raised.

    Raises:
        Refused: That was so; the sentence names the method that comes closest, if there is one.
    """
    kind = target if isinstance(target, type) else type(target)
    wanting = TypeError if kind is target else NotImplementedError  # what nn.Module raises in their place
    if not issubclass(kind, nn.Module) or kind.__module__.startswith("torch.") or type(error) is not wanting:
        return
    name = "__init__" if kind is target else "forward"
    called = ("__init__",) if kind is target else ("forward", "__call__")
    if any(getattr(kind, method, None) is not _OF_MODULE[method] for method in called):
        return
    if kind is not target and untampered.has_own(target, name):
        return
    methods = [key for base in type.mro(kind) if base not in type.mro(nn.Module) for key in vars(base)
               if callable(vars(base)[key])]  # fmt: skip
    folded = {str(key).casefold(): str(key) for key in methods if key not in (*vars(nn.Module), *vars(object))}
    near = difflib.get_close_matches(name, folded, n=1)
    if near:
        raise Refused("misspelt_method", type_name(kind), name, folded[near[0]])
    if methods and kind is not target:
        raise Refused("no_forward", type_name(kind))


def describe_type(value: Any) -> str:
    """Return what a value is, with an article."""
    return "None" if value is None else f"a value of type {full_name(type(value))}"


def perform(
    request: Call, payload: bytes, student: StudentModule, handles: Handles, limit: int, device: str, blocked: Blocked
) -> tuple[Returned | RaisedReply, list[bytes]]:
    """Make one call; `limit` is how many bytes of tensors the reply may carry, and `blocked` is entered."""
    roots = [*request.args, *request.kwargs.values(), *request.cotangents, *request.before, *request.loads.values()]
    given = ArgumentUnpacker(request.nodes, payload, roots, handles)
    args = [given.values[row] for row in request.args]
    kwargs = {name: given.values[row] for name, row in request.kwargs.items()}
    cotangents = [given.values[row] for row in request.cotangents]
    loads = {name: given.values[row] for name, row in request.loads.items()}
    weighs = {id(cotangent) for cotangent in cotangents}
    for tensor in given.tensors if cotangents else ():
        if id(tensor) not in weighs and untampered.is_floating_point(tensor):
            untampered.follow(tensor)
    owners = given.owners()
    try:
        target = resolve(request.target, student, handles)
    except LookupError as error:
        return RaisedReply(nonce=request.nonce, kind="missing", text=str(error)), []
    counted = OperationCounter() if request.trace else None
    pretended = PRETENDED in (device, request.device)
    origins = Origins(student.files, target, vars(student.module)) if pretended or request.device else None
    packer = ResultPacker(limit, handles, owners)
    with untampered.saved_copies() if cotangents else contextlib.nullcontext(), contextlib.ExitStack() as in_the_end:
        if not request.made:
            prepare(target, request, loads, handles)
        if request.mode:
            getattr(target, request.mode)()
        if request.fills and device in ("cpu", PRETENDED):
            set_deterministic(True, warn_only=True)  # until the next call, before which all switches are put back
        earlier = [given.values[row] for row in request.before]
        in_the_end.callback(put_back, call_with_earlier_values(earlier, target, args, kwargs))
        if request.seed is not None:
            seed_torch(request.seed, device)
        try:
            unfollowed = untampered.no_grad() if request.no_grad else contextlib.nullcontext()
            with (
                counted or contextlib.nullcontext(),
                inference_off(),
                unfollowed,
                computing_elsewhere(origins, pretended),
            ):
                value = target(*args, **kwargs)
            if origins is not None and request.device:
                require_there(value, origins)
            reply = Returned(nonce=request.nonce, nodes=packer.nodes, value=packer.add_result(value))
            if request.made:
                handles.enter(request.made, value)
        except BaseException as error:
            if not blocked.calls_seen:
                require_methods(target, error)
                if origins is not None:
                    require_one_device(error, origins)
                raise
        if request.made in handles.modules:
            reply.names |= prepare(handles.find(request.made), request, loads, handles)
        if cotangents:
            with computing_elsewhere(None, pretended):  # a backward, too, may make tensors on a device
                add_gradients(reply, packer, value, cotangents, args, kwargs, target)
    if request.echo:
        packer.inputs = {}
        after = [state_of(arg) if issubclass(type(arg), nn.Module) else arg for arg in args]
        reply.inputs_after = [packer.add_result(arg) for arg in after]
        reply.kwargs_after = {name: packer.add_result(arg) for name, arg in kwargs.items()}
    if counted is not None:
        reply.operations = dict(counted.counts)
    return reply, packer.pieces


def prepare(module: nn.Module, request: Call, loads: dict[str, torch.Tensor], handles: Handles) -> dict[str, list[str]]:
    """Load into a module what a call asks for and bring it where it should be; returns the names that `load` does."""
    names = load(module, loads) if loads or request.made else {}
    if request.state_of:
        untampered.load_state_dict(module, untampered.state_dict(handles.find(request.state_of)))
    if request.turned_to or request.moved_to:
        move(module, request.turned_to, request.moved_to or None)
    return names


def forbidden_reply(request: Call, blocked: Blocked) -> RaisedReply:
    """Return the answer for a call that ran what is forbidden."""
    name, place = blocked.calls_seen[0] if blocked.calls_seen else ("", Place())
    return RaisedReply(nonce=request.nonce, kind="called", text=clean(name, LONGEST_NAME), **place._asdict())


def call_with_earlier_values(held: list[Any], target: Any, args: list[Any], kwargs: dict[str, Any]) -> list[Any]:
    """Call something while its arguments' tensors hold other numbers, which they don't when it is called again.

    What it gives is overwritten, as its caller may do: an answer that keeps it gives the wrong numbers then.

    Args:
        held: What each argument's tensor holds, anything else than a tensor stays what it is; empty for no such call.

    Returns:
        Each tensor that was overwritten, with what it held.
    """
    if not held:
        return []
    tensors = [pair for pair in zip(args, held, strict=True) if issubclass(type(pair[0]), torch.Tensor)]
    kept = [(tensor, untampered.clone(tensor)) for tensor, _ in tensors]
    for pairs in (tensors, kept):
        with untampered.no_grad():
            for tensor, numbers in pairs:
                untampered.copy_into(tensor, numbers)
        if pairs is tensors:
            with inference_off():
                result = target(*args, **kwargs)
            parts, spoilt = result if type(result) in (tuple, list) else [result], list[Any]()
            for part in (part for part in parts if issubclass(type(part), torch.Tensor)):
                with untampered.no_grad(), contextlib.suppress(RuntimeError):  # one that cannot be written to
                    spoilt.append((part, untampered.clone(part)))
                    untampered.fill(part, 1)
    return spoilt


def put_back(spoilt: list[Any]) -> None:
    """Write into tensors what they held."""
    for tensor, numbers in spoilt:
        with untampered.no_grad(), contextlib.suppress(RuntimeError):
            untampered.copy_into(tensor, numbers)


def as_dense(grad: Any) -> Any:
    """Return a gradient with all its numbers: an embedding may give one of the rows alone that were used."""
    return grad if grad is None or untampered.layout_of(grad) == torch.strided else untampered.dense(grad)


@contextlib.contextmanager
def computing_elsewhere(origins: Origins | None, pretended: bool) -> Iterator[None]:
    """Note where tensors on the CPU come from, if that is asked for, and let the pretended device be used."""
    with entered() if pretended else contextlib.nullcontext(), origins or contextlib.nullcontext():
        yield


def inference_off() -> Any:
    """Return a context in which an inference mode that student code left on is off."""
    return _inference_mode(False) if _inference_is_on() else contextlib.nullcontext()


def outputs_of(value: Any, most: int) -> list[torch.Tensor]:
    """Return the first tensors of a result, that gradients are asked of; another check asks how many there are."""
    outputs = [*value][:most] if issubclass(type(value), tuple | list) else [value]
    for output in outputs:
        if not issubclass(type(output), torch.Tensor):
            raise Refused("no_tensor", describe_type(output))
    return outputs


def fitted(cotangent: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """Return the numbers of a cotangent in the shape of a result, which another check asks for, repeated if too few."""
    count, numbers = math.prod(shape), cotangent.flatten()
    return numbers.repeat(math.ceil(count / max(1, len(numbers))))[:count].reshape(shape)


def add_gradients(
    reply: Returned, packer: ResultPacker, value: Any, cotangents: list[torch.Tensor], args: list[Any],
    kwargs: dict[str, Any], target: Any,
) -> None:  # fmt: skip
    """Add the gradients of the sum of all (output * cotangent).sum(), by inputs and the parameters of modules.

    Those of a module that is called have their names; before those of one that is an argument stands its position.

    Raises:
        Refused: Something in the result is no tensor.
        GradientFailed: Autograd, or a backward of the student's, raised.
    """
    weighed = [  # a layer that was moved away computes elsewhere
        (output, fitted(cotangent, tuple(untampered.shape_of(output))).to(untampered.device_of(output)))
        for output, cotangent in zip(outputs_of(value, len(cotangents)), cotangents, strict=False)
        if untampered.requires_grad(output)
    ]
    modules = {"": target, **{f"{place}.": arg for place, arg in enumerate(args)}}
    parameters = {
        before + name: parameter
        for before, module in modules.items() if issubclass(type(module), nn.Module)
        for name, parameter in untampered.named_parameters(module).items()
    }  # fmt: skip
    leaves = [
        leaf for leaf in (*args, *kwargs.values(), *parameters.values())
        if issubclass(type(leaf), torch.Tensor) and untampered.requires_grad(leaf)
    ]  # fmt: skip
    dense_gradients: dict[int, Any] = {}
    if weighed and leaves:
        try:
            with untampered.enable_grad():
                scalars = [untampered.total(untampered.times(*pair)) for pair in weighed]
                gradients = _grad(scalars, leaves, allow_unused=True)
        except Exception as error:  # a backward of the student's own raises what it likes
            raise GradientFailed from error
        dense_gradients = {id(leaf): as_dense(grad) for leaf, grad in zip(leaves, gradients, strict=True)}
    packer.inputs = {}

    def row(leaf: Any) -> int | None:
        grad = dense_gradients.get(id(leaf))
        return None if grad is None else packer.add_result(grad)

    reply.gradients = [row(arg) for arg in args]
    reply.keyword_gradients = {name: row(arg) for name, arg in kwargs.items()}
    reply.parameter_gradients = {name: row(parameter) for name, parameter in parameters.items()}
