"""Right answers to `multi_head_scores` in other styles than the solution's, which must have full marks."""

import torch

from grader.course.variants import right


@right(why="einsum")
def scores_by_einsum(queries, keys):
    return torch.einsum("...id,...jd->...ij", queries, keys)


@right(why="batched matrix product over the flattened leading dimensions")
def scores_by_bmm(queries, keys):
    *lead, T, head_dim = queries.shape
    flat = torch.bmm(queries.reshape(-1, T, head_dim), keys.reshape(-1, T, head_dim).mT)
    return flat.reshape(*lead, T, T)


@right(why="a sum over a broadcast product")
def scores_by_broadcast(queries, keys):
    return (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1)


@right(why="a loop over the heads, float64 inside")
def scores_by_loop(queries, keys):
    heads = []
    for h in range(queries.size(-3)):
        heads.append(queries[..., h, :, :].double() @ keys[..., h, :, :].double().mT)
    return torch.stack(heads, dim=-3).to(queries.dtype)
