"""Torch's texts are explained, a pair may be a list, an error names the mistake that raises it."""

from collections import namedtuple
from types import SimpleNamespace

import pytest
import torch

from grader.results.verdict import Diagnosis
from grader.suite import checks, exercise
from grader.suite.core import compare
from grader.suite.core.context import current_check
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import require_gradients
from grader.suite.core.reference import Reference
from grader.suite.rules.seen import Seen
from grader.words import Words
from grader.workers.calls.student import Student
from grader.workers.process.failures import StudentFailure

from ....support.exercises.small_suites import in_a_check, verdict_left_by
from ....support.workers.open_workers import open_session, open_student

ONE, TWO = torch.ones(2), torch.zeros(3)
Pair = namedtuple("Pair", "output weights")


def told(call, *args, **kwargs):
    with pytest.raises(CheckFailed) as caught:
        call(*args, **kwargs)
    return caught.value


def test_a_common_text_of_torch_has_a_hint(subtests):
    for wrong, name in [
        (lambda x, w: x[0].transpose(1, 2), "axis_that_is_missing"),
        (lambda x, w: torch.softmax(x[0], dim=2), "axis_that_is_missing"),
        (lambda x, w: w @ x[0], "product_of_other_sizes"),
        (lambda x, w: w @ x, "product_of_other_sizes"),
        (lambda x, w: x @ x, "product_of_other_sizes"),
        (lambda x, w: w @ x[0, 0], "product_of_other_sizes"),
        (lambda x, w: torch.nn.functional.linear(x, w), "product_of_other_sizes"),
        (lambda x, w: torch.cat([x, x[:, :1]], dim=-1), "sizes_do_not_join"),
        (lambda x, w: torch.stack([w, w.T]), "sizes_do_not_join"),
        (lambda x, w: x.reshape(2, 2, 4 / 2, 5), "size_that_is_no_whole_number"),
        (lambda x, w: x.split(4 / 2), "size_that_is_no_whole_number"),
        (lambda x, w: range(4 / 2), "size_that_is_no_whole_number"),
        (lambda x, w: x + w, "sizes_do_not_broadcast"),
        (lambda x, w: w.expand(5, 4), "sizes_do_not_broadcast"),
        (lambda x, w: w.requires_grad_().mul_(2), "input_changed"),
        (lambda x, w: w[:1].expand(4, 3).mul_(2), "input_changed"),
    ]:
        with subtests.test(wrong=wrong, name=name):
            with pytest.raises((IndexError, RuntimeError, TypeError)) as caught:
                wrong(torch.ones(2, 4, 5), torch.ones(5, 3))
            failure = StudentFailure("error", "", text=str(caught.value), exception_type="RuntimeError")
            known = verdict_left_by(failure).diagnosis
            assert (known.mistakes, known.evidence) == ([name], "report")


def test_a_known_mistake_says_more_than_the_text_of_torch():
    failure = StudentFailure("error", "", text="Dimension out of range", exception_type="IndexError")
    failure.diagnosis = Diagnosis(["known"], "Hint.", "힌트.")
    assert verdict_left_by(failure).diagnosis == failure.diagnosis
    assert verdict_left_by(StudentFailure("error", "", text="Something else.")).diagnosis is None


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
    assert wrong.found.startswith("The gradient is wrong for query. 2 of 2 entries differ")
    assert wrong.advice == "The gradient is wrong for query."
    both = told(require_gradients, {"query": torch.zeros(2), "key": None}, wanted, "float32")
    assert both.advice == "The gradient is wrong for query, and none reaches key."
    assert both.found.startswith(both.advice + " 2 of 2 entries differ")


@pytest.mark.parametrize("make", [lambda text: CheckFailed(Words(text)), lambda text: StudentFailure("failed", text)])
def test_words_without_an_end_are_cut_before_any_pattern_looks_at_them(make):
    verdict = verdict_left_by(make("dtype " * 200_000))
    assert max(len(verdict.found), len(verdict.found_ko)) <= 4000


def test_what_is_no_pair_is_told_in_one_sentence():
    source = "import torch\ndef lazy(x): return (part for part in (x, x))\n"
    student = open_student(source + "def mapped(x): return map(torch.exp, (x, x))\n")
    failure = told(compare.as_tensors, student.lazy(ONE), 2)
    assert failure.found == (
        "A tuple of 2 tensors is asked for, but the result is a value of type generator. Return the 2 tensors with "
        "commas between them."
    )
    assert "commas" in told(compare.as_tensors, student.mapped(ONE), 2).found


def test_a_sparse_tensor_is_told_in_one_sentence():
    student = open_student("def sparse(x): return x.to_sparse()\n")
    failure = told(compare.as_tensor, student.sparse(ONE))
    assert failure.found == "The result is a sparse tensor; return an ordinary one, with to_dense()."
    assert "to_dense()" in failure.advice.to("ko")


def test_a_later_check_asks_only_the_mistakes_that_fitted_before():
    asked = []

    def known(name, factor):
        def answer(x):
            asked.append(name)
            return x * factor(x)

        return answer

    in_a_check(
        {
            "f": {
                "twice": known("twice", lambda x: 2),
                "length": known("length", len),
                "half": known("half", lambda x: 0.5),
            }
        }
    )
    student, reference = open_student("def f(x): return 2 * x\n"), SimpleNamespace(f=lambda x: x.double())
    for size, named, ran in [(2, ["twice", "length"], 3), (3, ["twice"], 2), (2, ["twice"], 1)]:
        asked.clear()
        failure = told(checks.matches, student.f, reference.f, torch.ones(size))
        assert (failure.diagnosis.mistakes, len(asked)) == (named, ran)


def test_a_mistake_that_answers_a_plain_call_otherwise_is_not_named():
    in_a_check({"f": {"rounded": lambda x: x.round().clamp(max=9.0), "clamped": lambda x: x.clamp(max=9.0)}})
    known, solution = exercise("f"), SimpleNamespace(f=lambda x: 1.0 * x)
    known.contract(x="... d", result="... d")
    session = open_session("def f(x): return x.clamp(max=9.0)\n")
    state, student = current_check.get(), Student(session)
    state.session = session
    for named in (["rounded", "clamped"], ["clamped"]):
        failure = told(checks.matches, student.f, solution.f, torch.full((2,), 99.0))
        assert failure.diagnosis.mistakes == named
        state.findings.fitting.clear()
        state.findings.seen["f"] = Seen("f", known.declared, student, Reference(solution))


def test_an_error_names_the_mistake_that_raises_the_same():
    in_a_check({"product": {"transposed": lambda x, y: x.T @ y, "elsewhere": lambda x, y: x @ y.T @ y.T}})
    student = open_student("def product(x, y): return x.T.matmul(y)\n")
    reference = SimpleNamespace(product=lambda x, y: x.double() @ y.double())
    with pytest.raises(StudentFailure) as caught:
        checks.matches(student.product, reference.product, torch.ones(3, 5), torch.ones(5, 2))
    assert caught.value.diagnosis.mistakes == ["transposed"]
    assert verdict_left_by(caught.value).diagnosis.mistakes == ["transposed"]
