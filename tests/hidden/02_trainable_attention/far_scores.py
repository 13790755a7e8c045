"""What gives an attention module scores far from zero, among which the softmax still has to tell differences."""

import torch


def far_from_zero(draw):
    """Return weights (5, 3) of queries and keys, and tokens (2, 21, 5), for scores near 700, -700 or 0.

    In the first item all scores of a query are near -700. In the second the largest are near 700, or 0 for some.
    """
    query, key = 0.5 * draw.normal(2, 5, 3)
    key -= key.mean(-1, keepdim=True)  # so that the 20 below moves all scores of a query alike
    query[0], key[0] = 20.0, -20.0
    tokens = draw.normal(2, 21, 5)
    tokens[0, :, 0] = 1
    tokens[1, :, 0] = torch.tensor([1.0, -1.0, 0.0]).repeat(7)
    return query, key, tokens
