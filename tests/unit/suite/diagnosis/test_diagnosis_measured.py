"""A wrong divisor is measured and named, an earlier result is recognised, a report is matched with a mistake."""

import math
from types import SimpleNamespace

import msgspec
import pytest
import torch

from grader.results.verdict import CheckVerdict, Diagnosis, ManifestCheck
from grader.suite import checks
from grader.suite.core.context import CheckState, current_check
from grader.suite.core.failures import CheckFailed
from grader.suite.diagnosis.by_measurement import (
    describe_divisor,
    diagnose_divisor,
    read_off,
    search,
)
from grader.suite.diagnosis.by_report import diagnose_by_report

D = 7
GENERATOR = torch.Generator().manual_seed(5)
QUERY, KEY, VALUE = (torch.randn(2, n, d, generator=GENERATOR) for n, d in ((3, D), (5, D), (5, 4)))
SCALING = checks.Scaling(D, argument=0, sizes={"the number of queries": 3, "the number of keys": 5})


def attention(query, key, value, divisor=D**0.5):
    weights = torch.softmax(query @ key.mT / divisor, dim=-1)
    return weights @ value, weights


def rerun(divisor):
    return attention(QUERY.double() * SCALING.right / divisor, KEY.double(), VALUE.double())


def see(visibility):
    current_check.set(CheckState(SimpleNamespace(visibility=visibility)))


def test_any_divisor_is_measured_from_the_outputs_alone(subtests):
    for divisor in [1.0, 7.0, 1 / math.sqrt(7), math.sqrt(3), math.sqrt(5), 2.0, 7**0.25, 3.7, 49.0]:
        with subtests.test(divisor=divisor):
            answer = attention(QUERY, KEY, VALUE, divisor)[0]
            measured = search(answer, lambda c: rerun(c)[0], SCALING.right, "float32")
            assert measured == pytest.approx(divisor, rel=1e-3)


def test_an_answer_that_no_divisor_gives_has_none():
    answer = torch.softmax(QUERY @ KEY.mT / math.sqrt(D), dim=-2) @ VALUE
    assert search(answer, lambda c: rerun(c)[0], SCALING.right, "float32") is None


def test_a_divisor_is_named_with_its_number_in_a_visible_check_alone(subtests):
    for divisor, visibility, what in [
        (7.0, "visible", "You divide the scores by 7 = d_k"),
        (1.0, "visible", "You do not scale the scores"),
        (math.sqrt(5), "visible", "You divide the scores by 2.236 = sqrt(the number of keys)"),
        (3.7, "visible", "You divide the scores by 3.7"),
        (2 * math.sqrt(7), "visible", "You divide the scores by 5.292 = 2 * sqrt(d_k)"),
        (math.sqrt(7) / 2, "visible", "You divide the scores by 1.323 = sqrt(d_k) / 2"),
        (7.0, "hidden", "You divide the scores by d_k"),
        (3.7, "hidden", "You divide the scores by another number"),
        (math.sqrt(14), "hidden", "You divide the scores by sqrt(2 * d_k)"),
    ]:
        with subtests.test(divisor=divisor, visibility=visibility, what=what):
            see(visibility)
            failure = CheckFailed("It differs.", "다릅니다.")
            diagnose_divisor(failure, attention(QUERY, KEY, VALUE, divisor), SCALING, rerun, "float32")
            named = f"{what}; the text divides by sqrt(d_k)."
            assert failure.diagnosis.hint == named
            assert failure.english == ("It differs." if visibility == "hidden" else f"It differs. {named}")


@pytest.mark.parametrize(
    ("divisor", "visibility", "said"),
    [
        (2.0, "visible", "You divide the scores by 2; the text leaves them as they are."),
        (0.5, "hidden", "You multiply the scores by 2; the text leaves them as they are."),
        (math.sqrt(7), "hidden", "You divide the scores by sqrt(d); the text leaves them as they are."),
        (3.0, "hidden", "You divide the scores by another number; the text leaves them as they are."),
    ],
)
def test_a_scaling_where_the_text_has_none_is_measured_too(divisor, visibility, said):
    see(visibility)
    failure = CheckFailed("It differs.", "다릅니다.")
    plain = checks.Scaling(1, "", argument=0, sizes={"d": 7})
    scores = QUERY.double()
    diagnose_divisor(
        failure, torch.softmax(QUERY / divisor, -1), plain, lambda c: torch.softmax(scores / c, -1), "float32"
    )
    assert failure.diagnosis.hint == said


@pytest.mark.parametrize("width", [2, 3])
def test_no_scaling_is_called_so_also_where_a_rounded_root_is_1(width):
    see("visible")
    failure = CheckFailed("It differs.", "다릅니다.")
    describe_divisor(failure, checks.Scaling(width), 1.0)
    assert failure.diagnosis.hint == "You do not scale the scores; the text divides by sqrt(d_k)."


