"""How answers are compared: type first, then shape, then every number."""

import pytest
import torch

from grader.suite.core import compare
from grader.suite.core.failures import CheckFailed
from grader.tolerances import TABLE, tolerance

VALUE = tolerance("value", "float32")
ONE, TWO = torch.ones(1), torch.tensor([1.0, 2.0])


WRONG = [
    *((torch.tensor([1.0, strange]), TWO, "1 of 2 entries differ") for strange in (torch.nan, torch.inf, -torch.inf)),
    (torch.tensor([[1.0], [5.0]]), torch.tensor([[1.0], [3.0]]), r"at \[1, 0\] the result is 5, expected 3"),
    (torch.ones(1, 3), torch.ones(3), r"\(1, 3\), but \(3,\) is asked for"),
    (torch.ones(0), ONE, r"\(0,\), but \(1,\) is asked for"),
    (torch.ones(1, dtype=torch.complex64), ONE, "complex"),
    *((answer, ONE, r"A torch\.Tensor is asked for") for answer in (None, 1.0, [1.0], "1.0", (ONE,))),
]


def test_what_is_wrong_is_told_with_its_place_its_shape_or_its_kind(subtests: pytest.Subtests) -> None:
    for answer, expected, words in WRONG:
        with subtests.test(words=words), pytest.raises(CheckFailed, match=words):
            compare.require_close(answer, expected, VALUE)


@pytest.mark.parametrize(
    ("answer", "count", "what"),
    [
        (None, 1, "the result is None"),
        ([1.0], 1, "the result is a value of type list"),
        (ONE, 2, "the result is a value of type Tensor"),
        ([ONE], 2, "the result is a list of 1"),
        ((ONE, 1.0), 2, "item 1 of the result is a value of type float"),
    ],
)
def test_another_type_than_a_tensors_is_named(answer: object, count: int, what: str) -> None:
    with pytest.raises(CheckFailed, match=what):
        compare.as_tensors(answer, count)


def test_nan_is_right_only_where_another_answer_is_nan_too() -> None:
    nan = torch.tensor([float("nan")])
    assert compare.is_close(nan, nan.double(), VALUE)
    assert not compare.is_close(nan, torch.zeros(1).double(), VALUE)
    assert not compare.is_close(torch.zeros(1), nan.double(), VALUE)


def test_infinities_must_have_the_same_sign() -> None:
    up, down = torch.tensor([float("inf")]), torch.tensor([-float("inf")])
    assert compare.is_close(up, up, VALUE)
    assert not compare.is_close(down, up, VALUE)
    assert not compare.is_close(torch.tensor([1e30]), up, VALUE)


def test_the_lowest_precision_of_all_inputs_counts() -> None:
    assert compare.lowest_precision([torch.ones(1), (torch.ones(1, dtype=torch.bfloat16),)]) == "bfloat16"
    assert compare.lowest_precision(torch.ones(1, dtype=torch.float64)) == "float64"
    assert compare.lowest_precision(torch.ones(1, dtype=torch.int64)) == "float32"


def test_every_kind_of_tolerance_is_set_for_every_float_dtype() -> None:
    for kind, row in TABLE.items():
        assert set(row) == set(compare.FLOATS), kind


def test_a_tolerance_is_wider_on_a_gpu_but_not_in_float64() -> None:
    assert tolerance("value", "float32", "cuda").relative > tolerance("value", "float32").relative
    assert tolerance("value", "float64", "cuda") == tolerance("value", "float64")


def test_a_modules_bound_grows_with_the_largest_entry() -> None:
    expected = torch.tensor([0.0, 100.0], dtype=torch.float64)
    compare.require_all_close(torch.tensor([2e-3, 100.0]), expected, "module", "float32")
    with pytest.raises(CheckFailed, match=r"1 of 2 entries differ: at \[0\]"):
        compare.require_all_close(torch.tensor([2e-3, 100.0]), expected, "value", "float32")
    with pytest.raises(CheckFailed, match=r"1 of 2 entries differ: at \[0\]"):
        compare.require_all_close(torch.tensor([2e-3, 1.0]), torch.tensor([0.0, 1.0]).double(), "module", "float32")
