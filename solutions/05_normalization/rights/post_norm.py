"""Right answers to `post_norm` in other styles than the solution's, which must have full marks."""

import torch
from torch import nn

from grader.course.variants import right


@right(why="step by step, with torch.add")
def post_stepwise(x, sublayer, norm):
    residual = x
    hidden = x
    hidden = sublayer(hidden)
    hidden = torch.add(hidden, residual)
    return norm(hidden)


@right(why="forward called by name, in place on a tensor of its own")
def post_in_place_on_its_own(x, sublayer, norm):
    result = x.clone()
    result += sublayer.forward(x)
    return norm.forward(result)


@right(why="a class whose call is the function")
class post_block(nn.Module):
    def __new__(cls, x, sublayer, norm):
        block = super().__new__(cls)
        return block.connect(x, sublayer, norm)

    def connect(self, x, *layers):
        sublayer, norm = layers
        return norm(x + sublayer(x))


@right(why="checks its arguments and adds by stacking")
def post_stacked(x, sublayer, norm):
    if not (callable(sublayer) and callable(norm)):
        raise TypeError("layers must be callable")
    return norm(torch.stack([sublayer(x), x]).sum(dim=0))
