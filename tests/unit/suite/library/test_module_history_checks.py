"""Layers that are handed over, and modules that remember: right ones pass, wrong ones fail."""

import pytest
import torch

from grader.suite import checks
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed

from ....support.exercises.small_solutions import HEAD, solution
from ....support.exercises.small_suites import in_a_check
from ....support.workers.open_workers import open_student

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


def knows(exercise, **texts):
    in_a_check({exercise: {name: getattr(solution(text).module, exercise) for name, text in texts.items()}})


def history(text, modes, *buffers):
    handle, module = checks.twin(open_student(HEAD + text), solution(MEAN), Draw(1), "Mean", 4)
    steps = [(mode, Draw(7 + n).normal(3, 4)) for n, mode in enumerate(modes)]
    checks.history_matches(handle, module, steps, *buffers, outputs=not buffers)


@pytest.mark.parametrize("buffers", [(), ("running",)])
def test_a_right_history_passes(buffers):
    history(MEAN, ("train", "train", "eval", "train", "eval"), *buffers)


MOVED_IN_EVAL = MEAN.replace(
    "        return (x - self.running) * self.scale",
    "        self.running = self.running * 0.5\n        return (x - self.running) * self.scale",
)
INVERTED = MEAN.replace("(1 - self.share) * self.running + self.share", "self.share * 0.5 * self.running + 0.75")


@pytest.mark.parametrize(
    ("name", "text", "buffers", "modes"),
    [
        ("inverted", INVERTED, ("running",), ("train", "train")),
        ("moved_in_eval", MOVED_IN_EVAL, ("running",), ("train", "eval", "train")),
        ("moved_in_eval", MOVED_IN_EVAL, (), ("train", "eval", "eval")),
    ],
)
def test_a_wrong_history_fails_and_is_named(name, text, buffers, modes):
    knows("Mean", inverted=INVERTED, moved_in_eval=MOVED_IN_EVAL)
    with pytest.raises(CheckFailed, match="entries differ") as failed:
        history(text, modes, *buffers)
    assert failed.value.diagnosis.mistakes == [name]


def test_a_statistic_that_is_not_kept_is_told():
    with pytest.raises(CheckFailed, match="keeps nothing named mean"):
        checks.remembered(open_student(HEAD + MEAN).Mean(4), "mean")


def test_facts_tell_a_buffer_with_a_graph_behind_it():
    layer = open_student(HEAD + MEAN).Mean(4)
    assert not layer.facts()["running"].requires_grad and layer.facts()["scale"].requires_grad
    layer.observe(torch.ones(3, 4), cotangent=torch.ones(3, 4))
    assert layer.facts()["running"].requires_grad and layer.facts()["running"].shape == (4,)
