"""Right answers to `mask_and_renormalize` in other styles than the solution's, which must have full marks."""

import torch
from torch.nn import functional as F

from grader.course.variants import helper, right


@helper
def future_of(scores):
    """Return a bool tensor like the scores, True where a position is to be hidden."""
    return torch.ones_like(scores, dtype=torch.bool).triu(1)


@right(why="multiplied with a mask, as the note does it")
def renormalize_by_product(attn_weights):
    T = attn_weights.shape[-1]
    masked = attn_weights * torch.tril(torch.ones(T, T, dtype=attn_weights.dtype, device=attn_weights.device))
    return masked / masked.sum(dim=-1, keepdim=True)


@right(why="a softmax of logarithms")
def renormalize_by_logarithms(attn_weights):
    return torch.softmax(attn_weights.log().masked_fill(future_of(attn_weights), float("-inf")), dim=-1)


@right(why="a loop over the rows")
def renormalize_by_rows(attn_weights):
    rows = []
    for i, row in enumerate(attn_weights.unbind(dim=-2)):
        seen = row[..., : i + 1] / row[..., : i + 1].sum(dim=-1, keepdim=True)
        rows.append(F.pad(seen, (0, row.shape[-1] - i - 1)))
    return torch.stack(rows, dim=-2)


@right(why="in place on tensors of its own")
def renormalize_own_in_place(attn_weights):
    visible = attn_weights.clone()
    visible[future_of(visible)] = 0.0
    visible /= visible.sum(dim=-1, keepdim=True)
    return visible


@right(why="the sums from a running sum, and float64 inside")
def renormalize_by_running_sum(attn_weights):
    wide = attn_weights.double()
    sums = wide.cumsum(dim=-1).diagonal(dim1=-2, dim2=-1).unsqueeze(-1)
    return (wide.tril() / sums).to(attn_weights.dtype)


@right(why="normalised by the library, where instead of a mask")
def renormalize_by_library(attn_weights):
    visible = torch.where(future_of(attn_weights), torch.zeros_like(attn_weights), attn_weights)
    return F.normalize(visible, p=1, dim=-1)


@right(why="einsum and a reciprocal")
def renormalize_by_einsum(attn_weights):
    visible = torch.tril(attn_weights)
    return torch.einsum("...ij,...i->...ij", visible, visible.sum(-1).reciprocal())
