"""`check("...", device="pretended")` in a notebook says what would fail on a GPU, as `grader check --device` does."""

from types import SimpleNamespace

import pytest

from grader.inside.pretended import torch_backend
from grader.student_check import notebook_check

from ...support.notebooks.kernels import told

pytestmark = pytest.mark.usefixtures("warm_workers")
ON_CPU = "def shares(x):\n    return x / (torch.ones(len(x)) * x).sum()\n"
FOLLOWS = ON_CPU.replace("ones(len(x))", "ones_like(x)")
GRADIENTS = "w = torch.ones(2, requires_grad=True)\n(w * w).sum().backward()\n"
"""After these torch gives no further device to the kernel, nor to a copy of it."""


def test_a_tensor_made_on_the_cpu_passes_there_and_is_named_on_the_pretended_device(running):
    assert "(2 of 2)" in told(running, ON_CPU, 'check("shares")')
    text = told(running, "", 'check("shares", device="pretended")')
    assert "(0 of 2)" in text and "on the same device" in text
    assert "device=x.device" in text and "return x / (torch.ones(len(x)) * x).sum()" in text
    text = told(running, "", 'check("shares", "ko", device="pretended")')
    assert "2개 중 0개" in text and "device=x.device" in text


def test_what_follows_its_input_passes_on_the_pretended_device_also_after_a_backward_pass(running):
    assert "(2 of 2)" in told(running, GRADIENTS + FOLLOWS, 'check(shares, device="pretended")')
    assert running.run("print(torch.ones(2).device, hasattr(torch, 'pretended'))").streams == "cpu False\n"


def outcome(folder, monkeypatch, language, device):
    """Return what a check in a notebook without cells shows."""
    monkeypatch.chdir(folder)
    shell = SimpleNamespace(user_ns={"In": []}, user_ns_hidden={})
    return repr(notebook_check.outcome_of("shares", language, shell, device))


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", 'The device \'cuda\' is not known here. Use "cpu" or "pretended".'),
        ("ko", "여기서 쓸 수 없는 장치입니다: 'cuda'."),
    ],
)
def test_an_unknown_device_is_one_sentence(folder, monkeypatch, language, sentence):
    assert sentence in outcome(folder, monkeypatch, language, "cuda")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "does not support the pretended device. Install torch 2.13, or check without it."),
        ("ko", "pretended 장치를 쓸 수 없습니다. torch 2.13을 설치하거나"),
    ],
)
def test_a_torch_that_cannot_pretend_is_one_sentence(folder, monkeypatch, language, sentence):
    monkeypatch.setattr(torch_backend, "is_there", lambda: False)
    assert sentence in outcome(folder, monkeypatch, language, "pretended")
