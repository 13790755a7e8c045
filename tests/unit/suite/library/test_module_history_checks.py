"""Layers that are handed over, and modules that remember: right ones pass, wrong ones fail."""

from types import SimpleNamespace

import pytest
import torch

from grader.suite import checks
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import Reference
from grader.suite.library.modules.module_checks import twins

from ....support.workers.open_workers import open_student

HEAD = "import torch\nfrom torch import nn\n"
MEAN = """
class Mean(nn.Module):
    def __init__(self, n, share=0.5):
        super().__init__()
        self.share = share
        self.scale = nn.Parameter(torch.ones(n))
        self.register_buffer("running", torch.zeros(n))

    def forward(self, x):
        if self.training:
            self.running = (1 - self.share) * self.running + self.share * x.mean(0)
            return (x - x.mean(0)) * self.scale
        return (x - self.running) * self.scale
"""


def lives(text, modes):
    space = {}
    exec(HEAD + MEAN, space)
    solution = Reference(SimpleNamespace(__name__="it", **space))
    handle, module = twins(open_student(HEAD + text), solution, Draw(1), "Mean", 4)
    for number, mode in enumerate(modes):
        for answers in (handle, module):
            getattr(answers, mode)()
        checks.matches(handle, module, Draw(7 + number).normal(3, 4))


def test_a_right_module_that_remembers_passes_in_all_of_its_calls():
    lives(MEAN, ("train", "train", "eval", "train", "eval"))


MOVED_IN_EVAL = MEAN.replace(
    "        return (x - self.running) * self.scale",
    "        self.running = self.running * 0.5\n        return (x - self.running) * self.scale",
)
INVERTED = MEAN.replace("(1 - self.share) * self.running + self.share", "self.share * 0.5 * self.running + 0.75")


@pytest.mark.parametrize(
    ("text", "modes"),
    [
        (INVERTED, ("train", "train", "eval")),
        (MOVED_IN_EVAL, ("train", "eval", "eval")),
    ],
)
def test_a_wrong_module_fails_by_what_all_of_its_calls_left(text, modes):
    with pytest.raises(CheckFailed, match="entries differ"):
        lives(text, modes)


def test_a_statistic_that_is_not_kept_is_told():
    with pytest.raises(CheckFailed, match="keeps nothing named mean"):
        checks.remembered(open_student(HEAD + MEAN).Mean(4), "mean")


def test_facts_tell_a_buffer_with_a_graph_behind_it():
    layer = open_student(HEAD + MEAN).Mean(4)
    assert not layer.facts()["running"].requires_grad and layer.facts()["scale"].requires_grad
    layer.observe(torch.ones(3, 4), cotangent=torch.ones(3, 4))
    assert layer.facts()["running"].requires_grad and layer.facts()["running"].shape == (4,)
