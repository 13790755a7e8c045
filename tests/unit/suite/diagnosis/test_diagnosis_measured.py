"""A wrong divisor is named, an earlier result is recognised, a report is matched with a mistake."""

import math
from types import SimpleNamespace

import msgspec
import pytest
import torch

from grader.results.verdict import CheckVerdict, Diagnosis
from grader.suite.core.context import CheckState, current_check
from grader.suite.core.failures import CheckFailed
from grader.suite.diagnosis.by_measurement import Scaling, diagnose_divisor, diagnose_rounding
from grader.suite.diagnosis.by_report import diagnose_by_report
from grader.words import Words

from ....support.reports.report_parts import expected

D = 7
GENERATOR = torch.Generator().manual_seed(5)
QUERY, KEY, VALUE = (torch.randn(2, n, d, generator=GENERATOR) for n, d in ((3, D), (5, D), (5, 4)))
SCALING = Scaling(D, argument=0, sizes={Words("the number of queries"): 3, Words("the number of keys"): 5})


def attention(query, key, value, divisor=D**0.5):
    weights = torch.softmax(query @ key.mT / divisor, dim=-1)
    return weights @ value, weights


def rerun(divisor):
    return attention(QUERY.double() * SCALING.right / divisor, KEY.double(), VALUE.double())


@pytest.fixture(autouse=True)
def in_a_check():
    current_check.set(CheckState())


def diagnosed(answer, scaling, again):
    """Return the hints in both languages for an answer; None where no divisor is named."""
    failure = CheckFailed(Words("It differs."))
    diagnose_divisor(failure, answer, scaling, again, "float32")
    assert failure.found == "It differs."  # of a hidden check nobody else reads the number
    return failure.diagnosis and (failure.diagnosis.hint, failure.diagnosis.hint_ko)


@pytest.mark.parametrize(
    ("divisor", "sentence"),
    [
        (7.0, "You divide the scores by d_k"),
        (1.0, "You do not scale the scores"),
        (math.sqrt(5), "You divide the scores by sqrt(the number of keys)"),
        (2.0, "You divide the scores by int(sqrt(d_k))"),
        (2 * math.sqrt(7), "You divide the scores by 2 * sqrt(d_k)"),
        (math.sqrt(7) / 2, "You divide the scores by sqrt(d_k) / 2"),
        (math.sqrt(14), "You divide the scores by sqrt(2 * d_k)"),
    ],
)
def test_a_wrong_divisor_that_has_a_name_is_told_by_it(divisor, sentence):
    hint, _ = diagnosed(attention(QUERY, KEY, VALUE, divisor), SCALING, rerun)
    assert hint == f"{sentence}; the text divides by sqrt(d_k)."


def test_no_other_divisor_and_never_the_right_one_is_called_wrong():
    for answer in (attention(QUERY, KEY, VALUE, 3.7), attention(QUERY, KEY, VALUE), (QUERY, KEY)):
        assert diagnosed(answer, SCALING, rerun) is None


@pytest.mark.parametrize(
    ("divisor", "sentence"),
    [
        (2.0, "You divide the scores by 2; the text leaves them as they are."),
        (0.5, "You multiply the scores by 2; the text leaves them as they are."),
        (math.sqrt(7), "You divide the scores by sqrt(d); the text leaves them as they are."),
    ],
)
def test_a_scaling_where_the_text_has_none_is_named_too(divisor, sentence):
    plain, scores = Scaling(1, "", argument=0, sizes={"d": 7}), QUERY.double()
    hint, _ = diagnosed(torch.softmax(QUERY / divisor, -1), plain, lambda c: torch.softmax(scores / c, -1))
    assert hint == sentence


def test_no_scaling_is_called_so_also_where_a_rounded_root_is_1():
    scaling, scores = Scaling(2, argument=0), QUERY.double()
    hint, _ = diagnosed(torch.softmax(QUERY, -1), scaling, lambda c: torch.softmax(scores / c, -1))
    assert hint == "You do not scale the scores; the text divides by sqrt(d_k)."


def test_a_divisor_is_named_in_korean_without_english_words():
    _, hint = diagnosed(attention(QUERY, KEY, VALUE, math.sqrt(5)), SCALING, rerun)
    assert hint == "점수를 나눈 수가 sqrt(키 수)입니다. 본문에서는 sqrt(d_k)로 나눕니다."


@pytest.mark.parametrize(("expected", "named"), [(QUERY.double(), True), (torch.full((3,), 0.333).double(), False)])
def test_a_rounded_answer_is_named_unless_its_numbers_are_all_the_same(expected, named):
    failure = CheckFailed(Words("It differs."))
    diagnose_rounding(failure, torch.round(expected, decimals=2).float(), expected, "float32")
    assert (failure.diagnosis is not None) == named


CATEGORIES = {"values": "value", "gradients": "gradient", "purity": "purity"}
MANIFEST = [expected(f"f.{name}", category=category) for name, category in CATEGORIES.items()]
MISTAKES = {"f": [SimpleNamespace(name=name, hint=f"Hint of {name}.", ko=f"{name}의 힌트.") for name in ("a", "b")]}


def verdicts(**findings):
    return [
        CheckVerdict(id=f"f.{name}", status="failed" if findings.get(name) else "passed", found=findings.get(name, ""))
        for name in CATEGORIES
    ]


@pytest.mark.parametrize(
    ("others", "left"), [(["a", "b"], ["a"]), (["b"], ["b"]), (["changing_result"], ["changing_result"])]
)
def test_a_diagnosis_is_narrowed_to_what_fits_every_check(others, left):
    given = verdicts(values="Differs.", purity="Differs.")
    given[0] = msgspec.structs.replace(given[0], diagnosis=Diagnosis(others, "h", "k"))
    given[2] = msgspec.structs.replace(given[2], diagnosis=Diagnosis(["a"], "h", "k"))
    told = {verdict.id: verdict.diagnosis for verdict in diagnose_by_report(given, MANIFEST, MISTAKES)}
    assert told["f.values"].mistakes == left
    assert told["f.values"].hint == ("Hint of a." if "a" in others else "h")
    assert told["f.purity"].mistakes == ["a"]


def test_an_exception_that_fits_another_mistake_than_the_answers_is_not_named():
    given = verdicts(values="Differs.", purity="Differs.")
    given[0] = msgspec.structs.replace(given[0], diagnosis=Diagnosis(["a"], "h", "k"))
    given[2] = msgspec.structs.replace(given[2], status="error", diagnosis=Diagnosis(["b"], "h", "k"))
    told = {verdict.id: verdict.diagnosis for verdict in diagnose_by_report(given, MANIFEST, MISTAKES)}
    assert told["f.values"].mistakes == ["a"] and told["f.purity"] is None
