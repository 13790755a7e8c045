"""Random samples for the hidden checks of this assignment, in which eps and rounding show only where they are asked."""

import torch


def rows(draw, *shape, spread=64.0, dtype=torch.float32, dim=-1):
    """Return numbers evenly spaced along a dimension around another mean each time, slightly moved, in random order.

    Numbers that are close together by chance would make eps and rounding show in checks that do not ask for them. For
    the same reason the numbers are large, unless a check asks for another spread; a single one is small, since nothing
    but the rounding of what cancels would be left of it.
    """
    spread = spread if shape[dim] > 1 else 0.1
    order = draw.uniform(*shape, dtype=torch.float64).argsort(dim=dim)
    steps = torch.linspace(-1.5, 1.5, shape[dim], dtype=torch.float64)[order]
    means = draw.normal(*shape, dtype=torch.float64).narrow(dim, 0, 1)
    return ((steps + draw.normal(*shape, dtype=torch.float64) / 6 + means) * spread).to(dtype)


def batch(draw, samples, features, **options):
    """Return the samples of a batch, in which the numbers of each feature are spread as in `rows`."""
    return rows(draw, samples, features, dim=0, **options)
