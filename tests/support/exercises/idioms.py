"""What students write, right and wrong on a GPU, and what comes of each on a device.

The expressions see `x` (2, 3, 4) and `scores` (3, 3) on the device, `cpu`, which has the numbers of `x`, and `device`.
"""

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

RIGHT = (
    "x + torch.tensor(2.0)",
    "torch.vmap(lambda row: row + torch.tensor(0.0, device=row.device))(x)",
    "torch.tensor([x.sum(), x.mean()])",
    "torch.arange(3, device=x.device).unsqueeze(1) - torch.arange(3, device=x.device)",
    "scores.masked_fill(torch.ones_like(scores).triu(1).bool(), float('-inf')).softmax(-1)",
    "x[cpu > 0]",
    "torch.einsum('bij,bkj->bik', x, x) / x.shape[-1] ** 0.5",
    "F.scaled_dot_product_attention(x, x, x, is_causal=True)",
    "x.view(2, 3, 2, 2).transpose(1, 2).contiguous().view(2, 6, 2)",
    "x[:1].clone().squeeze_(0).unsqueeze_(0)",
    "torch.empty(0, device=x.device).resize_(2, 2).zero_()",
    "x[0].clone().t_().contiguous()",
    "x + (torch.ones(4).cuda() if x.is_cuda else torch.ones(4))",
    "module(nn.Linear(4, 5).cuda() if x.is_cuda else nn.Linear(4, 5), x)",
    "drawn_apart(x)",
    "x.cpu().numpy().sum().item()",
    "x.detach().cpu()",
    "torch.zeros(2, 3, 4).copy_(x)",
    "encoding(device)",
    "gradient(lambda x: torch.softmax(x @ x.transpose(1, 2), -1) @ x, x)",
    "f'{x.sum():.3f}'",
    "module(nn.Linear(4, 5), x)",
    "module(nn.BatchNorm1d(3), x)",
    "module(nn.LSTM(4, 5, batch_first=True), x)",
    "module(nn.MultiheadAttention(4, 2, batch_first=True), x, x, x)",
    "module(nn.Embedding(5, 4), torch.tensor([[1, 3]], device=device))",
    "nn.Linear(4, 4).to(x.device).double().weight.dtype",
    "buffers(nn.BatchNorm1d(3).to(x.device))",
    "in_place_data(nn.Linear(4, 4).to(x.device))",
)

DEVICES = "Expected all tensors to be on the same device"
REFUSED = {
    "x + cpu": DEVICES,
    "scores.masked_fill(torch.ones(3, 3).triu(1).bool(), 0.0)": "",
    "torch.equal(x, cpu)": DEVICES,
    "cpu[torch.tensor([0], device=x.device)]": "indices should be either on cpu",
    "cpu + x[0, 0, :1]": DEVICES,
    "x.numpy()": "can't convert",
    "torch.FloatTensor(x)": "",
    "nn.Linear(4, 4).to(x.device)(cpu)": DEVICES,
}

OTHERWISE = {
    "x.device.type": {"value": "pretended"},
    "torch.ones(2, device='cuda')": {"raised": "Torch not compiled with CUDA enabled"},
    "torch.Generator(device=x.device)": {"raised": ""},
}
"""What the pretended device does otherwise than a GPU where torch has no CUDA; docs/security.md lists it."""


def encoding(device: Any) -> torch.Tensor:
    """Return sines and cosines that are written into every second column of a table."""
    table = torch.zeros(3, 4, device=device)
    places = torch.arange(3, device=device).unsqueeze(1)
    rates = torch.exp(torch.arange(0, 4, 2, device=device) / -4)
    table[:, 0::2], table[:, 1::2] = torch.sin(places * rates), torch.cos(places * rates)
    return table


def drawn_apart(x: torch.Tensor) -> torch.Tensor:
    """Return a dropout whose draws leave the generator as it was."""
    with torch.random.fork_rng():
        torch.manual_seed(1)
        return F.dropout(x, 0.5)


def gradient(function: Any, x: torch.Tensor) -> Any:
    leaf = x.detach().clone().requires_grad_()
    (function(leaf) ** 2).sum().backward()
    return leaf.grad


def module(layer: nn.Module, *inputs: torch.Tensor) -> list[Any]:
    """Return what a module gives on the device of its inputs, and the gradients of its parameters."""
    layer = layer.to(inputs[0].device)
    answer = layer(*inputs)
    answer = answer[0] if isinstance(answer, tuple) else answer
    (answer**2).sum().backward()
    return [answer, *(parameter.grad for parameter in layer.parameters())]


def buffers(layer: nn.Module) -> list[torch.Tensor]:
    return list(layer.buffers())


def in_place_data(layer: nn.Linear) -> torch.Tensor:
    """Return a weight whose numbers were set by way of `data`."""
    layer.weight.data = torch.ones(4, 4, device=layer.weight.device)
    layer.weight.data.mul_(3)
    with torch.no_grad():
        layer.weight[0].copy_(torch.zeros(4))
    return layer.weight


def plain(value: Any) -> Any:
    """Return a result as JSON has it, with the kind of device of each tensor."""
    if isinstance(value, torch.Tensor):
        return [value.device.type, value.detach().cpu().double().tolist()]
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value if isinstance(value, float | int) else str(value)


def outcome(expression: str, device: str) -> Any:
    """Return what came of an expression on a device: its value, or what it raised."""
    torch.manual_seed(0)
    cpu = torch.randn(2, 3, 4)
    names = {"F": F, "x": cpu.to(device), "cpu": cpu, "scores": torch.randn(3, 3).to(device), "device": device}
    try:
        return {"value": plain(eval(expression, globals(), names))}
    except (RuntimeError, TypeError, AssertionError, NotImplementedError) as error:
        return {"raised": str(error)}
