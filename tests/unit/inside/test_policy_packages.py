"""What a package offers that the course allows is heard as well, however and whenever it is imported."""

import pytest
import torch

from ...support.workers.open_workers import failure_of, open_student

SPECIAL = """
import functools
import numpy as np
def decorated(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        return function(*args, **kwargs)
    return call
@decorated
def softmax(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis, keepdims=True)
class Compiled:
    def __call__(self, x, axis=-1):
        return np.log(np.exp(x).sum(axis, keepdims=True))
logsumexp = Compiled()
class Softmax:
    def forward(self, x):
        return np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    __call__ = forward
def expit(x):
    return 1 / (1 + np.exp(-x))
"""
WAYS = {
    "in the call": "def f(x):\n    from scipy.special import softmax\n    return n(softmax(x.numpy()))",
    "before": "from scipy.special import softmax\ndef f(x): return n(softmax(x.numpy()))",
    "where it is defined": "from scipy._special import softmax\ndef f(x): return n(softmax(x.numpy()))",
    "what it wraps": "from scipy.special import softmax\ndef f(x): return n(softmax.__wrapped__(x.numpy()))",
    "no Python function": "from scipy.special import logsumexp\ndef f(x): return x - n(logsumexp(x.numpy()))",
    "class": "from scipy.special import Softmax\ndef f(x): return n(Softmax()(x.numpy()))",
    "loaded anew": "import importlib, scipy._special\n"
    "def f(x): return n(importlib.reload(scipy._special).softmax(x.numpy()))",
}


@pytest.fixture
def head(tmp_path):
    """The first lines of a student's text, by which an installed scipy is found."""
    package = tmp_path / "site-packages" / "scipy"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "_special.py").write_text(SPECIAL)
    (package / "special.py").write_text("from scipy._special import Softmax, expit, logsumexp, softmax\n")
    lines = ["import sys, torch", f"sys.path.insert(0, {str(package.parent)!r})"]
    return "\n".join([*lines, "n = torch.from_numpy", ""])


def test_forbidden_name_of_a_package_is_heard(subtests, head):
    for source in WAYS.values():
        with subtests.test(source=source):
            function = open_student(head + source).f
            failure = failure_of(function.observe, torch.ones(2, 3), forbids=["softmax"])
            assert failure.status == "forbidden" and failure.sentence.startswith("scipy._special.")
            assert function(torch.ones(2, 3)).shape == (2, 3)


@pytest.mark.parametrize(("group", "name"), [("softmax", "expit"), ("attention", "softmax")])
def test_what_an_exercise_does_not_forbid_of_a_package_is_not_heard(head, group, name):
    student = open_student(f"{head}from scipy.special import {name}\ndef f(x): return n({name}(x.numpy()))\n")
    assert student.f.observe(torch.ones(2, 3), forbids=[group]).value.shape == (2, 3)


def test_a_students_own_module_of_such_a_name_is_not_heard(tmp_path):
    (tmp_path / "mine.py").write_text("def softmax(x): return x.exp() / x.exp().sum(-1, keepdim=True)\n")
    source = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nfrom mine import softmax as f\n"
    assert open_student(source).f.observe(torch.ones(2, 3), forbids=["softmax"]).value.shape == (2, 3)
