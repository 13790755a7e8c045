"""`grader check --device pretended`: a student learns before the first GPU what would fail there."""

import pytest

from grader.inside.pretended import torch_backend

from ...support.command_line import run_here
from ...support.courses import student_folder

STUB = 'raise NotImplementedError("shares is not written yet")'


@pytest.fixture
def check(tmp_path):
    """Return a check of `shares` with a body."""
    own = student_folder(tmp_path / "course")
    text = (own / "tiny.py").read_text(encoding="utf-8")

    def run(body, *arguments, language="en"):
        (own / "tiny.py").write_text(text.replace(STUB, body, 1), encoding="utf-8")
        return run_here("--language", language, "check", own / "tiny.py", "--exercise", "shares", *arguments)

    return run


def test_a_tensor_made_on_the_cpu_passes_there_and_is_named_on_the_pretended_device(check):
    body = "return x / (torch.ones(len(x)) * x).sum()"
    assert check(body).returncode == 0
    done = check(body, "--device", "pretended")
    assert done.returncode == 1 and "on the same device" in done.stdout
    assert "device=x.device" in done.stdout and body in done.stdout


def test_what_follows_its_input_passes_on_the_pretended_device(check):
    assert check("return x / (torch.ones_like(x) * x).sum()", "--device", "pretended").returncode == 0


def test_a_torch_that_cannot_pretend_is_one_clear_sentence(check, monkeypatch):
    monkeypatch.setattr(torch_backend, "is_there", lambda: False)
    done = check("return x / x.sum()", "--device", "pretended")
    assert done.returncode == 2 and "does not support the pretended device. Install torch 2.13, or check" in done.stderr
    assert "pretended 장치를 쓸 수 없습니다." in check("", "--device", "pretended", language="ko").stderr
