"""What plainly cannot run is no evidence of a forbidden call; whatever may run is read as before."""

import pytest

from grader.inside.messages import Cell
from grader.inside.policy import analyse

HEAD = "import torch, math\nimport torch.nn.functional as F\nfrom torch import nn\n"
OPS = (
    "class Ops:\n    @staticmethod\n    def naive(x): return x.exp()\n"
    "    @staticmethod\n    def library(x): return torch.softmax(x, 0)\n"
)
LAYER = "class f(nn.Module):\n    def forward(self, x): return x\n    def fast(self, x): return torch.softmax(x, 0)\n"
PLAIN = "class H:\n    def run(self, x): return torch.softmax(x, 0)\n"
DEBUG = "\ndef f(x):\n    if DEBUG:\n        return torch.softmax(x, 0)\n    return x\n"
INNOCENT = {
    "sibling under another exercise": OPS + "f = Ops.naive\ng = Ops.library",
    "sibling that is called on the side": OPS + "def f(x): return Ops.naive(x)\nprint(Ops.library(torch.ones(2)))",
    "method for a look at home": LAYER + "if __name__ == '__main__':\n    print(f().fast(torch.ones(2)))",
    "method beside a module's eval": LAYER + "if __name__ == '__main__':\n    print(f().eval().fast(torch.ones(2)))",
    "method without gradients": LAYER.replace("    def fast", "    @torch.no_grad()\n    def fast")
    + "if __name__ == '__main__':\n    print(f().fast(torch.ones(2)))",
    "method that only a resting one calls": LAYER + "    def check(self, x): return self.fast(x)",
    "switched off": "DEBUG = False" + DEBUG,
    "switched off by a number": "DEBUG = 0" + DEBUG,
    "never": "def f(x):\n    if False:\n        return torch.softmax(x, 0)\n    return x",
    "else of what is switched on": "PLAIN = True\ndef f(x):\n    if PLAIN:\n        return x.exp()\n"
    "    else:\n        return torch.softmax(x, 0)",
}
GUILTY = {
    "sibling itself": OPS + "f = Ops.library",
    "method of a method": LAYER.replace("return x\n", "return self.a(x)\n") + "    def a(self, x): return self.fast(x)",
    "handed to the class": LAYER + "f.forward = f.fast",
    "handed on by a helper": LAYER + "def patch(c): c.forward = c.fast\npatch(f)",
    "handed on by a name": LAYER + "g = f.fast\nf.forward = g",
    "handed on by a lambda": LAYER + "f.forward = lambda self, x: self.fast(x)",
    "handed on by setattr": LAYER + "setattr(f, 'forward', getattr(f, 'fast'))",
    "handed on by two pieces": LAYER + "setattr(f, 'forward', getattr(f, 'fa' + 'st'))",
    "handed on by the dictionary": LAYER + "f.forward = f.__dict__['fast']",
    "handed on by another getattr": LAYER + "look = getattr\nf.forward = look(f, 'fa' + 'st')",
    "handed on by a renamed getter": "from operator import attrgetter as a\n" + LAYER + "f.forward = a('fa' + 'st')(f)",
    "handed on by a tuple": LAYER + "f.forward, n = f.fast, 1",
    "handed on by eval": "import builtins as b\n" + LAYER + "f.forward = b.eval('f.fa' 'st')",
    "handed on by another eval": "import builtins as b\n" + LAYER + "e = b.eval\nf.forward = e('f.fa' 'st')",
    "looked up by pieces": LAYER.replace("return x\n", "return getattr(self, 'fa' + 'st')(x)\n"),
    "looked up by a variable": LAYER.replace("return x\n", "return [getattr(self, n) for n in dir(self)]\n"),
    "handed on by the name of the dictionary": LAYER + "f.forward = getattr(f, '__dict__')['fa' + 'st']",
    "handed on by a method's method": LAYER + "f.forward = f.fast.__get__",
    "handed on by the function of a method": LAYER + "f.forward = f().fast.__func__",
    "handed on by getattr's method": LAYER + "f.forward = getattr.__call__(f, 'fa' + 'st')",
    "handed on by the builtins": LAYER + "f.forward = __builtins__['getattr'](f, 'fa' + 'st')",
    "handed on by all members": "import inspect\n" + LAYER + "f.forward = inspect.getmembers_static(f)[3][1]",
    "handed on by the documentation": "import pydoc\n" + LAYER + "f.forward = pydoc.allmethods(f)['fa' + 'st']",
    "handed on by its place": "import pkgutil\n" + LAYER + "f.forward = pkgutil.resolve_name('x:f.fast')",
    "handed on by a format": "import string\n" + LAYER + "f.forward = string.Formatter().get_field('0.fast', [f], {})",
    "handed on by a frame": "import sys\n" + LAYER + "f.forward = sys._getframe().f_globals['f'].fast.__call__",
    "handed on by a pattern": LAYER + "match f():\n    case f(fast=g): f.forward = g",
    "handed on by a pattern without names": LAYER + "f.__match_args__ = ('fa' + 'st',)\n"
    "match f():\n    case f(g): f.forward = g",
    "installed on the side": "class f(nn.Module):\n    def forward(self, x): return self.act(x)\n"
    "    def prepare(self): f.act = nn.Softmax(0)\nf().prepare()",
    "put into a table on the side": "T = {}\nclass H:\n    def fill(self): T['a'] = torch.softmax\nH().fill()\n"
    "def f(x): return H and T['a'](x, 0)",
    "put into a list on the side": "T = []\nclass H:\n    def fill(self): T.append(torch.softmax)\nH().fill()\n"
    "def f(x): return H and T[0](x, 0)",
    "made a part by the way": "class H(nn.Module):\n"
    "    def fill(self, part): return part.register_module('core', nn.Softmax(0))\n"
    "class f(nn.Module):\n"
    "    def forward(self, x): return H and self.core(x)\nH().fill(f())",
    "put into a list by the way": "T = []\nclass H:\n    def fill(self): return T.append(torch.softmax)\nH().fill()\n"
    "def f(x): return H and T[0](x, 0)",
    "called by a base": "class B(nn.Module):\n    def forward(self, x): return self.core(x)\n"
    "class f(B):\n    def core(self, x): return torch.softmax(x, 0)",
    "called by an unknown base": "class f(nn.Transformer):\n    def _reset(self, x): return torch.softmax(x, 0)",
    "called by a base's base": "class B(nn.Transformer): pass\n"
    "class f(B):\n    def _reset(self, x): return torch.softmax(x, 0)",
    "called by torch": "class f(nn.Module):\n    def extra_repr(self): return str(torch.softmax(self.x, 0))",
    "another name of the class": "class f:\n    def fast(self, x): return torch.softmax(x, 0)\n    __call__ = fast",
    "hook": LAYER.replace("return x\n", "return self.register_forward_hook(self.fast)\n"),
    "property": "class f(nn.Module):\n    def forward(self, x): return self.s(x)\n"
    "    @property\n    def s(self): return nn.Softmax(0)",
    "instance": PLAIN + "h = H()\ndef f(x): return h.run(x)",
    "called by a helper": PLAIN + "def go(h, x): return h.run(x)\ndef f(x): return go(H(), x)",
    "returned by a helper": PLAIN + "def pick(): return H().run\ndef f(x): return pick()(x)",
    "under a name": PLAIN + "g = H.run\ndef f(x): return g(None, x)",
    "in a table": PLAIN + "T = {'a': H.run}\ndef f(x): return T['a'](None, x)",
    "registered": "kept = []\ndef keep(g):\n    kept.append(g)\n    return g\n"
    "class H:\n    @keep\n    def run(x): return torch.softmax(x, 0)\ndef f(x): return H and kept[0](x)",
    "registered under another's name": "kept = []\ndef staticmethod(g):\n    kept.append(g)\n    return g\n"
    "class H:\n    @staticmethod\n    def run(x): return torch.softmax(x, 0)\ndef f(x): return H and kept[0](x)",
    "switched on": "DEBUG = True" + DEBUG,
    "switched on later": "DEBUG = False" + DEBUG + "DEBUG = True",
    "switched on by a function": "DEBUG = False\ndef on():\n    global DEBUG\n    DEBUG = True\non()" + DEBUG,
    "switched on by a loop": "DEBUG = False\nfor DEBUG in [True]: pass" + DEBUG,
    "switched on by the text's names": "DEBUG = False\nglobals()['DEBUG'] = 1" + DEBUG,
    "switched on by a keyword": "DEBUG = False\nglobals().update(DEBUG=1)" + DEBUG,
    "switched on by two pieces": "DEBUG = False\nglobals()['DE' + 'BUG'] = 1" + DEBUG,
    "switched on by the module": "import sys\nDEBUG = False\nsetattr(sys.modules[__name__], 'DE' + 'BUG', 1)" + DEBUG,
    "switched on by a match": "DEBUG = False\nmatch 1:\n    case DEBUG: pass" + DEBUG,
    "switched on by a walrus": "DEBUG = False\nprint(DEBUG := True)" + DEBUG,
    "switched on by a with": "import contextlib\nDEBUG = False\nwith contextlib.nullcontext(1) as DEBUG: pass" + DEBUG,
    "switched on by an import of everything": "e = False\nfrom math import *" + DEBUG.replace("DEBUG", "e"),
    "switched on by a function's import": "DEBUG = False\ndef on():\n    global DEBUG\n    import os as DEBUG\non()"
    + DEBUG,
    "switched on by the own module": "import x\nDEBUG = False\nx.DEBUG = True" + DEBUG,
    "switched on by what lies behind": "license = False\ndel license" + DEBUG.replace("DEBUG", "license"),
    "switched on by the rest of a match": "DEBUG = False\nmatch {1: 2}:\n    case {**DEBUG}: pass" + DEBUG,
    "switched on by a function's names": "DEBUG = False\nwhat = lambda: 1\nwhat.__globals__['DE' + 'BUG'] = 1" + DEBUG,
    "switched on by an addition": "DEBUG = 0\nDEBUG += 1" + DEBUG,
    "switched on in a branch": "if torch:\n    DEBUG = True\nelse:\n    DEBUG = False" + DEBUG,
    "parameter of the name": "DEBUG = False\ndef f(x, DEBUG=True):\n    if DEBUG:\n        return torch.softmax(x, 0)",
    "not switched off": "DEBUG = False\ndef f(x):\n    if not DEBUG:\n        return torch.softmax(x, 0)",
}


def what(source):
    exercises = {"f": ["softmax"], "g": []} if "g = Ops" in source else {"f": ["softmax"]}
    return [each.what for each in analyse([Cell(1, HEAD + source)], "x.py", False, exercises)]


@pytest.mark.parametrize("name", INNOCENT)
def test_what_plainly_cannot_run_is_no_evidence(name):
    assert what(INNOCENT[name]) == []


@pytest.mark.parametrize("name", GUILTY)
def test_whatever_may_run_is_read(name):
    assert what(GUILTY[name])
