"""Random masks for the hidden checks of this assignment, in every dtype in which students write one."""

import torch

DTYPES = (torch.bool, torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.int32, torch.uint8)


def visible(draw, *shape):
    """Return a random bool mask (..., keys) that shows half of at least three keys to each query, and always two.

    So no weight is exactly 1, and what is hidden differs from query to query.
    """
    order = draw.uniform(*shape, dtype=torch.float64).argsort(dim=-1)
    return order < max(2, shape[-1] // 2)