@pytest.mark.parametrize(
    ("divisor", "said"),
    [
        (math.sqrt(5), "점수를 나눈 수가 2.236 = sqrt(키 수)입니다."),
        (2.0, "점수를 나눈 수가 2 = int(sqrt(d_k))입니다."),
        (49.0, "점수를 나눈 수가 49 = d_k ** 2입니다."),
        (7**0.25, "점수를 나눈 수가 1.627 = sqrt(sqrt(d_k))입니다."),
        (3.7, "점수를 나눈 수가 3.7입니다."),
    ],
)
def test_a_divisor_is_named_in_korean_without_english_words(divisor, said):
    see("visible")
    failure = CheckFailed("It differs.", "다릅니다.")
    describe_divisor(failure, SCALING, divisor)
    assert failure.diagnosis.hint_ko == f"{said} 본문에서는 sqrt(d_k)로 나눕니다."


def test_the_right_divisor_is_never_called_wrong():
    see("visible")
    failure = CheckFailed("It differs.", "다릅니다.")
    describe_divisor(failure, SCALING, math.sqrt(7))
    assert failure.diagnosis is None


def test_the_divisor_of_weights_is_read_off_where_their_scores_are_known():
    scores = torch.tensor([[2.0, 4.0, 4.0], [4.0, 8.0, 9.0]])
    assert read_off(torch.softmax(scores / 5, dim=-1), scores) == pytest.approx(5, rel=1e-4)
    masked = torch.softmax((scores / 2).masked_fill(torch.tensor([[False, False, True]] * 2), -torch.inf), dim=-1)
    assert read_off(masked, scores) == pytest.approx(2, rel=1e-4)


@pytest.mark.parametrize(
    "weights", [None, torch.ones(2), torch.full((2, 3), 1 / 3), torch.rand(2, 3, generator=GENERATOR)]
)
def test_weights_of_no_one_divisor_have_none(weights):
    assert read_off(weights, torch.tensor([[2.0, 4.0, 5.0], [4.0, 8.0, 9.0]])) is None


def test_a_figure_that_is_missed_by_the_divisor_says_so():
    see("visible")
    scores = torch.tensor([[2.0, 4.0, 4.0], [4.0, 8.0, 9.0]])
    with pytest.raises(CheckFailed, match="You divide the scores by 2 = d_k"):
        checks.close(
            torch.softmax(scores / 2, dim=-1),
            torch.softmax(scores / math.sqrt(2), dim=-1),
            scaling=checks.Scaling(2, scores=scores),
        )


MANIFEST = [
    ManifestCheck(
        id=f"f.{name}", exercise="f", category=category, visibility="hidden", weight=1, sentence="-", sentence_ko="-"
    )
    for name, category in (("values", "value"), ("gradients", "gradient"), ("purity", "purity"))
]
MISTAKES = {"f": [SimpleNamespace(name=name, hint=f"Hint of {name}.", ko=f"{name}의 힌트.") for name in ("a", "b")]}


def verdicts(**found):
    return [
        CheckVerdict(id=f"f.{name}", status="failed" if found.get(name) else "passed", found=found.get(name, ""))
        for name in ("values", "gradients", "purity")
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


PLACE = Diagnosis(["place"], "Look there.", "거기를 보세요.", "report")


def test_where_a_mistake_lies_is_told_only_if_the_mistake_itself_is_not():
    alone = verdicts(values="3 of 4 entries differ")
    alone[0] = msgspec.structs.replace(alone[0], diagnosis=PLACE)
    assert [each.diagnosis for each in diagnose_by_report(alone, MANIFEST, MISTAKES)] == [PLACE, None, None]
    given = verdicts(values="Differs.", purity="Differs.")
    given[0] = msgspec.structs.replace(given[0], diagnosis=PLACE)
    given[2] = msgspec.structs.replace(given[2], diagnosis=Diagnosis(["a"], "h", "k"))
    told = diagnose_by_report(given, MANIFEST, MISTAKES)
    assert [each.diagnosis.mistakes for each in told if each.diagnosis] == [["a"]]


def test_an_exception_that_fits_another_mistake_than_the_answers_is_not_named():
    given = verdicts(values="Differs.", purity="Differs.")
    given[0] = msgspec.structs.replace(given[0], diagnosis=Diagnosis(["a"], "h", "k"))
    given[2] = msgspec.structs.replace(given[2], status="error", diagnosis=Diagnosis(["b"], "h", "k"))
    told = {verdict.id: verdict.diagnosis for verdict in diagnose_by_report(given, MANIFEST, MISTAKES)}
    assert told["f.values"].mistakes == ["a"] and told["f.purity"] is None
