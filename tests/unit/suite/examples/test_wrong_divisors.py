"""A wrong divisor that has a name is hinted at in a student's own run, though no list of mistakes holds it."""

import math
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from grader.suite import exercise
from grader.suite.examples.divisors import wrong_divisors
from grader.suite.examples.make import answer_hash, make_examples, make_hints
from grader.suite.examples.model import args_of, values_of


def weights(scores, d_k, divided=math.sqrt):
    return torch.softmax(scores / divided(d_k), -1)


class Looks(nn.Module):
    def __init__(self, d, divided=math.sqrt):
        super().__init__()
        self.query, self.divided = nn.Linear(d, d, bias=False), divided

    def forward(self, x):
        return torch.softmax(self.query(x) @ x.mT / self.divided(x.shape[-1]), -1)


SOLUTION = SimpleNamespace(weights=weights, Looks=Looks)
CONTRACTS = {
    "weights": {"scores": "... T", "d_k": "=d_k", "result": "... T", "scaling": "d_k"},
    "Looks": {"init": "d", "x": "T d", "result": "T T", "scaling": ("d", "query.weight")},
}


def answered(name, divided):
    """Return the hash of a student's first answer whose scores are divided so."""
    example = examples_of(name)[0]
    args, _ = args_of(example.calls[0], None)
    if example.built is None:
        return answer_hash(0, weights(*args, divided))
    module = Looks(*args_of(example.built, None)[0], divided)
    module.load_state_dict(values_of(example.parameters))
    return answer_hash(0, module(*args))


def contract_of(name):
    declared = exercise(name)
    declared.contract(**CONTRACTS[name])
    return declared.declared


def examples_of(name):
    return make_examples(name, contract_of(name), SOLUTION).examples


@pytest.mark.parametrize("name", CONTRACTS)
@pytest.mark.parametrize(
    ("divided", "said"), [(lambda d: 1, "do not scale"), (float, "by d"), (lambda d: 1 / math.sqrt(d), "multiply")]
)
def test_an_answer_with_a_wrong_divisor_has_a_hint(name, divided, said):
    hints = make_hints(examples_of(name), [], wrong_divisors(name, contract_of(name), SOLUTION))
    (hint,) = (hint for hint in hints if answered(name, divided) in hint.answers)
    assert said in hint.hint


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_right_answer_has_none(name):
    hints = make_hints(examples_of(name), [], wrong_divisors(name, contract_of(name), SOLUTION))
    assert not any(answered(name, math.sqrt) in hint.answers for hint in hints)


def test_a_listed_mistake_has_its_own_hint():
    listed = SimpleNamespace(
        make=lambda scores, d_k: weights(scores, d_k, float), name="halved", exercise="weights", hint="Listed.", ko="-"
    )
    hints = make_hints(examples_of("weights"), [listed], wrong_divisors("weights", contract_of("weights"), SOLUTION))
    assert [hint.hint for hint in hints if answered("weights", float) in hint.answers] == ["Listed."]


def test_without_a_scaling_there_are_none():
    declared = exercise("weights")
    declared.contract(scores="... T", d_k="=d_k", result="... T")
    assert wrong_divisors("weights", declared.declared, SOLUTION) == []
