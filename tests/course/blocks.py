"""Transformer blocks for the tests: right ones in several layouts, and faulty ones."""

from importlib import import_module
from types import SimpleNamespace

from grader.suite import checks
from grader.suite.core.draw import Draw
from grader.suite.library.modules.free_names import built, filled, shapes_of

block_checks, block_dropout, block_naming, block_properties = (
    import_module(f"..hidden.07_transformer_block.block_{name}", __package__)
    for name in ("checks", "dropout", "naming", "properties")
)
block_twin, named_by_parts = block_checks.block_twin, block_naming.named_by_parts

SIZES = (15, 3, 22)


BLOCK = """
import math, torch
from torch import nn
from torch.nn import functional as F

class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.causal = num_heads, causal
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.widen, self.narrow = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def maps(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)

    def attend(self, x):
        q, k, v = (part.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for part in self.maps(x))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if self.causal:
            scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.narrow(torch.relu(self.widen(self.norm2(x)))))
"""


FUSED = """
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        self.heads, self.causal = num_heads, causal
        self.c_proj2, self.c_fc = nn.Linear(d_ff, d_model), nn.Linear(d_model, d_ff)
        self.ln_2, self.ln_1 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.c_attn, self.c_proj = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(dropout)

    def attend(self, x):
        q, k, v = self.c_attn(x).chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (q, k, v))
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if self.causal:
            scores = scores + torch.full(scores.shape[-2:], -1e9, dtype=x.dtype).triu(1)
        return self.c_proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.drop(self.attend(self.ln_1(x)))
        return x + self.drop(self.c_proj2(F.relu(self.c_fc(self.ln_2(x)))))
"""


FUTURE = "torch.ones_like(scores, dtype=torch.bool).triu(1)"


MASKS = {
    "a frozen mask of bool": "torch.ones(64, 64, dtype=torch.bool).triu(1)",
    "a frozen mask of floats": "torch.ones(64, 64).triu(1)",
}


def edited(text, *changes):
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def with_a_mask(mask):
    kept = f"        self.mask = nn.Parameter({mask}, requires_grad=False)\n"
    line = "        self.dropout = nn.Dropout(dropout)\n"
    return edited(BLOCK, (line, line + kept), (FUTURE, "self.mask[:x.shape[1], :x.shape[1]].bool()"))


RIGHT = {
    "as the solution": BLOCK,
    "fused, with biases": BLOCK + FUSED,
    **{name: with_a_mask(mask) for name, mask in MASKS.items()},
}


def local(text):
    space = {}
    exec(text, space)
    return SimpleNamespace(**space)


REFERENCE = SimpleNamespace(module=local(BLOCK))


FAULTS = {
    "no_relu": (("torch.relu(self.widen(self.norm2(x)))", "self.widen(self.norm2(x))"), ("F.relu", "")),
    "no_scaling": ((" / math.sqrt(q.shape[-1])", ""), (" * q.shape[-1] ** -0.5", "")),
    "keys_as_values": (("weights @ v", "weights @ k"), ("scores.softmax(-1) @ v", "scores.softmax(-1) @ k")),
    "post_norm": (
        ("x = x + self.dropout(self.attend(self.norm1(x)))", "x = self.norm1(x + self.attend(x))"),
        ("return x + self.dropout(self.narrow(torch.relu(self.widen(self.norm2(x)))))",
         "return self.norm2(x + self.narrow(torch.relu(self.widen(x))))"),
        ("x = x + self.drop(self.attend(self.ln_1(x)))", "x = self.ln_1(x + self.attend(x))"),
        ("return x + self.drop(self.c_proj2(F.relu(self.c_fc(self.ln_2(x)))))",
         "return self.ln_2(x + self.c_proj2(F.relu(self.c_fc(x))))"),
    ),
}  # fmt: skip


def faulty(name, text):
    return edited(text, *((old, new) for old, new in FAULTS[name] if old in text))


def random_block(student, **options):
    block, draw = built(student, "Block", *SIZES, **options), Draw(2)
    block.load(filled(shapes_of(block), lambda shape: draw.normal(*shape) * 0.5))
    return block


def values_match(student, **options):
    with named_by_parts(student, REFERENCE, Draw(4), "Block", *SIZES, **options):
        handle, module = block_twin(student, REFERENCE, Draw(3), "Block", *SIZES, **options)
        checks.module_matches(handle, module, Draw(5).normal(2, 5, 15))
