"""Small solutions to ask about."""

from types import SimpleNamespace

from grader.suite.core.reference import Reference

HEAD = "import math\nimport torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"


def solution(text):
    space = {}
    exec(HEAD + text, space)
    return Reference(SimpleNamespace(__name__="it", **space))
