"""A fault that a check's words say needs no list, a pair may be a list, an error names the mistake that raises it."""

from types import SimpleNamespace

import pytest
import torch

from grader.suite import checks
from grader.suite.core import compare
from grader.suite.core.failures import CheckFailed
from grader.suite.runner.outcomes import verdict_of
from grader.workers.process.failures import StudentFailure

from ....support.open_workers import open_student
from ....support.small_suites import in_a_check

ONE, TWO = torch.ones(2), torch.zeros(3)


def told(call, *args, **kwargs):
    with pytest.raises(CheckFailed) as caught:
        call(*args, **kwargs)
    return caught.value


def test_what_is_no_pair_is_told_in_one_sentence():
    source = "import torch\ndef lazy(x): return (part for part in (x, x))\ndef three(x): return x, x, x\n"
    student = open_student(source + "def mapped(x): return map(torch.exp, (x, x))\ndef none(x): pass\n")
    failure = told(compare.as_tensors, student.lazy(ONE), 2)
    assert failure.english == (
        "A tuple of 2 tensors is asked for, but the result is a value of type generator. It gives its items "
        "one by one and only once; put tuple(...) around it."
    )
    assert "tuple(...)" in failure.korean and "tuple(...)" in failure.advice[0]
    assert "put tuple(...)" in told(compare.as_tensors, student.mapped(ONE), 2).english
    assert "a tuple of 3" in told(compare.as_tensors, student.three(ONE), 2).english
    assert "the result is None" in told(compare.as_tensors, student.none(ONE), 2).english


def test_a_sparse_tensor_is_told_in_one_sentence():
    student = open_student("def sparse(x): return x.to_sparse()\n")
    failure = told(compare.as_tensor, student.sparse(ONE))
    assert failure.english == "The result is a sparse tensor; return an ordinary one, with to_dense()."
    assert "to_dense()" in failure.advice[1]


def test_words_of_torch_that_lead_astray_are_said_plainly():
    student = open_student("def f(x): return x.permute(0, 2, 1)\n")
    with pytest.raises(StudentFailure) as caught:
        student.f(torch.ones(2, 3))
    verdict = verdict_of("f.one", caught.value)
    assert verdict.found.endswith("permute was given 3 dimensions, but the tensor has 2.")
    assert verdict.found_ko.endswith("permute에 차원을 3개 주었는데 텐서의 차원은 2개입니다.")
    assert "sparse_coo" in verdict.exception_text


def test_an_error_names_the_mistake_that_raises_the_same():
    in_a_check({"product": {"transposed": lambda x, y: x.T @ y, "elsewhere": lambda x, y: x @ y.T @ y.T}})
    student = open_student("def product(x, y): return x.T.matmul(y)\n")
    reference = SimpleNamespace(product=lambda x, y: x.double() @ y.double())
    with pytest.raises(StudentFailure) as caught:
        checks.matches_reference(student, reference, "product", torch.ones(3, 5), torch.ones(5, 2))
    assert caught.value.diagnosis.mistakes == ["transposed"]
    assert verdict_of("f.one", caught.value).diagnosis.mistakes == ["transposed"]
