"""What a check asked is written down for the teacher: inputs, answers, and what they were held against."""

import pytest
import torch

from grader.suite.diagnosis.shown_calls import LONGEST, ShownValue, shown_calls, value_text
from grader.workers.calls.kept_calls import KeptCall
from grader.workers.calls.observation import Observation
from grader.workers.calls.requests import Given
from grader.workers.process.failures import StudentFailure

X = torch.tensor([1.0, 2.0])


def call(outcome, *args, **words):
    return KeptCall("double", Given(args, words), outcome)


def test_inputs_have_the_place_or_the_name_by_which_they_are_given():
    (shown,) = shown_calls([call(Observation(X), X, twice=True)], [])
    assert shown.inputs == [ShownValue("args[0]", "(2,) float32\n[1., 2.]"), ShownValue("twice", "True")]


def test_of_a_tuple_each_item_has_its_own():
    pair = (torch.zeros(1), torch.ones(1))
    (shown,) = shown_calls([call(Observation(pair), X)], [(pair[1], torch.zeros(1))])
    assert [(answer.label, answer.expected) for answer in shown.answers] == [
        ("return[0]", ""),
        ("return[1]", "(1,) float32\n[0.]"),
    ]


def test_gradients_and_inputs_after_the_call_are_shown_where_there_are_any():
    seen = Observation(X, input_gradients=[X, None], parameter_gradients={"beta": X}, inputs_after=[X])
    (shown,) = shown_calls([call(seen, X)], [])
    assert [answer.label for answer in shown.answers] == ["return", "args[0].grad", "beta.grad", "args[0] (after)"]


def test_what_the_check_computed_itself_comes_last():
    computed = X.sum()
    shown = shown_calls([call(Observation(X), X)], [(computed, torch.tensor(1.0))])
    assert [shown_call.name for shown_call in shown] == ["double", ""]
    assert shown[1].answers == [ShownValue("", "() float32\n3.", "() float32\n1.")]


def test_a_call_without_an_answer_has_none():
    (shown,) = shown_calls([call(None, X)], [])
    assert shown.answers == []


@pytest.mark.parametrize(
    ("failure", "text"),
    [
        (StudentFailure("error", "double raised it.", exception_type="KeyError", text="'a'"), "KeyError: 'a'"),
        (StudentFailure("missing", "There is no double."), "There is no double."),
    ],
)
def test_a_failure_is_shown_in_its_words(failure, text):
    (shown,) = shown_calls([call(failure, X)], [])
    assert shown.answers == [ShownValue("raise", text)]


def test_values_are_short_plain_text(subtests):
    for value, text in [
        (torch.tensor([1.5], dtype=torch.bfloat16), "(1,) bfloat16\n[1.5]"),
        (torch.tensor([True, False]), "(2,) bool\n[ True, False]"),
        (torch.tensor([1j]), "(1,) complex64\n[0.+1.j]"),
        (torch.tensor([float("nan"), float("inf")]), "(2,) float32\n[nan, inf]"),
        (torch.zeros(0, 3), "(0, 3) float32\n[]"),
        (torch.zeros(2, device="meta"), "(2,) float32"),
        (torch.arange(100), "(100,) int64\n[ 0,  1,  2, ..., 97, 98, 99]"),
        (torch.zeros(10_000), "(10000,) float32\n[0., 0., 0., ..., 0., 0., 0.]"),
        ([X, None], "[0] (2,) float32\n[1., 2.]\n[1] None"),
        ((), "()"),
        ("\x1b[31m", r"\x1b[31m"),
        ("\ud800", r"\ud800"),
    ]:
        with subtests.test(value=value, text=text):
            assert value_text(value) == text


def test_a_long_text_is_cut():
    assert len(value_text("a" * 5000)) == LONGEST
