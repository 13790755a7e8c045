"""Inputs that decide token by token whether a score is high or low, for the hidden checks of this assignment."""

import torch


def steered(draw, features, T=20):
    """Return tokens (4, T, features) whose first feature is 1 or -1.

    All of the first item are high, all of the second low, of the third all but the first high, of the fourth all but
    the last low: only the maximum of a row can be subtracted, not its first or smallest score, its mean, or one maximum
    for all items.
    """
    tokens = draw.normal(4, T, features)
    tokens[..., 0] = torch.tensor([[1.0], [-1.0], [1.0], [-1.0]])
    tokens[2, 0, 0], tokens[3, -1, 0] = -1, 1
    return tokens
