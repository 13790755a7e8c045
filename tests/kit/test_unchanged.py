"""What a course's modules keep between two submissions is seen, wherever they keep it."""

import gc
import importlib.util
import textwrap
from pathlib import Path

import pytest

import grader
from grader.suite.unchanged import Unchanged, is_own

HARMLESS = """
import collections, enum, functools, math, re
from pathlib import Path
import numpy as np
import torch
from grader.suite import checks, exercise

SIZES = (1, 2, 3)
TABLE = {"a": [1.0, 2.0], "b": {3, 4}}
WEIGHTS = torch.arange(4.0)
WORD = re.compile("a+")
HERE = Path(__file__)
shares = exercise("shares")
half = functools.partial(math.pow, 0.5)

class Kind(enum.Enum):
    ONE = 1

class Scale(torch.nn.Module):
    factor = 2.0
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2))
    def forward(self, x):
        return self.factor * x * self.weight

LAYER = Scale()

def outer(start):
    def inner(x):
        return x + start
    return inner

INNER = outer(3)

def body():
    total = [sum(TABLE["a"]), WEIGHTS + 1, LAYER(WEIGHTS[:2]).detach(), INNER(2), half(2), WORD.match("aa"), Kind.ONE]
    return total
"""

KEEPERS = {
    "a list": ("KEPT = []", "KEPT.append(1)"),
    "a list in a dictionary": ("KEPT = {'a': [1]}", "KEPT['a'][0] = 2"),
    "a dictionary with the same keys": ("KEPT = {'a': 1000}", "KEPT['a'] = 2000"),
    "an attribute of a dictionary": ("class Kept(dict): pass\nKEPT = Kept()\nKEPT.count = 1000", "KEPT.count += 1"),
    "an attribute of a list": ("class Kept(list): pass\nKEPT = Kept()\nKEPT.count = 1000", "KEPT.count += 1"),
    "a default of a function": ("def keeper(x=1000): pass", "keeper.__defaults__ = (2000,)"),
    "an item that moves from a list to the next": ("KEPT = [[1, 2], [3]]", "KEPT[0].insert(0, KEPT[1].pop())"),
    "a key by another name": ("KEPT = {'a': 1000}", "KEPT['b'] = KEPT.pop('a')"),
    "a value that moves to the next dictionary": (
        "KEPT = [{}, {'a': 1000}]",
        "KEPT[0].update(KEPT[1]); KEPT[1].clear()",
    ),
    "a set": ("KEPT = set()", "KEPT.add(1)"),
    "a counter": ("import collections\nKEPT = collections.Counter()", "KEPT['a'] += 1"),
    "a deque": ("import collections\nKEPT = collections.deque([1, 2])", "KEPT.rotate()"),
    "a global name": ("KEPT = 1000", "global KEPT; KEPT = KEPT + 1"),
    "a new global name": ("", "global KEPT; KEPT = 1000"),
    "a tensor written to": ("import torch\nKEPT = torch.zeros(3)", "KEPT.add_(1)"),
    "a gradient": ("import torch\nKEPT = torch.zeros(3, requires_grad=True)", "KEPT.sum().backward()"),
    "a parameter": ("import torch\nKEPT = torch.nn.Linear(2, 2)", "torch.nn.init.zeros_(KEPT.weight)"),
    "an attribute of an object": ("class K: pass\nKEPT = K()", "KEPT.a = 1"),
    "a slot of an object": ("class K:\n    __slots__ = ('a',)\nKEPT = K()\nKEPT.a = 1000", "KEPT.a = 2000"),
    "an attribute of a class": ("class K:\n    a = 1000", "K.a = 2000"),
    "an attribute of a function": ("def keep(): pass", "keep.a = 1"),
    "a default": ("def keep(x, seen=[]): seen.append(x)", "keep(1)"),
    "an enclosed name": (
        "def make():\n    n = 999\n    def step():\n        nonlocal n\n        n += 1\n    return step\nKEPT = make()",
        "KEPT()",
    ),
    "a cache": ("import functools\n@functools.lru_cache\ndef keep(x): return [x]", "keep(1)"),
    "another function in its place": ("def keep(): return 1", "global keep; keep = lambda: 2"),
    "a partial function": ("import functools\nKEPT = functools.partial(print, [1])", "KEPT.args[0].append(2)"),
}
OPAQUE = {
    "a generator": "KEPT = (n for n in range(9))",
    "an iterator": "KEPT = iter([1, 2, 3])",
    "a counter of itertools": "import itertools\nKEPT = itertools.count()",
    "an open file": "KEPT = open(__file__)",
    "torch's random numbers": "import torch\nKEPT = torch.Generator()",
    "Python's random numbers": "import random\nKEPT = random.Random(1)",
    "an array": "import numpy\nKEPT = numpy.zeros(3)",
    "a lock": "import threading\nKEPT = threading.Lock()",
}


def module(folder, text):
    """Import a text as a module of a course."""
    file = folder / "test_it.py"
    file.write_text(textwrap.dedent(text), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("course_test_it", file)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_a_suite_that_keeps_nothing_is_unchanged(tmp_path):
    made = module(tmp_path, HARMLESS)
    before = Unchanged([made])
    assert before.opaque is None
    made.body()
    gc.collect()
    assert before.holds()


@pytest.mark.parametrize("kept", KEEPERS)
def test_what_a_suite_keeps_is_seen(tmp_path, kept):
    state, change = KEEPERS[kept]
    made = module(tmp_path, f"{state}\n\ndef body():\n    {change}\n")
    before = Unchanged([made])
    assert before.opaque is None
    assert before.holds()
    made.body()
    assert not before.holds()


@pytest.mark.parametrize("kind", OPAQUE)
def test_what_nobody_can_look_into_counts_as_changed(tmp_path, kind):
    made = module(tmp_path, f"{OPAQUE[kind]}\n")
    before = Unchanged([made])
    assert before.opaque is not None
    assert not before.holds()
    if kind == "an open file":
        made.KEPT.close()


def test_a_module_that_a_suite_imports_from_its_course_is_looked_at(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "course_helpers_of_this_test.py").write_text("SEEN = []\n", encoding="utf-8")
    made = module(tmp_path, "import course_helpers_of_this_test as helpers\ndef body(): helpers.SEEN.append(1)\n")
    before = Unchanged([made])
    made.body()
    assert not before.holds()


def test_a_course_in_a_folder_named_like_the_kits_is_a_course():
    kit = Path(grader.__file__).parent
    assert is_own({"__file__": f"{kit}-course/tests/hidden/helpers.py"})
    assert not is_own({"__file__": f"{kit}/suite/checks/__init__.py"})
    assert not is_own({"__file__": pytest.__file__})


def test_what_torch_and_python_keep_is_nobodys_change(tmp_path):
    made = module(
        tmp_path, "import random, torch, warnings\ndef body():\n    warnings.warn('a')\n    random.random()\n"
    )
    before = Unchanged([made])
    with pytest.warns(UserWarning):
        made.body()
    assert before.holds()
