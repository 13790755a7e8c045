"""Runs the operations of torch that answers are made of, before any worker is forked.

The first run of an operation looks it up, makes the Python object that stands for it and touches what its code writes
to, which takes up to a hundred times as long as the next one. What the zygote has run, no worker has to begin with.
The numbers are nobody's, and nothing is kept of what comes out.
"""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from .opcount import Operations

ROUNDS = 2
PRECISIONS = (torch.float32, torch.float64)
GRADIENTS = torch.version.cuda is None
"""Whether autograd may run; a build for GPUs would ask for its devices."""
Operation = Callable[[], Any]


def run() -> None:
    """Run every operation plainly, counted, and backwards where it has a gradient."""
    for dtype in PRECISIONS:
        table = table_of(dtype)
        for operation in operations(table):
            with contextlib.suppress(Exception):  # what a build of torch lacks, answers cannot use either
                for _ in range(ROUNDS):
                    go_through(operation, table)


def table_of(dtype: torch.dtype) -> torch.Tensor:
    """Return a tensor of shape (3, 4) that gradients can be taken of where autograd may run."""
    return torch.linspace(-1.0, 1.0, 12, dtype=dtype).view(3, 4).requires_grad_(GRADIENTS)


def operations(table: torch.Tensor) -> Sequence[Operation]:
    """Return all operations on one table."""
    return (*making(table), *shaping(table), *computing(table), *comparing(table), *learning(table))


def go_through(operation: Operation, table: torch.Tensor) -> None:
    """Run one operation in every way that a call may ask for."""
    with Operations():
        operation()
    with torch.no_grad():
        operation()
    result = operation()
    if GRADIENTS and isinstance(result, torch.Tensor) and result.requires_grad:
        torch.autograd.grad(result.sum(), [table], allow_unused=True)


def making(x: torch.Tensor) -> Sequence[Operation]:
    """Return what makes tensors, and takes numbers out of them."""
    plain, dtype = x.detach(), x.dtype
    return (
        lambda: torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=dtype),
        lambda: torch.tensor(0.5, dtype=dtype),
        lambda: torch.tensor([1, 2, 0]),
        lambda: torch.tensor([True, False]),
        lambda: (torch.zeros(3, 4, dtype=dtype), torch.ones(3, 4, dtype=dtype), torch.empty(3, 4, dtype=dtype)),
        lambda: (torch.zeros_like(x), torch.ones_like(x), torch.empty_like(x), torch.full((2, 2), 0.5, dtype=dtype)),
        lambda: (torch.arange(4), torch.arange(4, dtype=dtype), torch.eye(3, dtype=dtype)),
        lambda: (torch.randn(2, 3, dtype=dtype), torch.rand(2, 3, dtype=dtype), torch.randint(0, 3, (4,))),
        lambda: (plain.clone(), plain.detach(), plain.contiguous(), plain.float(), plain.double(), plain.to(dtype)),
        lambda: (plain.numpy(), plain.tolist(), plain[0, 0].item(), float(plain.sum()), int(plain.numel())),
        lambda: [plain[i, j].item() for i in range(2) for j in range(2)],
        lambda: (written(plain, 0.5), written(plain, plain[1, 2])),
    )


def written(x: torch.Tensor, value: Any) -> torch.Tensor:
    """Return a table of the same size that is filled number by number, row by row and in place."""
    table = torch.zeros(x.shape, dtype=x.dtype)
    table[0, 1] = value
    table[1] = x[1]
    table[:, 2] = x[:, 2]
    table[x > 0] = 0.25
    table += x
    table *= 2.0
    return table.add_(x).mul_(0.5).sub_(x).div_(2.0).copy_(x)


def shaping(x: torch.Tensor) -> Sequence[Operation]:
    """Return what lays the same numbers out in another way."""
    cube = x.view(3, 2, 2)
    return (
        lambda: list(x),
        lambda: (x[1], x[1, 2], x[:, 1], x[..., -1], x[:2, 1:], x[None], x[:, None, :], x[[0, 2]]),
        lambda: x[torch.tensor([0, 2])],
        lambda: (x.T, x.t(), x.mT, x.transpose(-2, -1), torch.transpose(x, 0, 1), cube.permute(1, 0, 2)),
        lambda: (
            x.view(2, 6),
            x.reshape(4, 3),
            x.T.reshape(-1),
            x.flatten(),
            cube.flatten(-2),
            torch.unflatten(x, 1, (2, 2)),
        ),
        lambda: (x.unsqueeze(0), x.unsqueeze(0).squeeze(0), x.expand(2, 3, 4), x.repeat(2, 1), x.T.contiguous()),
        lambda: (x.unbind(0), torch.split(x, 2, dim=-1), x.chunk(2, dim=-1), x.narrow(0, 0, 2), x.diagonal()),
        lambda: torch.stack([x, x]),
        lambda: torch.cat([x, x], dim=-1),
        lambda: (x.roll(1, 0), x.flip(0), x.index_select(0, torch.tensor([1])), x.gather(1, torch.zeros(3, 1).long())),
        lambda: torch.tril(x),
        lambda: torch.triu(x, diagonal=1),
    )


