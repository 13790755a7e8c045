"""What suites ask of exceptions, dtypes and memory, and where a mistake lies."""

import types

import pytest
import torch

from grader.results.verdict import Diagnosis
from grader.suite import checks
from grader.suite.core.context import current_check
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import Reference
from grader.suite.library.modules import places
from grader.workers.process.failures import StudentFailure

from ....support.workers.open_workers import open_student


def reference_of(text):
    module = types.ModuleType("solution")
    exec(text, vars(module))
    return Reference(module)


# -- exceptions, dtypes, memory -----------------------------------------------------------------------------------


def test_the_named_exception_or_a_subclass_is_asked_for():
    student = open_student("def f(x):\n    if x: raise KeyError('no')\n    return 1\n")
    assert checks.raises(student.f, ("ValueError", "LookupError"), 1).type_name == "KeyError"
    for error, given, told in (("ValueError", 1, "KeyError was raised"), ("KeyError", 0, "nothing was raised")):
        with pytest.raises(CheckFailed, match=told):
            checks.raises(student.f, error, given)


def test_an_answer_has_the_dtype_that_is_asked_for():
    checks.has_dtype(torch.ones(2), torch.float32)
    with pytest.raises(CheckFailed, match="float64, but float32"):
        checks.has_dtype(torch.ones(2, dtype=torch.float64), torch.float32)


TWO = """
from torch import nn
class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3)
    def forward(self, x): return {}
"""


# -- places -------------------------------------------------------------------------------------------------------


def test_twins_agree_once_the_part_that_is_wrong_is_silent():
    student = open_student(TWO.format("self.a(x) - self.b(x)"))
    module = reference_of(TWO.format("self.a(x) + self.b(x)")).module.Two().double()
    twins = places.Twins(student.Two(), module, torch.randn(2, 3))
    kept = [value.clone() for value in module.parameters()]
    assert not twins.agree() and not twins.agree(a=0.0) and twins.agree(b=0.0)
    assert all(torch.allclose(value, before) for value, before in zip(module.parameters(), kept, strict=True))
    assert places.near(torch.ones(2) + 1e-6, torch.ones(2)) and not places.near(torch.ones(2) + 0.01, torch.ones(2))


def test_a_place_is_looked_for_once_and_gives_way_to_a_known_mistake():
    looked = []

    def find():
        looked.append(1)
        return places.place("The first layer.", "첫 층.")

    def failure(diagnosis=None):
        failed = CheckFailed("wrong", "틀림")
        failed.diagnosis = diagnosis
        with pytest.raises(CheckFailed) as caught, places.placed("f", find):
            raise failed
        return caught.value.diagnosis

    assert failure().mistakes == failure().mistakes == [places.PLACE] and len(looked) == 1
    known = Diagnosis(["known"], "k", "k", "answer")
    assert failure(known) is known
    current_check.get().findings.clear()
    current_check.get().explains = False
    assert failure() is None and len(looked) == 1


def test_a_call_that_gives_nothing_has_no_place():
    def fails(error):
        def find():
            raise error

        return find

    assert places.outcome(fails(CheckFailed("no", "no"))) is None
    assert places.outcome(fails(StudentFailure("error", "no", name="f"))) is None
