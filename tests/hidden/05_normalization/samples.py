"""Random samples for the hidden checks of this assignment, in which eps and rounding show only where they are asked."""

import torch


def rows(draw, *shape, size=8.0, dtype=torch.float32, dim=-1):
    """Return numbers that lie evenly spread along a dimension, in random order but for a little, around another mean.

    Numbers that lie together by chance would bring eps into checks that do not ask for it, and rounding as well; for
    the same reason the numbers are large unless a check asks for another size.
    """
    order = draw.uniform(*shape, dtype=torch.float64).argsort(dim=dim)
    steps = torch.linspace(-1.5, 1.5, shape[dim], dtype=torch.float64)[order]
    means = draw.normal(*shape, dtype=torch.float64).narrow(dim, 0, 1)
    return ((steps + draw.normal(*shape, dtype=torch.float64) / 6 + means) * size).to(dtype)


def batch(draw, samples, features, **options):
    """Return the samples of a batch, whose features are spread so."""
    return rows(draw, samples, features, dim=0, **options)
