"""`check("...", device="pretended")` in a notebook says what would fail on a GPU, as `grader check --device` does."""

import pytest

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


def test_what_follows_its_input_passes_on_the_pretended_device_also_after_a_backward_pass(running):
    assert "(2 of 2)" in told(running, GRADIENTS + FOLLOWS, 'check(shares, device="pretended")')
    assert running.run("print(torch.ones(2).device, hasattr(torch, 'pretended'))").streams == "cpu False\n"
