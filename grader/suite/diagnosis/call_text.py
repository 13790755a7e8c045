"""Writes a call as Python that a student can paste: `softmax_naive(torch.tensor([1.0, 2.0]))`."""

from typing import Any

import torch

from grader.workers.calls.requests import Given

MOST_NUMBERS = 64
LONGEST = 2000
DEFAULT_DTYPES = (torch.float32, torch.int64, torch.bool)


def call_text(name: str, given: Given) -> str:
    """Return the text of a call, or nothing where it holds something large or what no text makes again."""
    try:
        words = [f"{key}={_value(value)}" for key, value in given.kwargs.items()]
        text = f"{name}({', '.join([*map(_value, given.args), *words])})"
    except ValueError:
        return ""
    return text if len(text) <= LONGEST else ""


def _value(value: Any) -> str:
    """Return a value as Python.

    Raises:
        ValueError: It is large, or nothing that can be written down.
    """
    if isinstance(value, torch.Tensor):
        if value.numel() > MOST_NUMBERS or value.is_complex():
            raise ValueError("a large tensor")
        dtype = "" if value.dtype in DEFAULT_DTYPES and value.numel() else f", dtype={value.dtype}"
        return f"torch.tensor({_numbers(_shortest(value))}{dtype})"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_value, value))}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_value(key)}: {_value(entry)}" for key, entry in value.items()) + "}"
    if value is None or isinstance(value, bool | int | float | str):
        return _numbers(value)
    raise ValueError(f"a value of type {type(value).__name__}")


def _shortest(tensor: torch.Tensor) -> Any:
    """Return the numbers of a tensor; those of float32 and less as the shortest that make it again."""
    if not tensor.is_floating_point() or tensor.dtype == torch.float64:
        return tensor.tolist()
    return tensor.float().numpy().astype(str).astype(float).tolist()


def _numbers(value: Any) -> str:
    """Return numbers as Python writes them, and NaN and the infinities by name."""
    if isinstance(value, list):
        return f"[{', '.join(map(_numbers, value))}]"
    if isinstance(value, float):
        text = repr(value)
        return f'float("{text}")' if text.lstrip("-") in ("inf", "nan") else text
    return repr(value)