def computing(x: torch.Tensor) -> Sequence[Operation]:
    """Return arithmetic, sums and products."""
    cube = x.view(3, 2, 2)
    return (
        lambda: (x + x) * x - x / 2.0,
        lambda: 1.0 - (2.0 * x + 1.0),
        lambda: x / (x.abs() + 1.0),
        lambda: -x + x.sum() * x.mean(),
        lambda: x.exp() + torch.exp(x),
        lambda: (x.exp() + 1.0).log() + torch.log1p(x.exp()),
        lambda: x.exp().sqrt() + torch.rsqrt(x.exp()) + x.exp() ** 0.5 + x**2 + x.pow(2),
        lambda: x.sin() + x.cos() + x.tanh() + torch.sigmoid(x) + torch.erf(x),
        lambda: x.clamp(-0.5, 0.5) + x.clamp(min=0.0) + torch.maximum(x, -x) + torch.minimum(x, -x),
        lambda: x.sum(dim=-1, keepdim=True) + x.sum(-1).sum(0) + torch.sum(x, dim=1, keepdim=True),
        lambda: x.mean(dim=-1, keepdim=True) + x.var(dim=-1, keepdim=True, unbiased=False) + x.std(-1, keepdim=True),
        lambda: x.max(dim=-1, keepdim=True).values + x.amax(-1, keepdim=True) + x.max() + x.min() + x.amin(0),
        lambda: (x.argmax(-1), x.detach().sort(), x.detach().topk(2), x.detach().norm(), x.prod(), x.cumsum(0)),
        lambda: torch.softmax(x, dim=-1) + x.softmax(-1) + torch.log_softmax(x, -1) + torch.logsumexp(x, -1, True),
        lambda: x @ x.T,
        lambda: torch.matmul(x, x.transpose(0, 1)) + torch.mm(x, x.t()),
        lambda: x @ x[0] + x.mv(x[1]) + torch.dot(x[0], x[1]) + x[0] @ x[1],
        lambda: x[0] @ x.T,
        lambda: cube @ cube.transpose(-2, -1) + torch.bmm(cube, cube.mT),
        lambda: x.view(1, 3, 2, 2) @ x.view(1, 3, 2, 2).transpose(-2, -1),
        lambda: torch.outer(x[0], x[1]),
        lambda: torch.einsum("ij,kj->ik", x, x),
        lambda: torch.einsum("bij,bkj->bik", cube, cube),
    )


def comparing(x: torch.Tensor) -> Sequence[Operation]:
    """Return what chooses between numbers."""
    seen = torch.ones(3, 4).tril().bool()
    return (
        lambda: (x == 0, x != x, x > 0, x >= 0.5, x < 0, x <= x, ~seen, seen & seen, seen | seen, seen.logical_not()),
        lambda: (seen.all(), seen.any(-1), x.isnan(), torch.isfinite(x), torch.isinf(x), torch.equal(x, x)),
        lambda: (torch.allclose(x, x), seen.sum(), seen.float(), seen.long(), seen.nonzero(), bool(seen.any())),
        lambda: x.masked_fill(~seen, float("-inf")),
        lambda: x.masked_fill(seen == 0, -1e9),
        lambda: torch.where(seen, x, torch.zeros_like(x)),
        lambda: torch.where(seen, x, -1.0),
        lambda: (x[seen], torch.nan_to_num(x)),
    )


def learning(x: torch.Tensor) -> Sequence[Operation]:
    """Return layers and what they are made of."""
    head = x.view(1, 1, 3, 4)
    linear, norm = nn.Linear(4, 4, dtype=x.dtype), nn.LayerNorm(4, dtype=x.dtype)
    embedding, dropout = nn.Embedding(5, 4, dtype=x.dtype), nn.Dropout(0.5)
    whole = nn.Sequential(nn.Linear(4, 8, dtype=x.dtype), nn.GELU(), nn.Linear(8, 4, dtype=x.dtype), nn.ReLU())
    return (
        lambda: linear(x) + nn.Linear(4, 4, bias=False, dtype=x.dtype)(x),
        lambda: norm(x) + functional.layer_norm(x, (4,)),
        lambda: whole(x),
        lambda: embedding(torch.tensor([1, 2])),
        lambda: dropout(x) + functional.dropout(x, 0.1, training=False),
        lambda: functional.linear(x, x) + 1.0,
        lambda: functional.relu(x) + functional.gelu(x) + functional.silu(x) + functional.softmax(x, dim=-1),
        lambda: functional.scaled_dot_product_attention(head, head, head),
        lambda: functional.scaled_dot_product_attention(head, head, head, is_causal=True),
        lambda: functional.cross_entropy(x, torch.tensor([0, 1, 2])),
        lambda: functional.mse_loss(x, torch.zeros_like(x)),
        lambda: (whole.state_dict(), list(whole.parameters()), whole.eval(), whole.train(), nn.ModuleList([linear])),
    )
