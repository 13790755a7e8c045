"""Asks the same of tensors that do not lie in memory one number after the other.

A tensor that is expanded, and one that is transposed and has gaps, hold numbers as any other does. What works in place
refuses the first, and `view` the second.
"""

from typing import Literal, get_args

import torch

Layout = Literal["expanded", "strided"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


def laid_out(x: torch.Tensor, layout: Layout) -> torch.Tensor:
    """Return a tensor that lies in memory in another way.

    Args:
        x: Any tensor. One of too few dimensions comes back as it is.
        layout: `expanded`: the first of at least two dimensions repeats what is its first entry, so the numbers are
            others. `strided`: there are gaps between the numbers, and the last two of at least two dimensions change
            places in memory.
    """
    if x.dim() < (1 if layout == "strided" else 2):
        return x
    if layout == "expanded":
        return x[:1].expand(x.shape)
    rows = x.mT if x.dim() > 1 else x
    strided = rows.new_zeros(*rows.shape[:-1], 2 * rows.shape[-1] + 1)[..., :-1:2].copy_(rows)
    return strided.mT if x.dim() > 1 else strided
