"""What a file of examples holds is what was put into it, and a file that is not whole is refused."""

import math

import pytest
import torch

from grader.errors import UsageError
from grader.suite.examples.model import (
    Example,
    ExerciseExamples,
    Hint,
    StoredCall,
    StoredLayer,
    examples_text,
    given_in,
    read_examples,
    stored,
    tensor_of,
)

TENSORS = [
    torch.tensor([[0.25, -math.inf], [1e-7, 1234567.0]]),
    torch.tensor(3.5, dtype=torch.float64),
    torch.tensor([[True, False]]),
    torch.tensor([2**40, -1]),
    torch.zeros(2, 0),
]


@pytest.mark.parametrize("tensor", TENSORS, ids=str)
def test_a_tensor_comes_back_as_it_was(tensor):
    again = tensor_of(stored(tensor))
    assert again.dtype == tensor.dtype and again.shape == tensor.shape and torch.equal(again, tensor)


def test_a_file_comes_back_as_it_was(tmp_path):
    layer = StoredLayer("Linear", [2, 3], {"weight": stored(torch.ones(3, 2))})
    call = StoredCall([stored(torch.ones(2)), layer, 3, None], {"mask": stored(torch.ones(1, dtype=torch.bool))})
    known = ExerciseExamples(
        [Example([call], StoredCall([2], {"bias": True}))],
        None,
        ["x"],
        ["sizes"],
        ["softmax"],
        [Hint("a", "가", ["0"])],
    )
    file = tmp_path / "examples.json"
    file.write_text(examples_text({"f": known, "empty": ExerciseExamples([])}), encoding="utf-8")
    assert read_examples(file, ["empty", "f"]) == {"f": known, "empty": ExerciseExamples([])}


def test_floating_numbers_and_layers_come_in_the_dtype_that_is_asked_for_and_nothing_else_changes():
    layer = StoredLayer("LayerNorm", [2], {name: stored(torch.ones(2)) for name in ("weight", "bias")})
    call = StoredCall([stored(torch.ones(2)), layer, 3], {"mask": stored(torch.ones(1, dtype=torch.bool))})
    given = given_in(call, torch.float64)
    tensor, built, number = given.args
    assert (tensor.dtype, built.dtype, number) == (torch.float64, torch.float64, 3)
    assert given.kwargs["mask"].dtype == torch.bool and torch.equal(built.values["weight"], torch.ones(2))


@pytest.mark.parametrize("text", ['{"f": {"examples": 3}}', "{", "{}", '{"of_another_assignment": {"examples": []}}'])
def test_a_file_that_is_not_as_it_came_is_refused(tmp_path, text):
    (tmp_path / "examples.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError):
        read_examples(tmp_path / "examples.json", ["f"])
