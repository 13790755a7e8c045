"""A fault that a check's words say needs no list, a pair may be a list, an error names the mistake that raises it."""

from collections import namedtuple
from types import SimpleNamespace

import pytest
import torch

from grader.suite import checks
from grader.suite.core import compare
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import require_gradients
from grader.suite.diagnosis.by_message import plain_faults
from grader.words import Words
from grader.workers.process.failures import StudentFailure

from ....support.exercises.small_suites import in_a_check, verdict_left_by
from ....support.workers.open_workers import open_student

ONE, TWO = torch.ones(2), torch.zeros(3)
Pair = namedtuple("Pair", "output weights")


def told(call, *args, **kwargs):
    with pytest.raises(CheckFailed) as caught:
        call(*args, **kwargs)
    return caught.value


def test_the_words_of_a_check_name_the_fault(subtests):
    for category, status, text, name in [
        ("gradient", "failed", "No gradient reaches query: the result was cut off from it.", "cut_off_result"),
        ("gradient", "failed", "The gradient of x is wrong. 3 of 4 entries differ: ...", "gradient_in_part"),
        ("dtype", "failed", "The result is float32, but float64 is asked for.", "dtype_not_kept"),
        ("purity", "failed", "Argument 1 was changed by the call; work on a copy.", "input_changed"),
        ("policy", "forbidden", "f uses torch.softmax (line 3); this exercise asks you to write that yourself.",
         "library_call"),
        ("value", "failed", "A torch.Tensor is asked for, but the result is None.", "no_tensor"),
        ("value", "failed", "The result has the shape (6, 2, 4), but (2, 6, 4) is asked for.", "axes_swapped"),
        ("value", "failed", "The result has the shape (6, 2), but (2, 2) is asked for.", "another_shape"),
        ("value", "error", "f() got an unexpected keyword argument 'dim'", "other_signature"),
        ("parameters", "failed", "The module M has no parameter or buffer named q.weight; it has: none",
         "other_parameters"),
    ]:  # fmt: skip
        with subtests.test(category=category, status=status, text=text, name=name):
            assert plain_faults([("f.one", category, status, text)])["f.one"].name == name


def test_the_arguments_of_a_helper_are_not_those_of_the_stub():
    message = "exps() missing 1 required positional argument: 'x'"
    assert plain_faults([("softmax_naive.value", "value", "error", message)]) == {}
    for message in ("SelfAttention.__init__() takes 2 positional arguments but 3 were given", "f() missing 1 required"):
        assert plain_faults([("f.value", "value", "error", message)])["f.value"].name == "other_signature"


def test_the_words_of_torch_name_the_fault(subtests):
    for wrong, name in [
        (lambda x, w: x[0].transpose(1, 2), "axis_that_is_missing"),
        (lambda x, w: torch.softmax(x[0], dim=2), "axis_that_is_missing"),
        (lambda x, w: w @ x[0], "product_of_other_sizes"),
        (lambda x, w: w @ x, "product_of_other_sizes"),
        (lambda x, w: x @ x, "product_of_other_sizes"),
        (lambda x, w: w @ x[0, 0], "product_of_other_sizes"),
        (lambda x, w: torch.nn.functional.linear(x, w), "product_of_other_sizes"),
        (lambda x, w: torch.cat([x, x[:, :3]], dim=-1), "cat_of_other_sizes"),
        (lambda x, w: torch.cat([x, x[0]], dim=-1), "cat_of_other_sizes"),
        (lambda x, w: torch.nn.GRU(5, 3, batch_first=True)(x, torch.ones(1, 4, 3)), "recurrent_state_of_another_shape"),
        (lambda x, w: torch.nn.GRU(5, 3)(x, torch.ones(4, 3)), "recurrent_state_of_another_shape"),
        (lambda x, w: torch.nn.GRU(6, 3)(x), "recurrent_input_of_another_size"),
        (lambda x, w: x + w, "sizes_do_not_broadcast"),
        (lambda x, w: w.expand(5, 4), "sizes_do_not_broadcast"),
        (lambda x, w: x.transpose(1, 2).view(2, 20), "view_of_another_layout"),
    ]:
        with subtests.test(wrong=wrong, name=name):
            with pytest.raises((IndexError, RuntimeError)) as caught:
                wrong(torch.ones(2, 4, 5), torch.ones(5, 3))
            other = ("f.value", "value", "failed", "3 of 4 entries differ: at [0] the result is 1, expected 2.")
            assert plain_faults([other, ("f.one", "value", "error", str(caught.value))])["f.one"].name == name


def test_a_fault_that_explains_a_part_only_is_not_named_unless_it_is_decisive():
    differs = ("f.value", "value", "failed", "3 of 4 entries differ: at [0] the result is 1, expected 2.")
    dtype = ("f.dtype", "dtype", "failed", "The result is float32, but float64 is asked for.")
    nothing = ("f.none", "value", "failed", "A torch.Tensor is asked for, but the result is None.")
    assert plain_faults([differs]) == {}
    assert plain_faults([differs, dtype]) == {}
    assert list(plain_faults([differs, dtype, nothing])) == ["f.none"]
    assert plain_faults([("f.one", "gradient", "timeout", "")]) == {}


