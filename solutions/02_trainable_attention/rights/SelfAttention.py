"""Right answers to `SelfAttention` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import right, solution


@right(why="a list, which unpacks as a tuple does")
class both_as_list(solution.SelfAttention):
    def forward(self, x):
        return list(super().forward(x))


@right(why="layers made in another order, einsum")
class both_in_another_order(nn.Module):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__()
        self.v = nn.Linear(embedding_dim, attention_dim)
        self.k = nn.Linear(embedding_dim, attention_dim)
        self.q = nn.Linear(embedding_dim, attention_dim)
        for layer in self.children():
            nn.init.xavier_normal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x):
        scores = torch.einsum("...ie,...je->...ij", self.q(x), self.k(x)) / self.q.out_features**0.5
        weights = F.softmax(scores, dim=-1)
        return torch.einsum("...ij,...je->...ie", weights, self.v(x)), weights


@right(why="bmm with a batch axis put on and taken off")
class both_by_bmm(solution.SelfAttention):
    def forward(self, x):
        batch = x if x.ndim == 3 else x[None]
        weights = torch.softmax(
            torch.bmm(self.q(batch), self.k(batch).permute(0, 2, 1)) / math.sqrt(self.k.out_features), 2
        )
        output = torch.bmm(weights, self.v(batch))
        return (output, weights) if x.ndim == 3 else (output[0], weights[0])


@right(why="the softmax written out, a named tuple, a buffer of its own")
class both_named(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        self.register_buffer("scale", torch.tensor(attention_dim**-0.5), persistent=False)

    def forward(self, x):
        from collections import namedtuple

        scores = self.q(x) @ self.k(x).mT * self.scale
        powers = (scores - scores.amax(dim=-1, keepdim=True)).exp()
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return namedtuple("Attended", "output weights")(weights @ self.v(x), weights)


@right(why="float64 inside, the transposed weights transposed back")
class both_in_float64(solution.SelfAttention):
    def forward(self, x):
        q, k, v = (
            F.linear(x.double(), layer.weight.double(), layer.bias.double()) for layer in (self.q, self.k, self.v)
        )
        weights = torch.softmax(k @ q.mT / math.sqrt(q.shape[-1]), dim=-2).mT
        return (weights @ v).to(x.dtype), weights.to(x.dtype)
