"""Forbidden calls that come under a name by another way than an assignment, and exercises whose text says nothing."""

import importlib.util
import time
from pathlib import Path

import pytest

from grader.inside.choosing import read_text
from grader.inside.messages import Cell
from grader.inside.policy import absent, analyse, findings_in, read, stubs

HEAD = "import torch, sys, operator, contextlib\nfrom torch import nn\n"
GUILTY = {
    "getattr of two pieces": "def f(x): return getattr(torch, 'soft' + 'max')(x, 0)",
    "getattr of a formatted text": "def f(x): return getattr(torch, f\"soft{'max'}\")(x, 0)",
    "method by two pieces": "def f(x): return getattr(x, 'soft' + 'max')(0)",
    "import of two pieces": "def f(x): return __import__('to' + 'rch').softmax(x, 0)",
    "item by two pieces": "def f(x): return vars(torch)['soft' + 'max'](x, 0)",
    "attrgetter": "def f(x): return operator.attrgetter('softmax')(torch)(x, 0)",
    "attrgetter of a value": "def f(x): return operator.attrgetter('softmax')(x)(0)",
    "methodcaller": "def f(x): return operator.methodcaller('softmax', 0)(x)",
    "cumulative": "def f(x): return (x - torch.logcumsumexp(x, 0)[-1]).exp()",
    "cumulative method": "def f(x): return (x - x.logcumsumexp(0)[-1]).exp()",
    "fused attention": "def f(x): return torch.nn.functional.scaled_dot_product_attention(x, x, x)",
    "loop": "for g in [torch.softmax]: pass\ndef f(x): return g(x, 0)",
    "with": "with contextlib.nullcontext(torch.softmax) as g: pass\ndef f(x): return g(x, 0)",
    "match": "match torch.softmax:\n    case g: pass\ndef f(x): return g(x, 0)",
    "walrus": "print(g := torch.softmax)\ndef f(x): return g(x, 0)",
    "global of a helper": "def setup():\n    global g\n    g = torch.softmax\nsetup()\ndef f(x): return g(x, 0)",
    "global definition": "def setup():\n    global g\n    def g(x): return torch.softmax(x, 0)\n"
    "setup()\ndef f(x): return g(x)",
    "global import": "def setup():\n    global g\n    from torch import softmax as g\nsetup()\n"
    "def f(x): return g(x, 0)",
    "attribute of a class": "class N: pass\nN.g = torch.softmax\ndef f(x): return N.g(x, 0)",
    "attribute of itself": "def f(x): return f.g(x, 0)\nf.g = torch.softmax",
    "attribute set by a helper": "class N: pass\ndef setup(): N.g = torch.softmax\nsetup()\ndef f(x): return N.g(x, 0)",
    "setattr": "class N: pass\nsetattr(N, 'g', torch.softmax)\ndef f(x): return N.g(x, 0)",
    "item": "G = {}\nG['a'] = torch.softmax\ndef f(x): return G['a'](x, 0)",
    "added to a list": "g = []\ng += [torch.softmax]\ndef f(x): return g[0](x, 0)",
    "appended to a list": "g = []\ng.append(torch.softmax)\ndef f(x): return g[0](x, 0)",
    "partial in a list": "from functools import partial\ng = []\ng.append(partial(torch.softmax, dim=0))\n"
    "def f(x): return g[0](x)",
    "layer in a list": "g = []\ng.append(nn.Softmax(0))\ndef f(x): return g[0](x)",
    "globals": "globals()['g'] = torch.softmax\ndef f(x): return g(x, 0)",
    "globals, updated": "globals().update(g=torch.softmax)\ndef f(x): return g(x, 0)",
    "globals, updated by a dict": "globals().update({'g': torch.softmax})\ndef f(x): return g(x, 0)",
    "itself by globals": "def h(x): return torch.softmax(x, 0)\nglobals()['f'] = h",
    "itself by the module": "def h(x): return torch.softmax(x, 0)\nsetattr(sys.modules[__name__], 'f', h)",
    "lambda by globals": "globals()['g'] = lambda x: torch.softmax(x, 0)\ndef f(x): return g(x)",
}
INNOCENT = {
    "starred target": "*a, b = 1, 2, 3\ndef f(x):\n    *lead, T = x.shape\n    return x, lead, T",
    "starred target of a list": "[*a, b] = 1, 2\nfor *c, d in [[1, 2]]: pass\ndef f(x): return x + d",
    "results in a list": "seen = []\nseen.append(torch.softmax(torch.ones(2), 0))\ndef f(x): return seen and x",
    "results kept by another": "seen = {}\ndef other(x):\n    seen['w'] = torch.softmax(x, 0)\n    return seen['w']\n"
    "def f(x):\n    seen['f'] = x\n    return x",
    "result of a name": "w = torch.softmax(torch.ones(2), 0)\nseen = {}\nseen['w'] = w\ndef f(x): return seen and x",
    "attribute of a result": "def f(x): return x\nf.expected = torch.softmax(torch.ones(2), 0)",
    "loop over numbers": "for n in range(3): print(torch.softmax(torch.ones(n + 1), 0))\ndef f(x): return x + n",
    "local of the name": "def setup():\n    g = torch.softmax\n    return g\ndef g(x): return x\ndef f(x): return g(x)",
    "local list of the name": "g = []\ndef setup():\n    g = []\n    g.append(torch.softmax)\ndef f(x): return g and x",
    "parameter of the name": "G = {}\ndef setup(G): G['a'] = torch.softmax\ndef f(x): return G and x",
    "attribute of self": "class A:\n    def __init__(self): self.g = torch.softmax\ndef f(x): return x",
    "other name": "globals()['h'] = torch.softmax\ndef f(x): return x",
    "own getter": "def f(x): return operator.attrgetter('shape')(x)",
    "other text": "def f(x): return getattr(x, 'ex' + 'p')()",
}