@pytest.mark.parametrize("pair", [(ONE, TWO), [ONE, TWO], Pair(ONE, TWO)])
def test_a_pair_may_be_a_tuple_a_list_or_a_named_tuple(pair):
    assert compare.as_tensors(pair, 2) == [ONE, TWO]
    compare.require_all_close(pair, (ONE, TWO), "value", "float32")


def test_nan_tells_what_it_comes_of():
    failure = told(compare.require_close, torch.tensor([1.0, float("nan")]), torch.ones(2), torch.ones(2) * 1e-3)
    assert "infinity / infinity" in failure.found and "NaN" in failure.found.to("ko") and "NaN" in failure.advice


def test_a_gradient_that_is_missing_or_wrong_is_named():
    wanted = {"query": torch.ones(2), "key": torch.ones(3)}
    missing = told(require_gradients, {"query": torch.ones(2)}, wanted, "float32")
    assert missing.found.startswith("No gradient reaches key:") and missing.advice.to("ko").startswith("key에")
    wrong = told(require_gradients, {"query": torch.zeros(2), "key": torch.ones(3)}, wanted, "float32")
    assert wrong.found.startswith("The gradient of query is wrong. 2 of 2 entries differ")
    assert wrong.advice == "The gradient of query is wrong."
    both = told(require_gradients, {"query": torch.zeros(2), "key": None}, wanted, "float32")
    assert both.advice == "The gradient of query is wrong, and none reaches key."
    assert both.found.startswith(both.advice + " 2 of 2 entries differ")


def test_a_parameter_without_a_gradient_may_be_frozen():
    wanted, parameters = {"x": torch.ones(2), "W_key.weight": torch.ones(3)}, ["W_key.weight"]
    frozen = told(require_gradients, {"x": torch.ones(2)}, wanted, "float32", parameters)
    (fault,) = plain_faults([("a", "gradient", "failed", frozen.found)]).values()
    assert fault.name == "parameter_without_gradient" and "requires_grad=False" in fault.hint
    cut = told(require_gradients, {}, wanted, "float32", parameters)
    (fault,) = plain_faults([("a", "gradient", "failed", cut.found)]).values()
    assert fault.name == "cut_off_result"


@pytest.mark.parametrize("make", [lambda text: CheckFailed(Words(text)), lambda text: StudentFailure("failed", text)])
def test_words_without_an_end_are_cut_before_any_pattern_looks_at_them(make):
    verdict = verdict_left_by(make("dtype " * 200_000))
    assert max(len(verdict.found), len(verdict.found_ko)) <= 4000


@pytest.mark.parametrize(
    ("words", "korean"),
    [
        (
            "The call of full in line 20 made a tensor on the CPU: give it device=x.device.",
            "20번째 줄의 full 호출: 텐서를 CPU에 만듭니다. device=x.device를 주세요.",
        ),
        ("The call of to moved a tensor to the CPU.", "to 호출: 텐서를 CPU로 옮깁니다."),
        (
            "The attribute mask of Block is not a buffer: .to(device) leaves it on the CPU.",
            "Block의 속성 mask: 버퍼가 아니어서 .to(device) 뒤에도 CPU에 남습니다.",
        ),
        ("TABLE was made on the CPU when the file was loaded.", "TABLE: 파일을 읽을 때 CPU에 만들었습니다."),
    ],
)
def test_where_a_tensor_comes_from_is_said_in_korean_too(words, korean):
    failure = StudentFailure("error", "", text=f"Torch's words. {words}", exception_type="RuntimeError", line=3)
    verdict = verdict_left_by(failure)
    assert verdict.found.endswith(words)
    assert verdict.found_ko == f"3번째 줄에서 RuntimeError 예외가 났습니다: Torch's words. {korean}"


def test_what_is_no_pair_is_told_in_one_sentence():
    source = "def lazy(x): return (part for part in (x, x))\ndef three(x): return x, x, x\ndef none(x): pass\n"
    student = open_student(source)
    for name, words in (("lazy", "of type generator"), ("three", "a tuple of 3"), ("none", "the result is None")):
        failure = told(compare.as_tensors, getattr(student, name)(ONE), 2)
        assert words in failure.found and "2 tensors" in failure.advice


def test_a_sparse_tensor_is_told_in_one_sentence():
    student = open_student("def sparse(x): return x.to_sparse()\n")
    failure = told(compare.as_tensor, student.sparse(ONE))
    assert failure.found == "The result is a sparse tensor; return an ordinary one, with to_dense()."
    assert "to_dense()" in failure.advice.to("ko")


def test_an_error_names_the_mistake_that_raises_the_same():
    in_a_check({"product": {"transposed": lambda x, y: x.T @ y, "elsewhere": lambda x, y: x @ y.T @ y.T}})
    student = open_student("def product(x, y): return x.T.matmul(y)\n")
    reference = SimpleNamespace(product=lambda x, y: x.double() @ y.double())
    with pytest.raises(StudentFailure) as caught:
        checks.matches(student.product, reference.product, torch.ones(3, 5), torch.ones(5, 2))
    assert caught.value.diagnosis.mistakes == ["transposed"]
    assert verdict_left_by(caught.value).diagnosis.mistakes == ["transposed"]
