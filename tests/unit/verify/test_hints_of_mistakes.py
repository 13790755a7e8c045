"""A mistake's hint is recorded for the answer that a student's own code gives, whose class has the exercise's name."""

from types import SimpleNamespace

import pytest

from grader.course.handed_out.hints import answer_hash
from grader.results.verdict import CheckVerdict
from grader.verify.naming import hints_of
from grader.verify.trial import Trial

NOTHING = {"found": "", "exception_type": "", "exception_text": "", "output_dropped": 0, "input_seed": "",
           "attempts": 1, "code": ""}  # fmt: skip


def mistake(name, hint="Use nn.Parameter."):
    return SimpleNamespace(name=name, exercise="Layer", kind="mistake", hint=hint, ko="nn.Parameter를 쓰세요.")


def trial(details):
    """Return reports in which each mistake fails one visible check in its own way."""
    reports = {}
    for name, detail in details.items():
        check = {"id": "Layer.loads", "category": "value", "visibility": "visible", "status": "failed", "counts": True}
        exercise = {"id": "Layer", "checks": [{**check, "detail": {**NOTHING, **detail}}]}
        reports[f"mistake-{name}"] = {"exercises": [exercise]}
    return Trial(reports)


@pytest.mark.parametrize(
    "said",
    [
        {"code": "no_names {} weight"},
        {"exception_type": "AttributeError", "exception_text": "'{}' object has no attribute 'weight'"},
    ],
)
def test_a_students_class_gets_the_hint_of_a_mistake_whose_class_has_the_mistakes_name(said):
    of_mistake, of_student = (
        {key: text.format(name) for key, text in said.items()} for name in ("plain_tensors", "Layer")
    )
    known = hints_of([mistake("plain_tensors")], trial({"plain_tensors": of_mistake}))["Layer"]
    answer = answer_hash("Layer.loads", CheckVerdict(id="Layer.loads", status="failed", **of_student))
    assert known[0].answers == [answer]


def test_an_answer_of_two_mistakes_or_in_words_alone_has_no_hint():
    same = {"code": "no_names Layer weight"}
    two = [mistake("one"), mistake("other", "Another hint.")]
    assert hints_of(two, trial({"one": same, "other": same})) == {}
    assert hints_of(two[:1], trial({"one": {"found": "It is wrong."}})) == {}
