"""Forbidden library calls are found in a student's text through aliases and helpers, and nothing else is accused."""

import pytest

from grader.inside.messages import Cell
from grader.inside.policy import analyse

IMPORTS = "import torch, math\nimport torch.nn.functional as F\nfrom torch import nn\n"


def found(source, group="softmax", exercises=None, notebook=False):
    cells = [Cell(n, text) for n, text in enumerate(source, 1)] if notebook else [Cell(1, source)]
    return analyse(cells, "x.py", notebook, exercises or {"f": [group]})


def what(source, group="softmax", exercises=None):
    return [finding.what for finding in found(IMPORTS + source, group, exercises)]


GUILTY = {
    "plain": "def f(x): return torch.softmax(x, 0)",
    "functional": "def f(x): return F.softmax(x, 0)",
    "method": "def f(x): return x.softmax(0)",
    "method of a result": "def f(x): return (x - x.max()).log_softmax(0).exp()",
    "logsumexp": "def f(x): return (x - torch.logsumexp(x, 0)).exp()",
    "softmin": "def f(x): return F.softmin(-x, 0)",
    "special": "def f(x): return torch.special.softmax(x, 0)",
    "layer": "def f(x): return nn.Softmax(dim=0)(x)",
    "layer kept": "soft = nn.Softmax(dim=0)\ndef f(x): return soft(x)",
    "aten": "def f(x): return torch.ops.aten._softmax(x, 0, False)",
    "aten overload": "def f(x): return torch.ops.aten._softmax.default(x, 0, False)",
    "private": "def f(x): return torch._C._VariableFunctions.softmax(x, 0)",
    "getattr": "def f(x): return getattr(torch, 'softmax')(x, 0)",
    "getattr of a tensor": "def f(x): return getattr(x, 'softmax')(0)",
    "getattr by a name": "HEAD = 'soft'\nOP = HEAD + 'max'\ndef f(x): return getattr(torch, OP)(x, 0)",
    "getattr by a name of its own": "def f(x):\n    op = f'{\"soft\"}max'\n    return getattr(x, op)(0)",
    "dict": "def f(x): return torch.__dict__['softmax'](x, 0)",
    "vars": "def f(x): return vars(torch)['softmax'](x, 0)",
    "module alias": "import torch.nn.functional as Fn\ndef f(x): return Fn.softmax(x, 0)",
    "from import": "from torch import softmax as s\ndef f(x): return s(x, 0)",
    "from import of the name itself": "from torch import softmax as f",
    "import inside": "def f(x):\n    from torch.nn.functional import softmax\n    return softmax(x, 0)",
    "import module inside": "def f(x):\n    import torch as t\n    return t.softmax(x, 0)",
    "assigned": "sm = torch.softmax\ndef f(x): return sm(x, 0)",
    "assigned inside": "def f(x):\n    sm = torch.softmax\n    return sm(x, 0)",
    "assigned in a tuple": "a, sm = 1, torch.softmax\ndef f(x): return sm(x, 0)",
    "alias of an alias": "t = torch\nu = t\ndef f(x): return u.softmax(x, 0)",
    "bound itself": "f = torch.softmax",
    "lambda": "f = lambda x: torch.softmax(x, 0)",
    "partial": "from functools import partial\nf = partial(torch.softmax, dim=0)",
    "helper": "def helper(x): return torch.softmax(x, 0)\ndef f(x): return helper(x)",
    "helper of a helper": "def a(x): return torch.softmax(x, 0)\ndef b(x): return a(x)\ndef f(x): return b(x)",
    "helper below": "def f(x): return late(x)\ndef late(x): return torch.softmax(x, 0)",
    "class": "class H:\n    def run(self, x): return torch.softmax(x, 0)\ndef f(x): return H().run(x)",
    "nested function": "def f(x):\n    def inner(y): return torch.softmax(y, 0)\n    return inner(x)",
    "decorator": "def d(g): return lambda x: torch.softmax(x, 0)\n@d\ndef f(x): return x",
    "default": "def f(x, g=torch.softmax): return g(x, 0)",
    "star": "from torch.nn.functional import *\ndef f(x): return softmax(x, 0)",
    "importlib": "import importlib\ndef f(x): return importlib.import_module('torch').softmax(x, 0)",
    "__import__": "def f(x): return __import__('torch').softmax(x, 0)",
    "sys.modules": "import sys\ndef f(x): return sys.modules['torch'].softmax(x, 0)",
    "in a branch": "if True:\n    def f(x): return torch.softmax(x, 0)\nelse:\n    def f(x): return x",
    "in the else": "if False:\n    def f(x): return x\nelse:\n    def f(x): return torch.softmax(x, 0)",
    "in an elif": "if 0:\n    pass\nelif 1:\n    def f(x): return torch.softmax(x, 0)\nelse:\n    def f(x): return x",
    "in a try": "try:\n    def f(x): return torch.softmax(x, 0)\nexcept NameError:\n    def f(x): return x",
    "in a handler": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    def f(x): return torch.softmax(x, 0)",
    "in a match": "match 1:\n    case 1:\n        def f(x): return torch.softmax(x, 0)\n"
    "    case _:\n        def f(x): return x",
    "alias of a branch": "if True:\n    s = torch.softmax\n    def f(x): return s(x, 0)",
    "both branches": "try:\n    from scipy.special import softmax as s\nexcept ImportError:\n"
    "    from torch import softmax as s\ndef f(x): return s(x, 0)",
    "base class": "class f(nn.Softmax): pass",
    "submodule": "class f(nn.Module):\n    def __init__(self):\n"
    "        super().__init__()\n        self.softmax = nn.Softmax(-1)\n"
    "    def forward(self, x): return self.softmax(x)",
    "comprehension": "def f(x): return torch.stack([torch.softmax(r, 0) for r in x])",
    "handed on": "def f(x): return apply_to(torch.softmax, x)\ndef apply_to(g, x): return g(x, 0)",
}  # fmt: skip

