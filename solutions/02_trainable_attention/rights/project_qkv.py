"""Right answers to `project_qkv` in other styles than the solution's, which must have full marks."""

import torch
from torch.nn import functional as F

from grader.course.variants import right


@right(why="a list, which unpacks as a tuple does")
def project_as_list(x, W_query, W_key, W_value):
    return [x @ W_query, x @ W_key, x @ W_value]


@right(why="einsum with an ellipsis")
def project_by_einsum(x, W_query, W_key, W_value):
    return tuple(torch.einsum("...i,io->...o", x, W) for W in (W_query, W_key, W_value))


@right(why="one product with the matrices side by side, cut afterwards")
def project_together(x, W_query, W_key, W_value):
    return torch.chunk(x @ torch.cat([W_query, W_key, W_value], dim=1), 3, dim=-1)


@right(why="F.linear, which wants the transposed matrices")
def project_functional(x, W_query, W_key, W_value):
    queries = F.linear(x, W_query.t())
    keys = F.linear(x, W_key.t())
    values = F.linear(x, W_value.t())
    return (queries, keys, values)


@right(why="the matrices stacked, the result unbound")
def project_stacked_and_unbound(x, W_query, W_key, W_value):
    return torch.tensordot(x, torch.stack((W_query, W_key, W_value), dim=1), dims=1).unbind(-2)


@right(why="a loop over the tokens, float64 inside, a named tuple")
def project_by_loop(x, W_query, W_key, W_value):
    from collections import namedtuple

    def projected(W):
        rows = [token.double() @ W.double() for token in x.reshape(-1, x.shape[-1])]
        return torch.stack(rows).reshape(*x.shape[:-1], W.shape[-1]).to(x.dtype)

    return namedtuple("Projections", "queries keys values")(projected(W_query), projected(W_key), projected(W_value))
