"""What of torch works in a worker on every tier although its compiler was left out of the zygote."""

import pytest

TRAINED = """
import sys, torch
layer = torch.nn.Linear(3, 2)
optimizer = torch.optim.AdamW(layer.parameters(), lr=0.1)
before = layer.weight.detach().clone()
layer(torch.ones(4, 3)).square().sum().backward()
optimizer.step()
answer = [torch.equal(before, layer.weight), "torch._dynamo" in sys.modules, torch.is_grad_enabled()]
"""


def test_an_optimizer_does_not_wait_for_the_compiler(jail, worker):
    """Importing it takes a second, which would come out of the check's own time."""
    if jail.isolation.tier == "no-open":
        pytest.skip("tier 'no-open' has the compiler imported from the start, since no file can be opened later")
    assert worker.run(TRAINED) == [False, False, True]


@pytest.mark.parametrize(
    "line",
    [
        "torch.compile(lambda x: 2 * x)(x)",
        "torch.compile(lambda x: 2 * x, backend='eager')(x)",
        "torch.compile(backend='eager')(lambda x: 2 * x)(x)",
        "torch.func.grad(lambda x: x.square().sum())(x)",
        "torch.vmap(lambda x: 2 * x)(x)",
        "torch.utils.checkpoint.checkpoint(lambda x: 2 * x, x, use_reentrant=False)",
        "torch._dynamo.disable(lambda x: 2 * x)(x)",
    ],
)
def test_what_asks_for_the_compiler_gets_it(worker, line):
    """Each in a worker of its own, since the first that asks loads the compiler for the others."""
    text = f"import torch, torch.utils.checkpoint\nx = torch.ones(3)\nanswer = {line}.tolist()\n"
    assert worker.run(text) == [2.0, 2.0, 2.0]
