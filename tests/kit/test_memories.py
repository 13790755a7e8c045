"""What known mistakes remember of one submission is taken from them before the next one, and nothing else."""

import importlib.util
import textwrap

import pytest

from grader.suite.memories import Memories
from grader.suite.unchanged import Unchanged

REMEMBERED = {
    "a list in a closure": "def make():\n    kept = []\n    return lambda: kept.append(1)\nwrong = make()",
    "a dictionary in a closure": "def make():\n    kept = {'a': 1}\n    return lambda: kept.update(a=2, b=3)\n"
    "wrong = make()",
    "what is in a list": "def make():\n    kept = [[1], {2}]\n    return lambda: (kept[0].append(1), kept[1].add(3))\n"
    "wrong = make()",
    "an attribute of itself": "def wrong():\n    wrong.kept = 1",
    "an attribute that was there": "def wrong():\n    wrong.kept += 1000\nwrong.kept = 1000",
    "an attribute of its helper": "def helper():\n    helper.kept = 1\ndef wrong():\n    helper()",
    "a default": "def wrong(seen=[]):\n    seen.append(1)",
    "a default by keyword": "def wrong(*, seen={}):\n    seen['a'] = 1",
    "a list of the file": "KEPT = []\ndef wrong():\n    KEPT.append(1)",
    "an attribute of a class": "class wrong:\n    size = 1000\n    def __init__(self):\n        type(self).size = 2000",
    "a new attribute of a class": "class wrong:\n    def __init__(self):\n        type(self).kept = 1",
    "an attribute of a base": "class Base: pass\nclass wrong(Base):\n    def __init__(self):\n        Base.kept = 1",
    "the default of a method": "class wrong:\n    def __init__(self, seen=[]):\n        seen.append(1)",
    "an object that is called": "class Sums:\n    def __init__(self): self.sums = {}\n"
    "    def __call__(self): self.sums['a'] = 1\nwrong = Sums()",
    "a static method's default": "class wrong:\n    @staticmethod\n    def keep(seen=[]): seen.append(1)\n"
    "    def __init__(self): self.keep()",
}
NOT_PUT_BACK = {
    "a name of the file": "COUNT = 1000\ndef wrong():\n    global COUNT\n    COUNT += 1",
    "an enclosed number": "def make():\n    count = 1000\n    def step():\n        nonlocal count\n        count += 1\n"
    "    return step\nwrong = make()",
    "a tensor": "import torch\ndef wrong(kept=torch.zeros(2)):\n    kept.add_(1)",
    "what its class does not give back": "class Strict(type):\n"
    "    def __delattr__(cls, name): raise AttributeError(name)\n"
    "class wrong(metaclass=Strict):\n    def __init__(self):\n        type(self).kept = 1",
    "a cache": "import functools\n@functools.lru_cache\ndef kept(x): return [x]\ndef wrong(): kept(1)",
}


def module(folder, text):
    """Import a text as a module of a course."""
    file = folder / "mistakes.py"
    file.write_text(textwrap.dedent(text) + "\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("variants_of_a_test", file)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def noted(made):
    """Return what notes the state of a file's mistakes, and what tells whether it is as it was."""
    memories = Memories([made.wrong], "variants_of_a_test")
    return memories, Unchanged([made])


@pytest.mark.parametrize("what", REMEMBERED)
def test_what_a_mistake_remembers_is_put_back(tmp_path, what):
    made = module(tmp_path, REMEMBERED[what])
    memories, unchanged = noted(made)
    assert unchanged.holds()
    for _ in range(2):
        made.wrong()
        assert not unchanged.holds()
        memories.put_back()
        assert unchanged.holds()


@pytest.mark.parametrize("what", NOT_PUT_BACK)
def test_what_cannot_be_put_back_is_seen_to_have_changed(tmp_path, what):
    made = module(tmp_path, NOT_PUT_BACK[what])
    memories, unchanged = noted(made)
    assert unchanged.holds()
    made.wrong()
    memories.put_back()
    assert not unchanged.holds()


def test_what_another_file_holds_is_not_touched(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "solution_of_a_test.py").write_text("def right(seen=[]): seen.append(1)\n", encoding="utf-8")
    made = module(tmp_path, "from solution_of_a_test import right\ndef wrong(): right()")
    memories, unchanged = noted(made)
    made.wrong()
    memories.put_back()
    assert made.right.__defaults__ == ([1],)
    assert not unchanged.holds()


def test_nothing_of_pythons_own_is_gone_through(tmp_path):
    made = module(tmp_path, "def wrong(): pass")
    memories, _ = noted(made)
    held = [container for container, _ in memories._containers]
    assert all(container is not vars(made) and container is not made.__builtins__ for container in held)
