"""A contract: what an author writes of shapes, what is refused of it, and the inputs that are drawn from it."""

from typing import Any

import pytest
import torch

from grader.errors import CourseError
from grader.suite.core.contract import Contract, drawn, layer, shape_of
from grader.suite.core.draw import Draw
from grader.suite.core.exercise_decorator import exercise

ATTENTION = {"query": "... Tq d", "key": "... Tk d", "value": "... Tk dv"}
SMALL_ANSWER = 64  # what an answer made for small inputs may take


def declared(inputs: dict[str, Any], **told: Any) -> Contract:
    mix = exercise("mix")
    mix.contract(**told, **inputs)
    assert mix.declared is not None
    return mix.declared


def contract_of(inputs: dict[str, str], result: Any = "d", **told: Any) -> Contract:
    return declared(inputs, result=result, **told)


@pytest.mark.parametrize(
    ("inputs", "options", "told"),
    [
        ({"tokens": "T d"}, {"result": "T dv"}, r"has `dv` in its result, but in no input.*Did you mean `d`\?"),
        ({"tokens": "T d"}, {"result": ["d", "H d"]}, r"has `H` in its result, but in no input"),
        ({"tokens": "T d"}, {"result": "T*H"}, r"has `H` in its result, but in no input"),
        ({"tokens": "T ... d"}, {}, r"has `\.\.\.` inside of `T \.\.\. d`.*write it first"),
        ({"tokens": "... T d"}, {"result": "d ..."}, r"has `\.\.\.` inside of `d \.\.\.`"),
        ({"tokens": "T d"}, {"result": "... d"}, r"has `\.\.\.` in its result, but in no input"),
        ({"tokens": "T d"}, {"draws": {"token": Draw.uniform}}, r"draws `token`, which is no.*mean `tokens`\?"),
        ({}, {"result": ""}, r"The contract of mix names no input with a shape\."),
        ({"x": "a b c d e f g"}, {"result": "a"}, r"has 7 letters.*at most 6"),
        ({"tokens": "T d"}, {"causal": True}, "is that of a function, but says what only a module has"),
        ({"x": "B d"}, {"init": "d", "causal": True}, "is causal, but has a shape without tokens"),
        (
            {"x": "T d"},
            {"init": "d", "options": {"mask": "T T"}},
            "`mask` by keyword, but does not say what draws it",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_to_write(
    inputs: dict[str, str], options: dict[str, Any], told: str
) -> None:
    with pytest.raises(CourseError, match=told):
        contract_of(inputs, **options)


def test_leading_dimensions_are_put_before_every_shape_that_has_room_for_them() -> None:
    contract = contract_of({"tokens": "... T d", "query": "d"})
    given = contract.call(Draw(1), {"T": 4, "d": 3}, (2, 1)).args
    assert [tuple(argument.shape) for argument in given] == [(2, 1, 4, 3), (3,)]


def test_distinct_sizes_all_differ_and_are_more_than_one() -> None:
    sizes = contract_of({"x": "a b c d e f"}).distinct
    assert sorted(sizes) == ["a", "b", "c", "d", "e", "f"]
    assert len(set(sizes.values())) == 6 and min(sizes.values()) > 1


def test_alike_sizes_are_one_for_all_tokens_and_another_one_for_all_features() -> None:
    sizes = contract_of(ATTENTION).alike
    assert sizes["Tq"] == sizes["Tk"] != sizes["d"] == sizes["dv"]


def large_letters(contract: Contract) -> list[set[str]]:
    return [{letter for letter, size in sizes.items() if size > SMALL_ANSWER} for sizes in contract.large(Draw(1))]


def test_tokens_are_large_together_and_so_are_features_and_neither_beside_the_other() -> None:
    assert large_letters(contract_of(ATTENTION)) == [{"Tk", "Tq"}, {"d", "dv"}]
    assert large_letters(contract_of({"x": "T"}, "T")) == [{"T"}]


def test_a_function_gets_a_single_token_of_many_features_and_many_tokens_of_a_single_feature() -> None:
    tokens, features = contract_of(ATTENTION).large(Draw(1))
    assert {tokens["d"], tokens["dv"], features["Tk"], features["Tq"]} == {1}


def test_a_table_of_some_hundreds_is_no_answer_where_only_sizes_are_given() -> None:
    assert [sizes["T"] > 256 for sizes in contract_of({"length": "=T"}, "T T").large(Draw(1))] == [True]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_inputs_have_the_dtype_that_is_asked_for(dtype: torch.dtype) -> None:
    contract = contract_of(ATTENTION, draws={"value": Draw.uniform})
    assert {argument.dtype for argument in contract.call(Draw(1), contract.alike, dtype=dtype).args} == {dtype}


def test_dot_products_of_many_features_are_as_moderate_as_those_of_few() -> None:
    for features in (3, 300):
        x, y = contract_of({"x": "T d", "y": "T d"}).call(Draw(1), {"T": 40, "d": features}).args
        assert 1 < float((x @ y.T).std()) < 5


def test_a_scale_multiplies_what_is_standard_normal() -> None:
    contract = contract_of(ATTENTION, draws={"value": Draw.uniform})
    once, twice = (contract.call(Draw(1), contract.alike, scale=scale).args for scale in (1.0, 2.0))
    assert torch.equal(twice[0], 2 * once[0]) and torch.equal(twice[2], once[2])


def test_an_input_is_drawn_as_its_author_says() -> None:
    def counted(draw: Draw, *shape: int, dtype: torch.dtype) -> torch.Tensor:
        return torch.arange(torch.Size(shape).numel(), dtype=dtype).view(shape)

    contract = contract_of({"tokens": "... T d", "marks": "... T"}, draws={"marks": counted})
    assert contract.call(Draw(1), {"T": 3, "d": 2}, (2,)).args[1].tolist() == [[0, 1, 2], [3, 4, 5]]


# -- modules ----------------------------------------------------------------------------------------------------------


def module_of(init: str, inputs: dict[str, Any], result: str, **more: Any) -> Contract:
    return declared(inputs, result=result, init=init, **more)


def test_what_a_class_is_called_with_stands_before_the_inputs_letters_and_keeps_its_keywords() -> None:
    causal = module_of("d_in d_out T+ p", {"x": "B T d_in"}, "B T d_out")
    assert causal.is_module and causal.drops and causal.letters == ["d_in", "d_out", "T", "B"]
    given = causal.made_with({"d_in": 3, "d_out": 4, "T": 5, "B": 2}, p=0.5)
    assert (given.args, given.kwargs) == ((3, 4, 5, 0.5), {})
    heads = module_of("H*d H dropout=p", {"x": "B T H*d"}, "B T H*d")
    given = heads.made_with({"H": 2, "d": 3, "B": 1, "T": 1})
    assert (given.args, given.kwargs) == ((6, 2), {"dropout": 0.0})
    assert module_of("", {"x": "T d"}, "T d").made_with({}).args == ()


def test_the_first_factor_of_a_product_and_items_are_not_large() -> None:
    contract = module_of("H*d H", {"x": "B T H*d"}, "B T H*d")
    assert large_letters(contract) == [{"T"}, {"d"}]
    assert [(sizes["H"], sizes["B"]) for sizes in contract.large(Draw(1))] == [(1, 1), (1, 1)]


def test_a_layer_is_given_in_the_sizes_and_the_dtype_of_the_call() -> None:
    contract = declared({"x": "... d", "sublayer": layer("Linear", "d d")}, result="... d")
    assert contract.takes_layers
    given = contract.call(Draw(1), {"d": 3}, dtype=torch.float64).args[1]
    assert (given.kind, given.sizes, given.dtype) == ("Linear", (3, 3), torch.float64)
    assert {name: value.shape for name, value in given.values.items()} == {"weight": (3, 3), "bias": (3,)}
    assert repr(given) == "nn.Linear(3, 3)"


def test_what_is_no_tensor_is_drawn_with_its_sizes() -> None:
    words = drawn(lambda draw, count: ["a"] * count, "T")
    contract = declared({"words": words, "rows": layer("Embedding", "9 d", device="cpu")}, result="1 T d")
    assert contract.letters == ["T", "d"] and contract.takes_numbers and not contract.takes_tensors
    given = contract.call(Draw(1), {"T": 2, "d": 3}).args
    assert given[0] == ["a", "a"] and given[1].sizes == (9, 3) and given[1].device == "cpu"


def test_an_even_size_is_twice_a_letter() -> None:
    contract = declared({"T": "=T", "d": "=2*pairs"}, result="T 2*pairs")
    assert contract.letters == ["T", "pairs"] and not contract.takes_tensors
    assert contract.call(Draw(1), {"T": 5, "pairs": 3}).args == (5, 6)
    assert shape_of(contract.results[0], {"T": 5, "pairs": 3}) == (5, 6)
