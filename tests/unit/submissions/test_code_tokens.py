"""Code in tokens: what a student may change without changing them, and that no text is too much for the expression."""

import re

import pytest

from grader.inside.protocol.messages import Cell
from grader.submissions.code_tokens import tokens_of

PLAIN = '''\
class Mix(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.proj = nn.Linear(d, 2 * d, bias=False)

    def forward(self, x):
        """Mix the tokens."""
        scores = self.proj(x) @ x.transpose(-2, -1)
        if scores.ndim > 3:
            raise ValueError("too many dimensions")
        return sum(scores.softmax(-1)) / 1e-3
'''
CHANGES = {
    "comments": [("        if", "        # now\n        if"), ("-1)\n", "-1)  # (T, T)\n")],
    "docstring": [('        """Mix the tokens."""\n', "")],
    "messages": [("too many dimensions", "no"), ('"no"', "f'''{x}\n'''")],
    "layout": [("2 * d", "2*d"), ("(-2, -1)", "(\n   -2,\n-1\n)"), ("scores = ", "scores = \\\n"), ("    ", "  ")],
    "annotations": [("(self, x)", "(self, x: torch.Tensor) -> dict[str, int]")],
}  # fmt: skip


def words(text: str) -> list[list[str]]:
    """Return the compared tokens of a text, block by block."""
    return [block.words for block in tokens_of([Cell(1, text)]).blocks if block.words]


@pytest.mark.parametrize("what", CHANGES)
def test_changed_looks_leave_the_tokens_as_they_are(what):
    changed = PLAIN
    for old, new in CHANGES[what]:
        assert old in changed
        changed = changed.replace(old, new)
    assert words(changed) == words(PLAIN)


def test_other_names_leave_the_tokens_as_they_are():
    changed = PLAIN
    for old, new in {"scores": "s", "proj": "layer", "Mix": "M", "d": "size", "x": "tokens"}.items():
        changed = re.sub(rf"\b{old}\b", new, changed)
    assert "s = self.layer(tokens)" in changed
    assert words(changed) == words(PLAIN)


@pytest.mark.parametrize(
    ("old", "new"), [("@", "*"), ("softmax", "sigmoid"), ("-1)\n", "-2)\n"), ("sum(", "max("), ("if", "while")]
)
def test_other_code_has_other_tokens(old, new):
    assert words(PLAIN.replace(old, new)) != words(PLAIN)


def test_each_function_is_a_block_of_its_own_and_so_is_what_follows_it():
    blocks = words("import torch\ndef f(x):\n    return -x\ndef g(x): return +x\nx = 3\nfor i in x:\n    i()\ny = 4\n")
    assert [block[-1] for block in blocks] == ["name", "name", "name", "4"]
    assert blocks[1:3] == [["return", "-", "name"], ["return", "+", "name"]]


def test_lines_are_numbered_behind_their_cell_where_there_are_several():
    one, two = tokens_of([Cell(1, "a = 1\nb = 2")]), tokens_of([Cell(1, "a = 1"), Cell(4, "\nb = 2")])
    assert one.numbers == ["1", "2"]
    assert two.numbers == ["1:1", "4:1", "4:2"]
    assert [two.lines[at] for block in two.blocks for at in block.lines] == ["a = 1"] * 3 + ["b = 2"] * 3


BROKEN = ["%matplotlib inline\n!echo it's\n?torch\n", "x = (1,\n", "x = $\\\n", "def f(\n", "\ttab\n  x\n", '"']


@pytest.mark.parametrize("broken", BROKEN)
def test_what_is_not_python_hides_no_function_behind_it(broken):
    assert words(f"{broken}\ndef f(x):\n    return x.softmax(-1)\n")[-1][:4] == ["return", "name", ".", "softmax"]
