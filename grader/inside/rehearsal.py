"""Goes once through what a worker does for every student, before any worker is forked.

Python makes code faster that has run a few times, and remembers where it found a name; libraries fill tables at their
first use. What is learned here need not be learned again in every worker, which also writes to fewer of the pages that
it shares with the zygote. The text is nobody's and answers no exercise, and nothing of it is left behind.
"""

import builtins
import contextlib
import linecache
import socket
import sys
from collections.abc import Iterator
from typing import Any

import torch

from .answers import Answer
from .messages import NONCE_BYTES, Analyse, Call, Cell, Load, Message, ModuleAction, ModuleRequest
from .rows import DtypeName, FloatNode, IntNode, Node, TensorNode
from .values import DTYPES
from .wire import PREFIX, pack, read_answer
from .worker import Channel, Worker

NONCE = bytes(NONCE_BYTES)
ROUNDS = 10
"""More often than Python calls a function before it looks for faster instructions."""
NUMBERS: tuple[DtypeName, ...] = ("float32", "float64")
ACTIONS: tuple[ModuleAction, ...] = ("parameters", "eval", "train")
TOWER = 1
"""The number that a worker gives to the first module that stays in it."""
GRADIENTS = torch.version.cuda is None
"""Whether autograd may run; as for the first backward in `preload`, a build for GPUs would ask for its devices."""
Request = tuple[Message, list[bytes]]
TEXT = '''
import math
import torch
from torch import nn


def rescaled(values, by=2.0):
    """The rows of a table times a number."""
    if values.dim() < 2:
        raise ValueError("a table has rows")
    return torch.stack([row * by for row in values])


def levelled(left, right, dim=-1):
    """How far products lie from their mean."""
    products = left @ right.transpose(-2, -1) / math.sqrt(left.shape[-1])
    away = (products - products.mean(dim=dim, keepdim=True)).abs()
    upper = torch.triu(torch.ones(away.shape[-2:]), diagonal=1).bool()
    return torch.where(upper, away.sum(dim=dim, keepdim=True), away.max(dim=dim, keepdim=True).values - away)


class Tower(nn.Module):
    """Two layers with a gain."""

    def __init__(self, width):
        super().__init__()
        self.first, self.second = nn.Linear(width, 2 * width, bias=False), nn.Linear(2 * width, width)
        self.gain = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return self.gain * self.second(torch.tanh(self.first(x)).view(*x.shape[:-1], 2, -1).flatten(-2))
'''


def run() -> list[Answer]:
    """Take a worker through all kinds of requests that run code; returns what it answered."""
    ours, theirs = socket.socketpair()
    answers: list[Answer] = []
    with ours, theirs, nothing_left():
        worker = Worker(Channel(theirs.fileno(), theirs.fileno()), {})
        for message, pieces in script():
            ours.sendall(pack(message, pieces))
            worker.answer(*worker.channel.receive())
            header, payload = PREFIX.unpack(ours.recv(PREFIX.size, socket.MSG_WAITALL))
            answers.append(read_answer(ours.recv(header, socket.MSG_WAITALL), NONCE))
            if payload:
                ours.recv(payload, socket.MSG_WAITALL)
    return answers


def script() -> Iterator[Request]:
    """Yield the requests, each with its tensors; the last two are answered by what went wrong."""
    cells = [Cell(1, TEXT)]
    exercises = ["rescaled", "levelled", "Tower"]
    for _ in range(ROUNDS):
        yield Analyse(nonce=NONCE, cells=cells, file_name="rehearsal.py", exercises=exercises), []
        yield Load(nonce=NONCE, cells=cells, module_name="rehearsal", file_name="rehearsal.py"), []
    yield _call("Tower", [IntNode(4)]), []
    for _ in range(ROUNDS):
        for name in NUMBERS:
            yield from _calls_of_functions(name)
        yield from _calls_of_a_module()
    row = bytes(16)
    yield _call("rescaled", [TensorNode("float32", [4], 0, len(row))]), [row]
    yield _call("unwritten", []), []


def _calls_of_functions(name: DtypeName) -> Iterator[Request]:
    """Yield calls with tables of numbers."""
    piece = _table(name)
    size = len(piece)
    left, right = TensorNode(name, [3, 4], 0, size), TensorNode(name, [3, 4], size, size)
    yield _call("levelled", [left, right]), [piece, piece]
    yield _call("levelled", [left, right], trace=True, forbids=["softmax"]), [piece, piece]
    yield _call("rescaled", [left, FloatNode(0.5)], echo=True), [piece]
    if GRADIENTS:
        square = torch.ones(3, 3, dtype=DTYPES[name]).numpy().tobytes()
        weights = TensorNode(name, [3, 3], 2 * size, len(square))
        yield _call("levelled", [left, right, weights], cotangent=2), [piece, piece, square]


def _calls_of_a_module() -> Iterator[Request]:
    """Yield calls of the module that stays in the worker, and questions about it."""
    piece = _table("float32")
    size = len(piece)
    x, weights = TensorNode("float32", [3, 4], 0, size), TensorNode("float32", [3, 4], size, size)
    yield _call(TOWER, [x]), [piece]
    if GRADIENTS:
        yield _call(TOWER, [x, weights], cotangent=1), [piece, piece]
    for action in ACTIONS:
        yield ModuleRequest(nonce=NONCE, handle=TOWER, action=action), []


def _table(name: DtypeName) -> bytes:
    """Return the bytes of a tensor of shape (3, 4)."""
    numbers: bytes = torch.linspace(-1.0, 1.0, 12, dtype=DTYPES[name]).numpy().tobytes()
    return numbers


def _call(target: str | int, nodes: list[Node], **options: Any) -> Call:
    """Return the request to call something with all rows but the one that outputs are weighed with."""
    rows = [row for row in range(len(nodes)) if row != options.get("cotangent")]
    return Call(nonce=NONCE, target=target, nodes=nodes, args=rows, kwargs={}, **options)


@contextlib.contextmanager
def nothing_left() -> Iterator[None]:
    """Put back what a worker and a student's source change in the process that they run in."""
    tables: list[dict[str, Any]] = [sys.modules, vars(builtins), vars(sys), linecache.cache]
    before, finders = [dict(table) for table in tables], list(sys.meta_path)
    try:
        yield
    finally:
        sys.meta_path[:] = finders
        for table, was in zip(tables, before, strict=True):
            table.update(was)
            for name in table.keys() - was.keys():
                del table[name]
