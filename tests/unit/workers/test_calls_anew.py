"""Two calls with the same tensors, which hold other numbers in the second."""

import pytest
import torch

from grader.errors import CourseError
from grader.suite import checks

from ...support.workers.open_workers import failure_of, open_student

X, OTHER = torch.arange(6.0).reshape(2, 3), torch.full((2, 3), 7.0)


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
    raised = student.f.observe_all([(checks.given(X), {"before": (OTHER,)})])[0]
    assert raised.exception_type == "ValueError"
    assert torch.equal(student.f(X), X)


@pytest.mark.parametrize("before", [(), (X[:1],), (X.double(),), (2,), (OTHER, 2)])
def test_numbers_that_do_not_fit_the_tensors_are_the_courses_fault(before):
    student = open_student("def f(x, factor=2): return factor * x\n")
    with pytest.raises(CourseError, match="before="):
        student.f.observe(X, before=before)


def test_what_is_no_tensor_has_to_stay():
    student = open_student("def f(x, factor=2): return factor * x\n")
    with pytest.raises(CourseError, match="and anything else as it is"):
        student.f.observe(X, 2, before=(OTHER, 3))


def test_what_the_first_call_gave_is_overwritten_before_the_second():
    student = open_student("import functools, torch\n@functools.cache\ndef f(n): return torch.arange(n)\n")
    assert student.f(3).tolist() == [0, 1, 2]
    assert student.f.observe(4, before=(4,)).value.tolist() == [1, 1, 1, 1]


def test_what_the_first_call_gave_is_put_back_where_the_second_raises():
    student = open_student(
        "import torch\nkept = torch.zeros(2)\ncalls = []\ndef f(x):\n    calls.append(x)\n"
        "    if len(calls) == 2: raise ValueError('again')\n    return kept\n"
    )
    assert failure_of(student.f.observe, X, before=(OTHER,)).exception_type == "ValueError"
    assert student.f(X).tolist() == [0.0, 0.0]
