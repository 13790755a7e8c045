"""More right answers to `TransformerBlock`."""

import torch
from torch import nn

from grader.course.variants import right


@right(why="three layers with biases for each head, which for one head have the shape of a norm's shift")
class block_of_small_layers(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        size = d_model // num_heads
        self.causal, self.root = causal, size**0.5
        self.heads = nn.ModuleList(nn.ModuleList(nn.Linear(d_model, size) for _ in "qkv") for _ in range(num_heads))
        self.out = nn.Linear(d_model, d_model)
        self.before_heads, self.before_network = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.network = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
        self.dropout = nn.Dropout(dropout)

    def attend(self, x):
        q, k, v = (torch.stack([head[role](x) for head in self.heads], dim=1) for role in range(3))
        scores = q @ k.mT / self.root
        if self.causal:
            scores = scores.masked_fill(torch.ones_like(scores[0, 0], dtype=torch.bool).triu(1), -torch.inf)
        return self.out((self.dropout(scores.softmax(dim=-1)) @ v).transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.dropout(self.attend(self.before_heads(x)))
        return x + self.dropout(self.network(self.before_network(x)))
