"""Right answers to `FeedForward` in other styles than the solution's, which must have full marks."""

import torch
from torch import nn

from grader.course.variants import right


@right(why="nn.Sequential")
class ff_sequential(nn.Sequential):
    def __init__(self, d_model, d_ff):
        super().__init__(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


@right(why="layers made in the other order, ReLU in place on its own tensor, flattened tokens")
class ff_other_order(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.fc2 = nn.Linear(d_ff, d_model)
        self.fc1 = nn.Linear(d_model, d_ff)
        self.relu = nn.ReLU(inplace=True)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        B, T, d_model = x.shape
        return self.fc2(self.relu(self.fc1(x.reshape(B * T, d_model)))).view(B, T, d_model)


@right(why="clamp for the ReLU, layers in a ModuleDict, einsum")
class ff_by_einsum(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.parts = nn.ModuleDict({"b": nn.Linear(d_model, d_ff), "a": nn.Linear(d_ff, d_model)})

    def forward(self, x):
        hidden = torch.einsum("btd,fd->btf", x, self.parts["b"].weight) + self.parts["b"].bias
        return torch.einsum("btf,df->btd", hidden.clamp(min=0), self.parts["a"].weight) + self.parts["a"].bias


@right(why="a loop over the tokens, float64 inside")
class ff_by_loop(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)])

    def forward(self, x):
        (w1, b1), (w2, b2) = [(layer.weight.double(), layer.bias.double()) for layer in self.layers]
        tokens = [torch.maximum(token.double() @ w1.T + b1, torch.zeros(())) @ w2.T + b2 for token in x.unbind(1)]
        return torch.stack(tokens, dim=1).to(x.dtype)
