"""The page of a check that a student asks about: all of it for the teacher, and nothing of a student's acts in it."""

import pytest

from grader.pages.appeal_page import AppealedCheck, appeal_page
from grader.results.verdict import CheckVerdict, Diagnosis
from grader.suite.diagnosis.shown_calls import ShownCall, ShownValue

from ...support.reports.page_structure import assert_sound
from ...support.reports.report_parts import expected
from .test_pages_words import NASTY

SINCE = ["submission", "suite", "kit", "inputs", "conditions", "unknown", "nothing", "chance"]


def page(text: str = "x", language: str = "en", calls: int = 1) -> bytes:
    """Return the page of a check that the report does not have, with a text wherever one of the student's can be."""
    values = [ShownValue("return", text, text)]
    call = ShownCall(name=text, inputs=values, answers=values)
    diagnosis = Diagnosis([text], text, text)
    now = CheckVerdict(id="f.shut", status="failed", found=text, input_seed="ab", output=text, diagnosis=diagnosis)
    check = AppealedCheck(expected("f.shut"), None, now, SINCE, [call, ShownCall(name="", answers=values)] * calls)
    lines = [("1", text)]
    return appeal_page(language, text, "01_tiny", "f.shut", [check], text, lines)


@pytest.mark.parametrize("nasty", NASTY)
def test_nothing_of_a_students_acts_on_the_page(nasty):
    assert_sound(page(nasty))


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Do not give it to students."), ("ko", "학생에게 주지 마세요.")]
)
def test_it_says_in_each_language_for_whom_it_is_and_what_was_changed(language, sentence):
    document = assert_sound(page(language=language), language)
    assert sentence in document.text
    assert len(document.all("li")) == len(SINCE)


def test_without_calls_it_says_so():
    assert "It called nothing." in assert_sound(page(calls=0)).text
