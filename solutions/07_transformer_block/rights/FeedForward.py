"""Right answers to `FeedForward` in other styles than the solution's, which must have full marks."""

import torch
from torch import nn

from grader.course.variants import right


@right(why="nn.Sequential with named parts")
class ff_sequential(nn.Sequential):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.add_module("linear1", nn.Linear(d_model, d_ff))
        self.add_module("relu", nn.ReLU())
        self.add_module("linear2", nn.Linear(d_ff, d_model))


@right(why="layers made in the other order, ReLU in place on its own tensor, flattened tokens")
class ff_other_order(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear2 = nn.Linear(d_ff, d_model)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.relu = nn.ReLU(inplace=True)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        B, T, d_model = x.shape
        return self.linear2(self.relu(self.linear1(x.reshape(B * T, d_model)))).view(B, T, d_model)


@right(why="clamp for the ReLU, parameters in modules that only hold them, einsum")
class ff_by_einsum(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1, self.linear2 = nn.Module(), nn.Module()
        for part, shape in ((self.linear1, (d_ff, d_model)), (self.linear2, (d_model, d_ff))):
            part.weight = nn.Parameter(torch.randn(shape) * shape[1] ** -0.5)
            part.bias = nn.Parameter(torch.zeros(shape[0]))

    def forward(self, x):
        hidden = torch.einsum("btd,fd->btf", x, self.linear1.weight) + self.linear1.bias
        return torch.einsum("btf,df->btd", hidden.clamp(min=0), self.linear2.weight) + self.linear2.bias


@right(why="a loop over the tokens, float64 inside")
class ff_by_loop(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        layers = (self.linear1, self.linear2)
        (w1, b1), (w2, b2) = [(layer.weight.double(), layer.bias.double()) for layer in layers]
        tokens = [torch.maximum(token.double() @ w1.T + b1, torch.zeros(())) @ w2.T + b2 for token in x.unbind(1)]
        return torch.stack(tokens, dim=1).to(x.dtype)
