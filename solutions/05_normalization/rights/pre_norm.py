"""Right answers to `pre_norm` in other styles than the solution's, which must have full marks."""

import torch
from torch import nn

from grader.course.variants import right


@right(why="step by step, with torch.add")
def pre_stepwise(x, sublayer, norm):
    residual = x
    hidden = norm(x)
    hidden = sublayer(hidden)
    return torch.add(residual, hidden)


@right(why="forward called by name, in place on a tensor of its own")
def pre_in_place_on_its_own(x, sublayer, norm):
    result = x.clone()
    result += sublayer.forward(norm.forward(x))
    return result


@right(why="a class whose call is the function")
class pre_block(nn.Module):
    def __new__(cls, x, sublayer, norm):
        block = super().__new__(cls)
        return block.connect(x, sublayer, norm)

    def connect(self, x, *layers):
        sublayer, norm = layers
        return x + sublayer(norm(x))


@right(why="checks its arguments and adds by stacking")
def pre_stacked(x, sublayer, norm):
    if not (callable(sublayer) and callable(norm)):
        raise TypeError("layers must be callable")
    return torch.stack([x, sublayer(norm(x))]).sum(dim=0)
