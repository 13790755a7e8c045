"""Small solutions to ask about: a function and a layer that mix tokens."""

from types import SimpleNamespace

from grader.suite.core.reference import Reference

HEAD = "import math\nimport torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"
WEIGHTS = """
def weights(q, k):
    return torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])), -1)
def hidden(t):
    return torch.ones(t, t, dtype=torch.bool).triu(1)
"""
ATTENTION = WEIGHTS + "def attention(q, k, v):\n    return weights(q, k) @ v\n"
LAYER = (
    WEIGHTS
    + """
class Layer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(d_in, d_out) for _ in range(3))
    def forward(self, x):
        w = weights(self.q(x), self.k(x))
        return w @ self.v(x), w
"""
)
SIZES = {
    "attention": ((2, 3, 5), (2, 4, 5), (2, 4, 6)),
    "causal": ((2, 4, 3),),
    "mixed": ((2, 4, 3), (3, 3), (3, 3), (3, 3)),
}


def solution(text):
    space = {}
    exec(HEAD + text, space)
    return Reference(SimpleNamespace(__name__="it", **space))