INNOCENT = {
    "by hand": "def f(x):\n    e = torch.exp(x)\n    return e / e.sum()",
    "docstring and comment": "def f(x):\n    '''Not torch.softmax(x, 0).'''\n"
    "    # torch.softmax(x, 0)\n    return x.exp() / x.exp().sum()",
    "string": "def f(x): return print('torch.softmax', x)",
    "own function of the name": "def softmax(x): return x.exp() / x.exp().sum()\ndef f(x): return softmax(x)",
    "own method of the name": "class H:\n    def softmax(self, x): return x\nh = H()\ndef f(x): return h.softmax(x)",
    "own attribute": "class f:\n    def __init__(self): self.softmax = lambda x: x\n"
    "    def __call__(self, x): return self.softmax(x)",
    "variable of the name": "def f(x):\n    softmax = x.exp()\n    return softmax / softmax.sum()",
    "parameter of the name": "def f(x, softmax=None): return x if softmax is None else softmax",
    "parameter hides the module": "def f(torch, x): return torch",
    "import alone": "from torch import softmax\ndef f(x): return x",
    "unused helper": "def other(x): return torch.softmax(x, 0)\ndef f(x): return x",
    "earlier definition": "def f(x): return torch.softmax(x, 0)\ndef f(x): return x",
    "scratch call at the top": "def f(x): return x\nprint(torch.softmax(torch.ones(2), 0))",
    "main block": "def f(x): return x\nif __name__ == '__main__':\n"
    "    assert torch.allclose(f(torch.ones(1)), torch.softmax(torch.ones(1), 0))",
    "annotation": "def f(x: torch.softmax) -> 'torch.softmax': return x",
    "elsewhere in the block": "if True:\n    def f(x): return x.exp() / x.exp().sum()\n"
    "    print(torch.softmax(torch.ones(2), 0))",
    "neighbour in the block": "try:\n    def f(x): return x\n    def other(x): return torch.softmax(x, 0)\n"
    "except NameError:\n    check = torch.softmax",
    "inside of with and for": "with torch.no_grad():\n    for n in range(2):\n        def f(x): return x\n"
    "        assert torch.softmax(torch.ones(n + 1), 0) is not None",
    "redefined in the block": "if True:\n    def f(x): return torch.softmax(x, 0)\n    def f(x): return x",
    "fallback of its own": "try:\n    from torch import softmax as s\nexcept ImportError:\n"
    "    def s(x, d): return x\ndef f(x): return s(x, 0)",
    "other softened thing": "def f(x): return F.softplus(x) + torch.sigmoid(x) + x.argmax()",
    "star hidden by an own name": "from torch import *\ndef softmax(x): return x\ndef f(x): return softmax(x)",
    "broken text": "def f(x: return torch.softmax(x, 0)",
    "text of the name": "KEY = 'softmax'\ndef f(x):\n    out = {KEY: x}\n    print(KEY)\n    return out[KEY]",
    "text that doubles": "a0 = 'softmax'\n"
    + "".join(f"a{n + 1} = a{n} + a{n}\n" for n in range(60))
    + "def f(x): return getattr(x, a60, x)",
    "dictionary key": "def f(x): return {'softmax': x}['softmax']",
    "absent": "def g(x): return torch.softmax(x, 0)",
}  # fmt: skip


