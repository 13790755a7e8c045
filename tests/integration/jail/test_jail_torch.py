"""What of torch works in a worker on every tier although its compiler was left out of the zygote."""

import json
import subprocess
import sys

import pytest

OPTIMIZERS = ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad")
TRAINED = """
import sys, torch
from torch import nn
torch.manual_seed(0)
layer, x = nn.Linear(3, 2), torch.ones(4, 3)
optimizer = torch.optim.{name}(layer.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
for _ in range(3):
    optimizer.zero_grad()
    loss = layer(x).square().sum()
    loss.backward()
    optimizer.step()
    scheduler.step()
optimizer.load_state_dict(optimizer.state_dict())
answer = [[round(float(value), 5) for value in layer.weight.detach().flatten()], "torch._dynamo" in sys.modules,
          torch.is_grad_enabled()]
"""


@pytest.fixture(scope="module")
def elsewhere():
    """Train with each optimizer outside of any jail, in a process of its own.

    Once a process has run a backward pass, torch refuses one in every process forked from it, which other tests need.
    """
    text = "import json\nanswers = {}\n"
    text += "".join(f"{TRAINED.format(name=name)}answers[{name!r}] = answer[0]\n" for name in OPTIMIZERS)
    done = subprocess.run(
        [sys.executable, "-c", f"{text}print(json.dumps(answers))"], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_a_training_loop_gives_what_it_gives_anywhere(worker, elsewhere):
    for name in OPTIMIZERS:
        weights, _, grad = worker.run(TRAINED.format(name=name))
        assert weights == elsewhere[name], name
        assert grad is True, name


def test_an_optimizer_does_not_wait_for_the_compiler(jail, worker):
    """Importing it takes a second, which would come out of the check's own time."""
    if jail.isolation.tier == "no-open":
        pytest.skip("tier 'no-open' has the compiler imported from the start, since no file can be opened later")
    assert worker.run(TRAINED.format(name="AdamW"))[1] is False


def test_an_optimizer_of_ones_own_may_lead_gradients_through_its_step(worker):
    text = """
import torch
from torch.optim.optimizer import Optimizer, _use_grad_for_differentiable
class Plain(Optimizer):
    def __init__(self, params, differentiable):
        super().__init__(params, {"differentiable": differentiable})
    @_use_grad_for_differentiable
    def step(self):
        self.seen = torch.is_grad_enabled()
seen = []
for differentiable in (False, True):
    optimizer = Plain([torch.ones(2, requires_grad=True)], differentiable)
    optimizer.step()
    seen.append(optimizer.seen)
answer = [*seen, torch.is_grad_enabled()]
"""
    assert worker.run(text) == [False, True, True]


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
