"""Sets the global state of torch, NumPy and Python anew, so that no call depends on what ran before it.

Calls of several checks may follow one another in one worker, so this is done before each of them. Where the worker
shares its process with others, these find the state as they left it.

The functions are taken at import: student code may replace the names in their modules later.
"""

import builtins
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from ..protocol.torch_internals import set_deterministic

RECURSION_LIMIT = 1000
START_SEED = 0
CPU = torch.device("cpu")

_set_default_dtype = torch.set_default_dtype
_set_grad_enabled = torch.set_grad_enabled
_default_dtype = torch.get_default_dtype
_manual_seed = torch.manual_seed
_seed_cpu = torch.default_generator.manual_seed
_set_recursion_limit = sys.setrecursionlimit
_threads, _set_threads = torch.get_num_threads, torch.set_num_threads
_anomaly, _set_anomaly = torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly
_empty, _set_default_device = torch.empty, torch.set_default_device
_autocast, _set_autocast = torch.is_autocast_enabled, torch.set_autocast_enabled
_precision, _set_precision = torch.get_float32_matmul_precision, torch.set_float32_matmul_precision
_set_flush, _cudnn = torch.set_flush_denormal, torch.backends.cudnn
_seed_python, _seed_numpy = random.seed, np.random.seed
PRODUCTS: list[Any] = [
    products
    for products in (torch.backends.cuda.matmul, getattr(torch.backends.mkldnn, "matmul", None))
    if hasattr(products, "fp32_precision")  # since torch 2.9
]
STREAMS = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")


def _precisions() -> tuple[str | None, list[str]]:
    new = [products.fp32_precision for products in PRODUCTS]
    try:
        return _precision(), new
    except RuntimeError:  # it cannot be read where the new switches say otherwise
        return None, new


def _set_precisions(kept: tuple[str | None, list[str]]) -> None:
    old, new = kept
    if old is not None:
        _set_precision(old)
    for products, precision in zip(PRODUCTS, new, strict=True):
        products.fp32_precision = precision


KEPT: list[tuple[Callable[[], Any], Callable[[Any], Any]]] = [
    (sys.getrecursionlimit, _set_recursion_limit),
    (_default_dtype, _set_default_dtype),
    (torch.is_grad_enabled, _set_grad_enabled),
    (_threads, _set_threads),
    (torch.get_deterministic_debug_mode, torch.set_deterministic_debug_mode),
    (lambda: (_anomaly(), torch.is_anomaly_check_nan_enabled()), lambda kept: _set_anomaly(*kept)),
    (lambda: None if _device_is_default() else torch.get_default_device(), _set_default_device),
    (_precisions, _set_precisions),
    (lambda: sys.float_info.min / 2 == 0, _set_flush),
    (lambda: _autocast("cpu"), lambda kept: _set_autocast("cpu", kept)),
    (lambda: _autocast("cuda"), lambda kept: _set_autocast("cuda", kept)),
    (torch.get_rng_state, torch.set_rng_state),
    (random.getstate, random.setstate),
    (np.random.get_state, np.random.set_state),
    (lambda: builtins.input, lambda kept: setattr(builtins, "input", kept)),
    (lambda: [getattr(sys, name) for name in STREAMS], lambda kept: vars(sys).update(zip(STREAMS, kept, strict=True))),
]
"""What `unchanged` asks, and what it tells again."""


def seed_torch(seed: int, device: str = "cpu") -> None:
    """Seed torch's generators; on a machine without a GPU in use only the one that there is."""
    if device == "cpu":
        _seed_cpu(seed)
    else:
        _manual_seed(seed)


def reset(device: str = "cpu", seed: int = START_SEED) -> None:
    """Put every global switch back to what a fresh interpreter has, with one thread and seeded generators."""
    _set_recursion_limit(RECURSION_LIMIT)
    if _default_dtype() is not torch.float32:
        _set_default_dtype(torch.float32)
    _set_grad_enabled(True)
    if _threads() != 1:
        _set_threads(1)
    set_deterministic(False)
    if _anomaly():
        _set_anomaly(False)
    if not _device_is_default():
        _set_default_device(None)
    _set_precision("highest")  # notebooks for GPUs begin by lowering it, and some processors follow, too
    _set_flush(False)
    if device != "cpu":
        _cudnn.enabled = False  # it rounds float32 to tf32, and refuses the gradients of a GRU in eval mode
    for kind in ("cpu", "cuda"):
        if _autocast(kind):
            _set_autocast(kind, False)
    seed_torch(seed, device)
    _seed_python(seed)
    _seed_numpy(seed)


@contextmanager
def unchanged() -> Iterator[None]:
    """Leave generators, switches, standard streams and `input` as they are, whatever runs meanwhile."""
    before = [(put, get()) for get, put in KEPT]
    try:
        yield
    finally:
        for put, value in before:
            put(value)


def _device_is_default() -> bool:
    """Tell whether new tensors come to the CPU; making one says so in a quarter of the time that asking takes."""
    try:
        return bool(_empty(0).device == CPU)
    except Exception:  # a mode that student code left on, which may raise what it likes
        return False
