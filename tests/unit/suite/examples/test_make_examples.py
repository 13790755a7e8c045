"""Examples are made of a contract and the solution, and hints of what known mistakes answer."""

import re
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from grader.errors import CourseError
from grader.suite import exercise
from grader.suite.examples.make import answer_hash, make_examples, make_hints
from grader.suite.examples.model import given_in, results_of, tensor_of
from grader.workers.process.failures import StudentFailure


def mixed(scores, tokens):
    return torch.softmax(scores, -1) @ tokens


class Scale(nn.Module):
    def __init__(self, d, p, shifted=False):
        super().__init__()
        self.weight, self.dropout = nn.Parameter(torch.ones(d)), nn.Dropout(p)
        self.bias = nn.Parameter(torch.zeros(d)) if shifted else None

    def forward(self, x):
        scaled = self.dropout(x * self.weight)
        return scaled if self.bias is None else scaled + self.bias


SOLUTION = SimpleNamespace(mixed=mixed, Scale=Scale)
CONTRACTS = {
    "mixed": {"scores": "... T", "tokens": "T d", "result": "... d"},
    "Scale": {"init": "d p", "further": {"shifted": True}, "x": "... d", "result": "... d"},
}


def contract_of(name):
    declared = exercise(name)
    declared.contract(**CONTRACTS[name])
    return declared.declared


def made(name, **options):
    return make_examples(name, contract_of(name), SOLUTION, **options)


def mistake(make, name="wrong", hint="Another hint.", exercise="mixed"):
    return SimpleNamespace(make=make, name=name, exercise=exercise, hint=hint, ko=hint)


def test_the_results_are_those_of_the_solution_and_the_inputs_can_be_typed():
    (example,) = made("mixed").examples
    for call in example.calls:
        assert torch.allclose(results_of(call), mixed(*given_in(call, torch.float64).args), atol=1e-6)
        assert all(len(number.lstrip("-")) <= 4 for arg in call.args for number in arg.numbers.split())
    assert [tuple(arg.shape for arg in call.args) for call in example.calls] == [([2, 5], [5, 3]), ([6], [6, 5])]


def test_a_class_is_asked_without_dropout_in_training_and_with_all_of_its_options_in_eval():
    plain, further = made("Scale").examples
    assert [call.mode for call in plain.calls] == ["train", "eval"] and plain.built.args == [5, 0.0]
    assert [call.mode for call in further.calls] == ["eval"] and further.built.args == [5, 0.2]
    assert further.built.kwargs == {"shifted": True} and set(further.parameters) == {"weight", "bias"}
    call, parameters = further.calls[0], {name: tensor_of(value) for name, value in further.parameters.items()}
    wanted = given_in(call).args[0] * parameters["weight"] + parameters["bias"]
    assert torch.allclose(results_of(call).float(), wanted, atol=1e-5)


def kept(scores, tokens):
    return mixed(scores, tokens)[..., None]


def by_length(scores, tokens):
    return mixed(scores, tokens / tokens.norm(dim=-1, keepdim=True))


@pytest.mark.parametrize(("solution", "problem"), [(kept, ", but the solution gives ("), (by_length, "NaN")])
def test_a_contract_that_the_solution_does_not_keep_is_refused(solution, problem):
    with pytest.raises(CourseError, match=re.escape(problem)):
        make_examples("mixed", contract_of("mixed"), SimpleNamespace(mixed=solution, __file__="solution.py"))


@pytest.mark.parametrize("make", [mixed, lambda scores, tokens: mixed(scores, tokens) + torch.rand(1)])
def test_a_right_answer_and_one_that_changes_have_no_hint(make):
    assert make_hints(made("mixed").examples, [mistake(make)]) == []


def test_an_answer_that_more_than_three_hints_fit_has_none():
    def halved(scores, tokens):
        return mixed(scores, tokens) / 2

    def raised(scores, tokens):
        raise ValueError("Not here.")

    examples = made("mixed").examples
    several = [mistake(halved, hint=f"Hint {number}.") for number in range(4)]
    assert make_hints(examples, several) == [] and len(make_hints(examples, several[:3])) == 3
    assert len(make_hints(examples, [mistake(halved), mistake(halved)])) == 1
    assert len(make_hints(examples, [mistake(halved), mistake(raised, hint="It raises.")])) == 2


def test_what_a_student_raises_has_the_hint_though_the_mistake_has_another_name():
    def raising(scores, tokens):
        raise AttributeError("'raising' has no attribute 'weight'")

    (hint,) = make_hints(made("mixed").examples, [mistake(raising, name="raising")])
    failure = StudentFailure("error", "It broke.", name="mixed")
    failure.exception_type, failure.text = "AttributeError", "'mixed' has no attribute 'weight'"
    assert hint.answers == [answer_hash(0, failure)]


def test_rounding_makes_no_other_hash_and_a_clear_difference_does():
    near, far = torch.tensor([0.33334, -3e-8, 2.0]), torch.tensor([0.33433, 0.0, 2.0])
    answer = torch.tensor([0.33333, 1e-9, 2.0])
    assert answer_hash(0, answer) == answer_hash(0, near) != answer_hash(0, far)
    assert answer_hash(0, answer) != answer_hash(1, answer) != answer_hash(1, (answer,) * 2)
    assert answer_hash(0, [3]) is None


def test_what_is_in_fresh_memory_is_never_taken_for_an_answer():
    (hint,) = make_hints(made("mixed").examples, [mistake(lambda scores, tokens: torch.empty(2, 3))])
    assert hint.answers == [answer_hash(0, torch.full((2, 3), torch.nan))]
