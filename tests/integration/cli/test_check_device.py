"""`grader check --device pretended`: a student learns before the first GPU what would fail there."""

from types import SimpleNamespace

import pytest

from grader.errors import UsageError
from grader.inside.pretended import torch_backend
from grader.inside.protocol.rows import PRETENDED
from grader.student_check.own_run import run_checks

from ...support.command_line import run_here
from ...support.workers.answering import write_answer


@pytest.fixture
def check(folder):
    def run(body, *arguments):
        return run_here("check", write_answer(folder, body), "--exercise", "shares", *arguments)

    return run


def test_a_tensor_made_on_the_cpu_passes_there_and_is_named_on_the_pretended_device(check):
    body = "return x / (torch.ones(len(x)) * x).sum()"
    assert check(body).returncode == 0
    done = check(body, "--device", "pretended")
    assert done.returncode == 1 and "on the same device" in done.stdout
    assert "device=x.device" in done.stdout and body in done.stdout


def test_a_torch_that_cannot_pretend_is_one_clear_sentence(monkeypatch):
    monkeypatch.setattr(torch_backend, "is_there", lambda: False)
    with pytest.raises(UsageError, match="pretended 장치를 쓸 수 없습니다"):
        run_checks(SimpleNamespace(files=None, device=PRETENDED, language="ko"), print)
