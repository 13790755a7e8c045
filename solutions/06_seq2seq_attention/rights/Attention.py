"""Right answers to `Attention` in other styles than the solution's, which must have full marks."""

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import right


@right(why="repeat, a sum over the features, bmm, v drawn by randn before attn")
class attn_in_small_steps(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.v = nn.Parameter(torch.randn(hidden_size))
        self.attn = nn.Linear(hidden_size * 2, hidden_size)

    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).repeat(1, encoder_outputs.size(1), 1)
        energy = torch.tanh(self.attn(torch.cat((repeated, encoder_outputs), dim=2)))
        weights = F.softmax(torch.sum(self.v * energy, dim=2), dim=1)
        context = torch.bmm(weights.unsqueeze(1), encoder_outputs).squeeze(1)
        return context, weights


@right(why="the halves of attn taken apart and added, einsum")
class attn_as_two_layers(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = nn.Parameter(torch.empty(hidden_size).uniform_(-0.1, 0.1))

    def forward(self, hidden, encoder_outputs):
        asked, read = self.attn.weight.split(self.v.shape[0], dim=1)
        summed = (hidden @ asked.T).unsqueeze(1) + encoder_outputs @ read.T + self.attn.bias
        weights = torch.einsum("bth,h->bt", summed.tanh(), self.v).softmax(dim=1)
        return torch.einsum("bt,bth->bh", weights, encoder_outputs), weights


@right(why="a loop over the tokens and a plain exponential")
class attn_by_loop(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = nn.Parameter(torch.ones(hidden_size))

    def forward(self, hidden, encoder_outputs):
        scores = []
        for t in range(encoder_outputs.shape[1]):
            energy = torch.tanh(self.attn(torch.cat([hidden, encoder_outputs[:, t]], dim=1)))
            scores.append((energy * self.v).sum(dim=1))
        exponentials = torch.stack(scores, dim=1).exp()
        weights = exponentials / exponentials.sum(dim=1, keepdim=True)
        context = sum(weights[:, t, None] * encoder_outputs[:, t] for t in range(encoder_outputs.shape[1]))
        return context, weights


@right(why="float64 inside, weights with the tokens as columns, a buffer of its own")
class attn_in_float64(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = nn.Parameter(torch.rand(hidden_size))
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))

    def forward(self, hidden, encoder_outputs):
        self.calls += 1
        outputs = encoder_outputs.double()
        pairs = torch.cat([hidden.double()[:, None].expand(-1, outputs.size(1), -1), outputs], -1)
        energy = torch.tanh(F.linear(pairs, self.attn.weight.double(), self.attn.bias.double()))
        scores = torch.matmul(energy, self.v.double()[:, None])  # (B, T, 1)
        weights = torch.softmax(scores, dim=1)
        context = (outputs * weights).sum(dim=1)
        return context.to(hidden.dtype), weights[..., 0].to(hidden.dtype)


@right(why="its own layer class behind the name attn, results that are views")
class attn_own_layer(nn.Module):
    class Layer(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(size, 2 * size) / size)
            self.bias = nn.Parameter(torch.zeros(size))

        def forward(self, left, right):
            return torch.cat([left, right], dim=-1) @ self.weight.T + self.bias

    def __init__(self, hidden_size):
        super().__init__()
        self.attn = self.Layer(hidden_size)
        self.v = nn.Parameter(torch.full((hidden_size,), 0.5))

    def forward(self, hidden, encoder_outputs):
        tokens_first = encoder_outputs.transpose(0, 1)  # (T, B, h)
        energy = torch.tanh(self.attn(hidden.expand(len(tokens_first), -1, -1), tokens_first))
        weights = torch.softmax((energy * self.v).sum(-1), dim=0)  # (T, B)
        context = torch.einsum("tb,tbh->hb", weights, tokens_first)
        return context.T, weights.T
