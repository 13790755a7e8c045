"""Two calls with the same tensors, which hold other numbers in the second: nothing may be kept for an object."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn

from grader.errors import CourseError
from grader.suite import checks
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import Reference

from ...support.workers.open_workers import open_student

X, OTHER = torch.arange(6.0).reshape(2, 3), torch.full((2, 3), 7.0)
DOUBLE = Reference(SimpleNamespace(f=lambda x, factor=2: factor * x, __name__="it"))


def test_both_calls_get_the_same_objects_with_what_they_are_to_hold():
    student = open_student(
        "import torch\nSEEN = []\n"
        "def f(x, factor):\n"
        "    SEEN.append((x, x.clone()))\n"
        "    return torch.stack([each for _, each in SEEN])\n"
        "def objects(): return len({id(x) for x, _ in SEEN}) + 10 * len(SEEN)\n"
    )
    seen = student.f.observe(X, 3, before=(OTHER, 3), echo=True)
    assert torch.equal(seen.value, torch.stack([OTHER, X]))
    assert torch.equal(seen.inputs_after[0], X)
    assert student.objects() == 21


def test_what_goes_wrong_in_the_first_call_is_told_as_in_any_call():
    student = open_student("def f(x):\n    if x[0, 0] == 7: raise ValueError('seven')\n    return x\n")
    raised = student.f.observe_each([checks.given(X)], before=(OTHER,))[0]
    assert raised.exception_type == "ValueError"
    assert torch.equal(student.f(X), X)


RIGHT = {
    "plain": "def f(x, factor=2): return factor * x\n",
    "kept for the numbers": "KEPT = {}\n"
    "def f(x, factor=2):\n"
    "    return KEPT.setdefault((tuple(x.flatten().tolist()), factor), factor * x)\n",
    "a view": "def f(x, factor=2): return x.expand(2, 2, 3).sum(0)\n",
}
WRONG = {
    "lru_cache": "import functools\n@functools.lru_cache\ndef f(x, factor=2): return factor * x\n",
    "kept for the object": "KEPT = {}\ndef f(x, factor=2):\n    return KEPT.setdefault(id(x), factor * x)\n",
    "kept in the tensor": "def f(x, factor=2):\n"
    "    if not hasattr(x, 'kept'): x.kept = factor * x\n"
    "    return x.kept\n",
}


@pytest.mark.parametrize("code", RIGHT.values(), ids=RIGHT)
def test_an_answer_that_is_made_of_the_numbers_passes(code):
    answer = checks.computed_anew(open_student(code), DOUBLE, "f", X, before=(OTHER,))
    assert torch.equal(answer, 2 * X)


@pytest.mark.parametrize("code", WRONG.values(), ids=WRONG)
def test_an_answer_that_is_kept_for_an_object_fails_and_is_called_an_earlier_one(code):
    with pytest.raises(CheckFailed) as caught:
        checks.computed_anew(open_student(code), DOUBLE, "f", X, before=(OTHER,))
    assert caught.value.diagnosis.mistakes == ["earlier_result"]


LAYER = """
import functools
from torch import nn
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(3, 2)
{decorated}    def forward(self, x): return self.line(x)
"""


@pytest.mark.parametrize("kept", [False, True])
def test_the_same_is_asked_of_modules(kept):
    student = open_student(LAYER.format(decorated="    @functools.lru_cache\n" if kept else ""))
    handle, line = student.Layer(), nn.Linear(3, 2)
    handle.load({f"line.{name}": value.detach() for name, value in line.named_parameters()})
    line.double()
    if not kept:
        checks.module_computed_anew(handle, line, X, before=(OTHER,))
        return
    with pytest.raises(CheckFailed) as caught:
        checks.module_computed_anew(handle, line, X, before=(OTHER,))
    assert caught.value.diagnosis.mistakes == ["earlier_result"]


KEPT_IN_EVAL = """
from torch import nn
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(3, 2)
        self.kept = {}
    def forward(self, x):
        return self.line(x) if self.training else self.kept.setdefault(x.shape, self.line(x))
"""


def test_what_a_module_keeps_in_eval_by_the_shape_of_its_input_is_an_earlier_answer():
    handle, line = open_student(KEPT_IN_EVAL).Layer(), nn.Linear(3, 2)
    handle.load({f"line.{name}": value.detach() for name, value in line.named_parameters()})
    with pytest.raises(CheckFailed) as caught:
        checks.module_computed_anew(handle, line.double(), X, before=(OTHER,))
    assert caught.value.diagnosis.mistakes == ["earlier_result"]
    assert not handle.is_training()


@pytest.mark.parametrize("before", [(), (X[:1],), (X.double(),), (2,), (OTHER, 2)])
def test_numbers_that_do_not_fit_the_tensors_are_the_courses_fault(before):
    student = open_student(RIGHT["plain"])
    with pytest.raises(CourseError, match="before="):
        checks.computed_anew(student, DOUBLE, "f", X, before=before)


def test_the_same_is_refused_where_a_check_observes_by_itself():
    student = open_student(RIGHT["plain"])
    with pytest.raises(CourseError, match="A check of f gives `before=`"):
        student.f.observe(X, before=(X, X))


@pytest.mark.parametrize(("args", "before"), [((X, 2), (OTHER, 3)), ((2, 3), (2, 3))])
def test_what_is_no_tensor_stays_and_one_tensor_there_has_to_be(args, before):
    student = open_student(RIGHT["plain"])
    with pytest.raises(CourseError, match="at least one, and anything else as it is"):
        checks.computed_anew(student, DOUBLE, "f", *args, before=before)
