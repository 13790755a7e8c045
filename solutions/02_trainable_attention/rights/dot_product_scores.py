"""Right answers to `dot_product_scores` in other styles than the solution's, which must have full marks."""

import torch

from grader.course.variants import right


@right(why="einsum")
def scores_by_einsum(queries, keys):
    return torch.einsum("...qd,...kd->...qk", queries, keys)


@right(why="products of all pairs, summed over the features")
def scores_by_broadcasting(queries, keys):
    return (queries[..., :, None, :] * keys[..., None, :, :]).sum(dim=-1)


@right(why="two loops into a tensor of its own")
def scores_by_loops(queries, keys):
    scores = queries.new_zeros(*queries.shape[:-1], keys.shape[-2])
    for i in range(queries.shape[-2]):
        for j in range(keys.shape[-2]):
            scores[..., i, j] = (queries[..., i, :] * keys[..., j, :]).sum(-1)
    return scores


@right(why="the swapped product, transposed: no contiguous result")
def scores_transposed_at_the_end(queries, keys):
    return torch.matmul(keys, queries.mT).mT


@right(why="bmm over flattened items, float64 inside")
def scores_by_bmm(queries, keys):
    flat = [tensor.reshape(-1, *tensor.shape[-2:]).double() for tensor in (queries, keys)]
    scores = torch.bmm(flat[0], flat[1].permute(0, 2, 1))
    return scores.view(*queries.shape[:-1], keys.shape[-2]).type_as(queries)
