"""Right answers to `positional_encoding` in other styles than the solution's, which must have full marks."""

import math
from functools import lru_cache

import numpy as np
import torch

from grader.course.variants import helper, right


@helper
def even(d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")


@helper
def table_of(seq_len, d_model, divisors):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@helper
def divisors_of(d_model, base=10000.0):
    return base ** (torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)


@right(why="exp of a logarithm, slices with a step")
def pe_by_exp(seq_len, d_model):
    if d_model % 2 == 1:
        raise ValueError("d_model must be even")
    table = torch.zeros(seq_len, d_model)
    position = torch.arange(0, seq_len).unsqueeze(1).float()
    factor = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table[:, 0::2] = torch.sin(position * factor)
    table[:, 1::2] = torch.cos(position * factor)
    return table


@right(why="plain loops and math")
def pe_by_loops(seq_len, d_model):
    if d_model % 2:
        raise ValueError("odd")
    rows = []
    for pos in range(seq_len):
        row = []
        for i in range(d_model // 2):
            angle = pos / math.pow(10000, 2 * i / d_model)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows)


@right(why="numpy in float64, turned into float32 at the end, a subclass of ValueError")
def pe_by_numpy(seq_len, d_model):
    class OddFeatures(ValueError):
        pass

    if d_model % 2:
        raise OddFeatures(d_model)
    columns = np.arange(d_model)
    angles = np.arange(seq_len)[:, None] / np.power(10000, 2 * (columns // 2) / d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return torch.from_numpy(angles).float()


@right(why="cosines as shifted sines in float64, a view that is not contiguous")
def pe_shifted_sines(seq_len, d_model):
    if d_model & 1:
        raise ValueError
    columns = torch.arange(d_model)
    frequencies = torch.pow(torch.tensor(10000.0, dtype=torch.float64), -(columns - columns % 2) / d_model)
    angles = torch.outer(frequencies, torch.arange(seq_len, dtype=torch.float64))
    return torch.sin(angles + (columns % 2 * math.pi / 2)[:, None]).to(torch.float32).T


@right(why="tables kept by their sizes, handed out as copies, under no_grad")
class Tables:
    def __init__(self):
        self.table = lru_cache(self.table)

    @staticmethod
    def table(seq_len, d_model):
        with torch.no_grad():
            return table_of(seq_len, d_model, divisors_of(d_model))

    def __new__(cls, *sizes):
        made = object.__new__(cls)
        cls.__init__(made)
        return made.table(*sizes).clone() if sizes else made
