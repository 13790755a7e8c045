"""Random inputs for the hidden checks of this assignment, with masks in every dtype in which students write one."""

from itertools import cycle

import torch

NUMBERS = (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.uint8)


def visible(draw, *shape):
    """Return a random bool mask (..., keys) that shows half of at least three keys to each query, and always two.

    So no weight is exactly 1, and what is hidden differs from query to query. Of as many queries as keys each key is
    shown to one, and the transposed mask is another one and hides no row.
    """
    while True:
        order = draw.uniform(*shape, dtype=torch.float64).argsort(dim=-1)
        mask = order < max(2, shape[-1] // 2)
        if shape[-1] < 3 or shape[-1] not in shape[-2:-1] or tells_axes_apart(mask):
            return mask


def tells_axes_apart(mask):
    """Tell whether each square mask (..., T, T) is another one transposed, without a row that is hidden then."""
    return bool((mask.any(-2).all(-1) & (mask != mask.mT).flatten(-2).any(-1)).all())


def masks_of(draw, shapes):
    """Return a mask of each shape, one dtype after the other."""
    return [visible(draw, *shape).to(dtype) for shape, dtype in zip(shapes, cycle((torch.bool, *NUMBERS)))]


def triple(draw, *lead, Tq=3, Tk=5, d=7, dv=6):
    """Return random query, key and value with the given leading dimensions."""
    Q, K, V = (draw.normal(*lead, *shape) for shape in ((Tq, d), (Tk, d), (Tk, dv)))
    K[..., 1:2, :] = 0  # its scores are 0, visible or not
    return Q, K, V


def scored(draw, scores, *, d=8, dv=4):
    """Return float64 query, key and value whose scores (..., Tq, Tk), after the scaling, are the given ones."""
    *lead, Tq, Tk = scores.shape
    key = torch.zeros(*lead, Tk, d, dtype=torch.float64)
    key[..., :Tq] = scores.mT * d**0.5
    query = torch.eye(Tq, d, dtype=torch.float64).repeat(*lead, 1, 1)
    return query, key, draw.normal(*lead, Tk, dv, dtype=torch.float64)
