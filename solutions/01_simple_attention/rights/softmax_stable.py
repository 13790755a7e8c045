"""Right answers to `softmax_stable` in other styles than the solution's, which must have full marks."""

import math

import torch

from grader.course.variants import right


@right(why="max().values, detached: the shift cancels, so its gradient does too")
def detached_maximum(x, dim=-1):
    powers = torch.exp(x - x.detach().max(dim=dim, keepdim=True).values)
    return powers / powers.sum(dim=dim, keepdim=True)


@right(why="the logarithm of the sum, written out, subtracted after the shift")
def logarithm_written_out(x, dim=-1):
    shifted = x - x.amax(dim=dim, keepdim=True)
    return torch.exp(shifted - shifted.exp().sum(dim=dim, keepdim=True).log())


@right(why="the whole logarithm of the sum at once, which costs digits at large scores")
def logarithm_at_once(x, dim=-1):
    largest = x.amax(dim=dim, keepdim=True)
    return torch.exp(x - (largest + (x - largest).exp().sum(dim=dim, keepdim=True).log()))


@right(why="the dimension moved to the end and back")
def dimension_moved(x, dim=-1):
    rows = x.movedim(dim, -1)
    powers = torch.exp(rows - rows.max(-1, keepdim=True)[0])
    return (powers / powers.sum(-1, keepdim=True)).movedim(-1, dim)


@right(why="unsqueeze instead of keepdim")
def unsqueezed_by_hand(x, dim=-1):
    powers = (x - torch.amax(x, dim).unsqueeze(dim)).exp()
    return powers / powers.sum(dim).unsqueeze(dim)


@right(why="a tiny number in the denominator, far below what is measured")
def tiny_number_in_denominator(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / (powers.sum(dim=dim, keepdim=True) + 1e-12)


@right(why="-inf replaced by -1e9 before, float64 inside, in place on its own tensors")
def minus_one_billion(x, dim=-1):
    own = x.to(torch.float64).masked_fill(x == -math.inf, -1e9)
    own = own - own.amax(dim=dim, keepdim=True)
    powers = own.exp()
    powers = powers / powers.sum(dim=dim, keepdim=True)
    return powers.to(x.dtype)


@right(why="-inf replaced in place in its own copy")
def minus_infinity_in_own_copy(x, dim=-1):
    own = x.clone()
    own[torch.isneginf(x)] = torch.finfo(x.dtype).min / 2
    powers = torch.exp(own - own.amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@right(why="torch.where for the entries of -inf")
def where_for_infinity(x, dim=-1):
    largest = x.amax(dim=dim, keepdim=True)
    powers = torch.where(torch.isneginf(x), torch.zeros_like(x), torch.exp(x - largest))
    return powers.div(powers.sum(dim=dim, keepdim=True))


@right(why="one row after the other in a loop over slices")
def loop_over_rows(x, dim=-1):
    rows = x.movedim(dim, -1)
    flat = rows.reshape(-1, rows.shape[-1])
    done = [torch.exp(row - row.max()) / torch.exp(row - row.max()).sum() for row in flat]
    return torch.stack(done).reshape(rows.shape).movedim(-1, dim)
