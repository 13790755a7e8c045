"""What student code raises is data: its type, its words, the student's own line, and the status it comes to."""

import pytest
import torch

from ...support.workers.open_workers import failure_of, open_student

X = torch.tensor([1.0, 2.0, 4.0])


def test_exception_is_data_with_its_bases_and_line():
    student = open_student("class Odd(ValueError): pass\ndef f(x):\n    if x:\n        raise Odd('no')\n    return x\n")
    raised = student.f.error(True)
    assert (raised.type_name, raised.bases[0], raised.text, raised.line) == ("Odd", "ValueError", "no", 4)
    assert student.f.error(False) is None


def test_students_own_line_is_the_last_one_of_theirs_and_not_torchs():
    student = open_student("import torch\ndef f(x):\n    y = x\n    return torch.einsum('i,ij->k', y, y)\n")
    failure = failure_of(student.f, X)
    assert (failure.status, failure.line, failure.exception_type) == ("error", 4, "RuntimeError")
    assert failure.line_text.startswith("return torch.einsum") and failure.cell is None


def test_stub_is_missing_and_torchs_own_notimplementederror_is_not():
    student = open_student(
        "import torch\n"
        "def stub(x):\n    raise NotImplementedError('stub is not written yet')\n"
        "def torchs(x):\n    return torch.sparse_coo_tensor([[0]], [1.0], (3,)).storage()\n"
        "class M(torch.nn.Module): pass\n"
    )
    stub = failure_of(student.stub, X)
    assert (stub.status, stub.exception_type) == ("missing", "NotImplementedError")
    assert failure_of(student.stub.error, X).status == "missing"
    assert failure_of(student.torchs, X).status == "error"
    assert failure_of(student.M(), X).status == "missing"


@pytest.mark.parametrize(
    "raised",
    ["SystemExit(0)", "KeyboardInterrupt", "GeneratorExit", "BaseException('x')", "StopIteration", "AssertionError"],
)
def test_exceptions_that_end_programs_or_checks_are_data(raised):
    student = open_student(f"def f(): raise {raised}\n")
    failure = failure_of(student.f)
    assert failure.status == "error" and failure.exception_type == raised.split("(")[0]
    assert student.f.error().type_name == failure.exception_type


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("raise MemoryError", "memory"),
        ("bytearray(2**50)", "memory"),
        ("raise PermissionError(13, 'denied')", "forbidden"),
        ("raise OSError(30, 'read-only')", "forbidden"),
        ("open('/nowhere')", "error"),
    ],
)
def test_kinds_of_exceptions_have_their_status(body, status):
    assert failure_of(open_student(f"def f():\n    {body}\n").f).status == status
