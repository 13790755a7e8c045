"""The state of torch, NumPy and Python that all checks of a process share; `inside/fresh.py` sets it anew."""

import os
import random
import sys
import warnings
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import numpy as np
import torch


def surroundings() -> tuple[Hashable, ...]:
    """Return what a check may find changed by another one, to be compared with what it is later."""
    numbers: Any = np.random.get_state(legacy=True)
    return (
        torch.get_rng_state().numpy().tobytes(),
        random.getstate(),
        numbers[1].tobytes(),
        numbers[2:],
        torch.get_default_dtype(),
        str(torch.get_default_device()),
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.is_autocast_enabled("cpu"),
        torch.are_deterministic_algorithms_enabled(),
        torch.is_anomaly_enabled(),
        torch.get_float32_matmul_precision(),
        torch.get_num_threads(),
        sys.getrecursionlimit(),
        tuple(sys.path),
        tuple(sorted(os.environ.items())),
        len(warnings.filters),
        str(Path.cwd()),
    )
