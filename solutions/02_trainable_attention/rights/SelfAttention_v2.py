"""Right answers to `SelfAttention_v2` in other styles than the solution's, which must have full marks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import right, solution


@right(why="einsum, layers made by setattr")
class v2_by_einsum(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        for name in ("query", "key", "value"):
            setattr(self, f"W_{name}", nn.Linear(d_in, d_out, qkv_bias))

    def forward(self, x):
        scores = torch.einsum("...qe,...ke->...qk", self.W_query(x), self.W_key(x))
        return torch.einsum(
            "...qk,...ke->...qe",
            scores.div(scores.new_tensor(self.W_key.out_features).sqrt()).softmax(-1),
            self.W_value(x),
        )


@right(why="the layers' weights used by hand, biases added where there are any")
class v2_by_hand(solution.SelfAttention_v2):
    def forward(self, x):
        projected = []
        for layer in (self.W_query, self.W_key, self.W_value):
            product = x @ layer.weight.transpose(0, 1)
            projected.append(product if layer.bias is None else product + layer.bias)
        queries, keys, values = projected
        scores = queries @ keys.mT / math.sqrt(keys.size(-1))
        powers = (scores - scores.amax(-1, keepdim=True)).exp()
        return (powers @ values) / powers.sum(-1, keepdim=True)


@right(why="sequences flattened for bmm, a dropout of 0")
class v2_by_bmm(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.scale = d_out**-0.5
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(p=0.0)

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-2], x.shape[-1])
        weights = torch.bmm(self.W_query(flat), self.W_key(flat).transpose(1, 2)).mul(self.scale).softmax(dim=2)
        return torch.bmm(self.dropout(weights), self.W_value(flat)).view(*x.shape[:-1], -1)


@right(why="a loop over the queries")
class v2_by_loop(solution.SelfAttention_v2):
    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        output = torch.zeros_like(values)
        for t in range(x.shape[-2]):
            scores = (keys * queries[..., t : t + 1, :]).sum(-1) / math.sqrt(keys.shape[-1])
            output[..., t, :] = (F.softmax(scores, dim=-1).unsqueeze(-1) * values).sum(-2)
        return output
