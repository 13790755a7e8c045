"""Right answers to `add_positional_encoding` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn

from grader.course.variants import helper, right


@helper
def even(d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")


@right(why="loops over positions and columns, in float64")
def add_by_loops(x):
    _, T, d_model = x.shape
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    result = x.double()
    for pos in range(T):
        angles = pos / 10000.0 ** (torch.arange(0, d_model, 2, dtype=torch.float64, device=x.device) / d_model)
        pairs = torch.stack([angles.sin(), angles.cos()], dim=1).reshape(d_model)
        result = torch.cat([result[:, :pos], result[:, pos : pos + 1] + pairs, result[:, pos + 1 :]], dim=1)
    return result.to(x.dtype)


@right(why="a copy of x changed in place")
def add_to_a_copy(x):
    even(x.size(-1))
    position = torch.arange(x.size(1), device=x.device, dtype=torch.float32).unsqueeze(1)
    factor = torch.exp(torch.arange(0, x.size(-1), 2, device=x.device) * (-math.log(10000.0) / x.size(-1)))
    result = x.clone()
    result[..., 0::2] += torch.sin(position * factor).to(x.dtype)
    result[..., 1::2] += torch.cos(position * factor).to(x.dtype)
    return result


@right(why="a module of its own with one long table as a buffer, called as a bound method")
def add_by_module(x):
    class Encoding(nn.Module):
        def __init__(self, d_model, length):
            super().__init__()
            even(d_model)
            angles = torch.arange(float(length))[:, None] * 10000.0 ** (-torch.arange(0.0, d_model, 2) / d_model)
            self.register_buffer("table", torch.stack((angles.sin(), angles.cos()), -1).view(1, length, d_model))

        def forward(self, x):
            return x + self.table[:, : x.size(1)].to(x)

    return Encoding(x.size(2), max(5000, x.size(1)))(x)


@right(why="float32 inside, turned back at the end")
def add_in_float32(x):
    d_model = x.shape[-1]
    even(d_model)
    columns = torch.arange(d_model, device=x.device)
    angles = torch.arange(x.shape[-2], device=x.device)[:, None] / 10000.0 ** (2 * (columns // 2) / d_model)
    wide = x if x.dtype == torch.float64 else x.float()
    return torch.add(wide, torch.where(columns % 2 == 0, torch.sin(angles), torch.cos(angles))).to(x.dtype)
