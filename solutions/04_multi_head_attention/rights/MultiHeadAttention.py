"""Right answers to `MultiHeadAttention` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, right


@helper
class Head(nn.Module):
    def __init__(self, embedding_dim, attention_dim, bias=True):
        super().__init__()
        self.q = nn.Linear(embedding_dim, attention_dim, bias=bias)
        self.k = nn.Linear(embedding_dim, attention_dim, bias=bias)
        self.v = nn.Linear(embedding_dim, attention_dim, bias=bias)
        self.divisor = math.sqrt(attention_dim)
        self.dim = -1

    def forward(self, x):
        weights = torch.softmax(self.q(x) @ self.k(x).mT / self.divisor, dim=self.dim)
        return weights @ self.v(x), weights


@helper
class Heads(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("not divisible")
        self.attentions = nn.ModuleList(Head(embed_dim, embed_dim // num_heads) for _ in range(num_heads))
        self.fc = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in self.attentions], dim=-1))


@right(why="an assert, a filled buffer and fc made first")
class concat_other_order(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.fc = nn.Linear(embed_dim, embed_dim)
        size = embed_dim // num_heads
        self.attentions = nn.ModuleList()
        for _ in range(num_heads):
            layers = {name: nn.Linear(embed_dim, size) for name in ("v", "k", "q")}
            self.attentions.append(nn.ModuleDict(layers))
        self.register_buffer("root", torch.tensor(float(size)).sqrt(), persistent=False)

    def forward(self, x):
        B, T, embed_dim = x.shape
        merged = torch.empty(B, T, embed_dim, dtype=x.dtype, device=x.device)
        size = embed_dim // len(self.attentions)
        for h, head in enumerate(self.attentions):
            scores = torch.einsum("bid,bjd->bij", head["q"](x), head["k"](x)) / math.sqrt(size)
            merged[..., h * size : (h + 1) * size] = F.softmax(scores, dim=2) @ head["v"](x)
        return self.fc(merged)


@right(why="the heads' layers used together, as one tensor with a head axis")
class concat_stacked(Heads):
    def forward(self, x):
        q, k, v = (torch.stack([getattr(head, name)(x) for head in self.attentions], dim=1) for name in ("q", "k", "v"))
        context = torch.softmax((q * q.size(-1) ** -0.5) @ k.transpose(-1, -2), dim=-1) @ v
        return self.fc(context.transpose(1, 2).reshape(x.shape))


@right(why="fc taken head by head and summed, queries and keys each scaled by the fourth root")
class concat_fc_by_head(Heads):
    def forward(self, x):
        output = self.fc.bias.expand(x.shape).clone()
        for head, columns in zip(self.attentions, self.fc.weight.chunk(len(self.attentions), dim=1), strict=True):
            root = head.q.out_features**0.25
            scores = (head.q(x) / root) @ (head.k(x) / root).mT
            exponentials = (scores - scores.amax(-1, keepdim=True)).exp()
            output += (exponentials / exponentials.sum(-1, keepdim=True)) @ head.v(x) @ columns.T
        return output
