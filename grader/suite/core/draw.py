"""Random inputs that a student cannot guess and an appeal can repeat.

A check's seed is an HMAC over the course's secret, the assignment, the submission's hash and the check's name. So two
runs on one submission draw the same numbers, and another submission, or the same with a comma changed, draws others.
All 128 bits of a seed are the key of the generator. torch's own would use 32, which can all be tried; NumPy's Philox
gives the same numbers on every machine.
"""

import hmac
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

SEED_BYTES = 16
FAR = 2000.0  # beyond a fill of -1000 and every plain exponential
BESIDE = 150.0  # beyond a fill of -100, and within what a softmax of float64 leaves of the visible scores
LEVELS = (-BESIDE, BESIDE), (0.0, BESIDE), (-FAR, 0.0), (-FAR, BESIDE), (FAR, 0.0), (-4.5 * FAR, 9 * FAR)
"""Where the scores of a query lie, and by how much those that a mask hides lie higher."""

Item = TypeVar("Item")


def check_seed(secret: bytes, assignment: str, submission: str, check: str) -> int:
    """Return the seed of one check on one submission, a number below 2**128."""
    message = "\0".join((assignment, submission, check)).encode()
    return int.from_bytes(hmac.digest(secret, message, "sha256")[:SEED_BYTES], "big")


def submission_seed(secret: bytes, assignment: str, submission: str) -> str:
    """Return a submission's seed as hexadecimal digits: what its report records, useless without the secret."""
    return hmac.digest(secret, f"{assignment}\0{submission}".encode(), "sha256").hex()[:32]


class Draw:
    """Draws the inputs of one check, always in the same order from the same seed.

    Args:
        seed: A number below 2**128, as `check_seed` gives it.
    """

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.Philox(key=seed))

    def normal(self, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Return standard normal numbers of the given shape, rounded to `dtype`."""
        return as_torch(self._generator.standard_normal(shape)).to(dtype)

    def uniform(self, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Return numbers from [0, 0.99) of the given shape; so near to 1 no dtype rounds them up to it."""
        return as_torch(self._generator.random(shape)).mul(0.99).to(dtype)

    def integers(self, low: int, high: int, *shape: int) -> torch.Tensor:
        """Return whole numbers from [low, high) as int64."""
        return as_torch(self._generator.integers(low, high, shape, dtype=np.int64))

    def permutation(self, count: int) -> torch.Tensor:
        """Return the numbers from 0 to count - 1 in any order, as int64."""
        return as_torch(self._generator.permutation(count))

    def mask(self, *shape: int) -> torch.Tensor:
        """Return a bool mask (True = visible) whose rows along the last dimension each show at least one entry."""
        mask = self.uniform(*shape, dtype=torch.float64) < 0.6
        first = self.integers(0, shape[-1], *shape[:-1], 1)
        return mask.scatter(-1, first, True)

    def parameters(self, module: nn.Module) -> dict[str, torch.Tensor]:
        """Return random numbers for every parameter of a module, by name."""
        parameters = dict(module.named_parameters())
        numbers = self.normal(sum(value.numel() for value in parameters.values())) * 0.5
        parts = torch.split(numbers, [value.numel() for value in parameters.values()])
        return {name: part.view(value.shape) for (name, value), part in zip(parameters.items(), parts, strict=True)}

    def far_scores(self, *shape: int, hidden: torch.Tensor | None = None) -> torch.Tensor:
        """Return float64 scores (..., queries, keys), at another level from query to query: LEVELS, and from the first.

        In the second row the last visible key stands far above the others, and in the fifth the first one, so that a
        softmax can only subtract the maximum.

        Args:
            hidden: True for keys that a mask hides. Their scores lie higher than the others or beside them, by what a
                fill of -100 or -1000 does not hide.
        """
        level, above = torch.tensor(LEVELS).double()[torch.arange(shape[-2]) % len(LEVELS)].unsqueeze(-1).unbind(1)
        scores = self.normal(*shape, dtype=torch.float64) + level
        hidden = torch.zeros(shape[-2:], dtype=torch.bool) if hidden is None else hidden
        places = torch.arange(1, shape[-1] + 1).expand(hidden.shape).masked_fill(hidden, 0)
        for row, place in ((1, places.argmax(-1)), (4, (places > 0).byte().argmax(-1))):
            far = torch.arange(shape[-1]) == place[..., row : row + 1, None]
            scores[..., row : row + 1, :] += FAR * far
        return scores + torch.where(hidden, above, 0.0)

    def choice(self, items: Sequence[Item]) -> Item:
        return items[int(self.integers(0, len(items), 1))]

    def large(self) -> int:
        """Return a size from 65 to 71: too much for an answer made for small inputs, not for one of plain loops."""
        return 65 + int(self.integers(0, 7, 1))


def as_torch(drawn: Any) -> torch.Tensor:
    """Return what NumPy drew, a number or an array, as a tensor."""
    return torch.from_numpy(np.asarray(drawn))
