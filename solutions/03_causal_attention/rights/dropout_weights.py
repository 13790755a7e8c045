"""Right answers to `dropout_weights` in other styles than the solution's, which must have full marks."""

import torch

from grader.course.variants import helper, right


@helper
class Answering:
    """A callable object around a function."""

    def __init__(self, compute):
        self.compute = compute

    def __call__(self, *parts):
        return self.compute(*parts)


@right(why="where")
def drop_by_where(attn_weights, keep_mask, p):
    return torch.where(keep_mask != 0, attn_weights / (1 - p), 0.0)


@right(why="masked_fill and a factor")
def drop_by_fill(attn_weights, keep_mask, p):
    return attn_weights.masked_fill(keep_mask == 0, 0.0) * (1 / (1 - p))


@right(why="bool() in all cases, in the dtype of the weights, float64 inside")
def drop_by_bool(attn_weights, keep_mask, p):
    factor = keep_mask.bool().double() / (1.0 - p)
    return (attn_weights.double() * factor).to(attn_weights.dtype)


@right(why="in place on a copy, with indices")
def drop_on_a_copy(attn_weights, keep_mask, p):
    result = attn_weights.clone()
    result[torch.logical_not(keep_mask)] = 0
    return result.div_(1 - p)


@right(why="entry by entry, and a callable object")
@Answering
def drop_entry_by_entry(attn_weights, keep_mask, p):
    pairs = zip(attn_weights.flatten(), keep_mask.flatten(), strict=True)
    kept = [weight / (1 - p) if keep else torch.zeros_like(weight) for weight, keep in pairs]
    return torch.stack(kept).reshape(attn_weights.shape)
