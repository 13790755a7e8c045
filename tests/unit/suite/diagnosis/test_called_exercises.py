"""An exercise that is wrong because its answer calls another exercise, which is wrong, says so."""

import ast

import pytest

from grader.inside.source.answered_exercises import calls
from grader.results.verdict import CheckVerdict, Diagnosis
from grader.suite.diagnosis.called_exercises import blame_called_exercises

from ....support.reports.report_parts import expected

NAMES = ("a", "b", "C")


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("def a(x): return b(x) + helper(x)", {"a": ["b"]}),
        ("class C:\n    def f(self, x): return [a(each) for each in x], b(1)", {"C": ["a", "b"]}),
        ("def a(x): return a(x - 1)", {}),
        ("def a(x): return self.b(x)\ndef helper(x): return b(x)", {}),
        ("if True:\n    def b(x): return C(x)(x)", {"b": ["C"]}),
    ],
)
def test_the_text_says_which_exercises_an_answer_calls(text, called):
    assert calls(ast.parse(text).body, NAMES) == called


def verdicts_of(**statuses):
    manifest = [expected(f"{name}.x") for name in statuses]
    return [CheckVerdict(id=f"{name}.x", status=status) for name, status in statuses.items()], manifest


@pytest.mark.parametrize(
    ("statuses", "blames"),
    [
        ({"a": "failed", "b": "failed"}, True),
        ({"a": "error", "b": "missing"}, True),
        ({"a": "failed", "b": "passed"}, False),
        ({"a": "passed", "b": "failed"}, False),
        ({"a": "missing", "b": "failed"}, False),
    ],
)
def test_the_other_one_is_named_only_where_both_fail(statuses, blames):
    first, second = blame_called_exercises(*verdicts_of(**statuses), {"a": ["b"]})
    assert (first.diagnosis is not None) == blames
    assert second.diagnosis is None
    if blames:
        assert "`b`, which does not pass" in first.diagnosis.hint and "`b`" in first.diagnosis.hint_ko


def test_a_mistake_that_was_recognised_keeps_its_hint():
    (first, second), manifest = verdicts_of(a="failed", b="failed")
    recognised = CheckVerdict(id=first.id, status="failed", diagnosis=Diagnosis(["m"], "Its own hint.", "힌트"))
    assert blame_called_exercises([recognised, second], manifest, {"a": ["b"]})[0].diagnosis.hint == "Its own hint."