def what(source):
    return [each.what for each in analyse([Cell(1, HEAD + source)], "x.py", False, {"f": ["softmax"], "other": []})]


@pytest.mark.parametrize("name", GUILTY)
def test_forbidden_call_that_is_handed_on_is_found(name):
    assert what(GUILTY[name])


@pytest.mark.parametrize("name", INNOCENT)
def test_numbers_that_a_call_gave_are_no_evidence(name):
    assert what(INNOCENT[name]) == []


def test_many_findings_of_one_exercise_do_not_hide_those_of_another():
    source = "import torch\ndef f(x):\n" + "    torch.softmax(x, 0)\n" * 500 + "def g(x): return torch.softmax(x, 0)\n"
    found = analyse([Cell(1, source)], "x.py", False, {"f": ["softmax"], "g": ["softmax"]})
    assert {each.exercise for each in found} == {"f", "g"}


def names_of(text):
    return read(read_text([Cell(1, text)], "x.py", False))


def test_expression_of_two_thousand_steps_hides_nothing():
    for step in (".a", "('a')", "['a']"):
        assert what("def f(x):\n    y = x" + step * 2000 + "\n    return torch.softmax(x, 0)\n") == ["torch.softmax"]


@pytest.mark.parametrize("module", ["test_grammar", "test_patma", "test_unpack_ex", "test_scope", "test_with"])
def test_every_form_of_python_can_be_read(module):
    """A form that the reading stumbles over would cost an honest answer its policy check."""
    place = importlib.util.find_spec(f"test.{module}")
    if place is None:
        pytest.skip("this Python was installed without its own tests")
    names = names_of(Path(place.origin).read_text(encoding="utf-8"))
    assert names.bindings
    findings_in(names, {name: ["softmax"] for name in names.bindings})


def seconds(text):
    started = time.process_time()
    assert analyse([Cell(1, text)], "x.py", False, {"f": ["softmax"]})
    return time.process_time() - started


def test_nested_classes_are_read_as_fast_as_classes_side_by_side():
    body, call = "a = 1; " * 60 + "\n", "import torch\ndef f(x): return torch.softmax(x, 0)\n"
    nested = "".join(" " * depth + f"class C{depth}:\n" for depth in range(85)) + (" " * 85 + body) * 150 + call
    beside = "class C:\n pass\n" * 84 + "class D:\n" + (" " + body) * 150 + call
    assert min(seconds(nested) for _ in range(2)) < 4 * min(seconds(beside) for _ in range(2))


STUB = "def f(x):\n    '''Do it.'''\n    # YOUR CODE HERE\n    raise NotImplementedError\n"
LAYER = "class f(nn.Module):\n    def forward(self, x):\n        raise NotImplementedError()\n"
WRITTEN = [
    "def f(x):\n    if x.dim():\n        return x\n    raise NotImplementedError\n",
    STUB + "f = lambda x: x\n",
    STUB + "globals()['f'] = lambda x: x\n",
    STUB + "if True:\n    def f(x): return x\n",
    "def f(x):\n    yield x\n    raise NotImplementedError\n",
    "class f(nn.Module):\n    def forward(self, x): return x\n    def extra(self): raise NotImplementedError\n",
    LAYER + "f.forward = lambda self, x: x\n",
    LAYER + "    def __init__(self):\n        super().__init__()\n        self.forward = lambda x: x\n",
]


@pytest.mark.parametrize("text", [STUB, LAYER, "g = 1\n" + STUB + "def other(x):\n    global f\n    f = torch.exp\n"])
def test_stub_is_one_whatever_other_functions_put_in_its_place(text):
    assert stubs(names_of(HEAD + text), ["f"]) == ["f"]


@pytest.mark.parametrize("text", WRITTEN)
def test_what_may_answer_is_no_stub(text):
    names = names_of(HEAD + text)
    assert stubs(names, ["f"]) == [] and absent(names, ["f"]) == []


def test_exercise_that_only_runs_into_being_is_absent_from_the_text():
    names = names_of("exec('def f(x): return x')\n")
    assert absent(names, ["f"]) == ["f"] and stubs(names, ["f"]) == []