@pytest.mark.parametrize("name", GUILTY)
def test_forbidden_call_is_found(name):
    (first, *_) = what(GUILTY[name])
    assert first.rpartition(".")[2].lower().strip("_") in ("softmax", "log_softmax", "logsumexp", "softmin", "default")


@pytest.mark.parametrize("name", INNOCENT)
def test_nobody_is_accused_without_plain_evidence(name):
    assert what(INNOCENT[name]) == []


@pytest.mark.parametrize(
    ("group", "source"),
    [
        ("attention", "def f(q, k, v): return F.scaled_dot_product_attention(q, k, v)"),
        ("attention", "class f(nn.Module):\n    def __init__(self): self.a = nn.MultiheadAttention(4, 2)"),
        ("attention", "def f(*a): return F.multi_head_attention_forward(*a)"),
        ("causal_mask", "def f(n): return nn.Transformer.generate_square_subsequent_mask(n)"),
        ("layer_norm", "def f(x): return F.layer_norm(x, (3,))"),
        ("layer_norm", "f = nn.LayerNorm(3)"),
        ("layer_norm", "def f(x): return F.rms_norm(x, (3,)) + nn.GroupNorm(1, 3)(x)"),
        ("batch_norm", "def f(x): return nn.BatchNorm1d(3)(x)"),
        ("batch_norm", "def f(x): return F.instance_norm(x)"),
        ("transformer_layer", "def f(x): return nn.TransformerEncoderLayer(4, 2)(x)"),
    ],
)
def test_each_group_finds_its_calls_and_no_other_groups(group, source):
    assert what(source, group)
    others = {"attention", "causal_mask", "layer_norm", "batch_norm", "transformer_layer", "softmax"} - {group}
    others -= {"softmax"} if group == "attention" else set()  # a fused attention is a softmax as well
    assert all(what(source, other) == [] for other in others)


TWO = "def g(x): return torch.softmax(x, 0)\ndef f(x): return g(x)"


def test_other_exercise_is_followed_only_where_it_forbids_the_same():
    assert what(TWO, exercises={"f": ["softmax"], "g": []}) == []
    assert {finding.exercise for finding in found(IMPORTS + TWO, exercises={"f": ["softmax"], "g": ["softmax"]})} == {
        "f",
        "g",
    }


def test_finding_names_its_line_and_cell():
    (finding,) = found(
        ["import torch", "%matplotlib inline\n\ndef f(x):\n    return torch.softmax(x, 0)"], notebook=True
    )
    assert (finding.cell, finding.line, finding.what) == (2, 4, "torch.softmax")


def test_one_line_is_told_once():
    assert len(what("def f(x): return torch.ops.aten._softmax.default(x, 0, False)")) == 1


def test_broken_part_does_not_hide_the_others():
    source = "# %%\nimport torch\n# %%\ndef g(x: pass\n# %%\ndef f(x): return torch.softmax(x, 0)\n"
    assert [finding.line for finding in found(source)] == [6]


def test_unknown_group_is_refused_with_the_known_ones():
    with pytest.raises(LookupError, match="attention, batch_norm"):
        what("f = 1", "softmx")


def test_block_too_deep_to_follow_does_not_hide_the_others():
    deep = "y = x" + ".a" * 900 + "\n" + "if 0:\n    pass\n" + "elif 0:\n    pass\n" * 500
    assert what(deep + "def f(x): return torch.softmax(x, 0)\n")


def test_expression_too_deep_to_follow_accuses_nobody():
    assert found("def f(x): return x" + ".a" * 3000 + "\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "def f(n): return nn.Transformer.generate_square_subsequent_mask(n)",
        "def f(n): return nn.Transformer(4, 1, 1, 1, 4).generate_square_subsequent_mask(n)",
        "model = nn.Transformer(4, 1, 1, 1, 4)\ndef f(s): return s + model.generate_square_subsequent_mask(len(s))",
    ],
)
def test_the_library_mask_is_found_on_the_class_and_on_an_instance(text):
    assert what(text, "causal_mask") == ["torch.nn.Transformer.generate_square_subsequent_mask"]
