"""A worker that is a thread of the tests answers as a forked one does, so what a unit test sees is what grades see."""

import torch

from grader.workers.process.failures import StudentFailure

from ...support.workers.open_workers import forked_workers, open_student
from ...support.workers.thread_workers import ThreadWorkers

SOURCE = """
import os, random, sys, torch, warnings
from torch import nn
from matplotlib import pyplot
calls = 0
def plain(x): return 2 * x
def several(x): return {"a": [x, None], "b": (1, "é")}
def prints(x):
    print("out"); warnings.warn("careful"); print("err", file=sys.stderr)
    return x
def draws(x): return torch.rand(3), random.random()
def counts(x):
    global calls
    calls += 1
    return calls
def changes(x): return x.mul_(2).sum()
def forbidden(x): return torch.softmax(x, -1)
def raises(x): raise KeyError("no")
def ends(x): os._exit(3)
def killed(x): os.kill(os.getpid(), 11)
def leaves(x): sys.exit(1)
def damages(x):
    torch.Tensor.__add__ = None
    torch.set_default_dtype(torch.float64)
    sys.modules["random"] = None
    return 1
def added(x): return x + 1
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
    def forward(self, x): return x * self.weight
print("loaded")
"""
NAMES = [name.partition("(")[0] for name in SOURCE.split("def ")[1:] if not name.startswith("_")]


def asked(student, name):
    """Return what a function of the text answers, or the failure that the call comes to, and what was printed."""
    function, options = getattr(student, name), {"forbids": ["softmax"]} if name == "forbidden" else {}
    try:
        seen = function.observe(torch.ones(3), cotangent=torch.ones(3) if name == "plain" else None, echo=True, seed=1,
                                trace=True, **options)  # fmt: skip
        answer = repr((seen.value, seen.input_gradients, seen.inputs_after, seen.operations, seen.facts))
    except StudentFailure as failure:
        answer = failure.status, failure.sentence, failure.line, failure.exception_type
    return answer, student._session.take_output()


def answers(workers):
    """Return what each function answers, one after the other on the same session, and what a module holds."""
    student = open_student(SOURCE, workers=workers)
    results = [(name, asked(student, name)) for name in [*NAMES, "added", "counts"] if name != "forward"]
    layer = student.Layer()
    return results, repr(layer(torch.ones(3))), repr(layer.facts()), student._session.record.loaded.names


def test_both_kinds_of_workers_give_the_same_answers_and_failures():
    assert answers(ThreadWorkers()) == answers(forked_workers())
    assert torch.equal(torch.ones(1) + 1, torch.full((1,), 2.0)) and torch.get_default_dtype() is torch.float32
