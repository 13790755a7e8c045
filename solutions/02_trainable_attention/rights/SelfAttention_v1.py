"""Right answers to `SelfAttention_v1` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import right, solution


@right(why="nn.init.uniform_ on empty parameters, bmm-free einsum")
class v1_by_init(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.register_parameter(name, nn.Parameter(torch.empty(d_in, d_out)))
            nn.init.uniform_(getattr(self, name))
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x):
        q, k, v = (torch.einsum("...i,io->...o", x, matrix) for matrix in self.parameters())
        return self.softmax(torch.einsum("...qe,...ke->...qk", q, k) * q.shape[-1] ** -0.5) @ v


@right(why="the root as a buffer, the softmax written out")
class v1_with_a_buffer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.rand((d_in, d_out))) for _ in range(3))
        self.register_buffer("root", torch.tensor(d_out**0.5))

    def forward(self, x):
        keys = torch.matmul(x, self.W_key)
        queries = torch.matmul(x, self.W_query)
        values = torch.matmul(x, self.W_value)
        scores = torch.matmul(queries, keys.transpose(-1, -2)) / self.root
        powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
        return torch.matmul(powers / powers.sum(dim=-1, keepdim=True), values)


@right(why="sequence by sequence, as the note does without a batch")
class v1_by_sequence(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        if x.dim() > 2:
            return torch.stack([self(sequence) for sequence in x])
        scores = (x @ self.W_query) @ (x @ self.W_key).T
        return torch.softmax(scores / self.W_key.shape[1] ** 0.5, dim=1) @ (x @ self.W_value)


@right(why="the three matrices used together, queries scaled first")
class v1_together(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = (x @ torch.cat([self.W_query, self.W_key, self.W_value], dim=1)).chunk(3, dim=-1)
        return F.log_softmax((q / math.sqrt(q.shape[-1])) @ k.mT, dim=-1).exp() @ v


@right(why="float64 inside, F.linear, an inactive dropout")
class v1_in_float64(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.dropout = nn.Dropout(0.0)

    def forward(self, x):
        q, k, v = (F.linear(x.double(), matrix.T.double()) for matrix in (self.W_query, self.W_key, self.W_value))
        return (self.dropout(torch.softmax(q @ k.mT / math.sqrt(k.size(-1)), -1)) @ v).to(x.dtype)
