"""A wrong answer of a visible check is pictured beside the right one; of a hidden check no number goes anywhere.

So it is on our pages and on those of platforms, which have none of our style sheets.
"""

import json
import re

import msgspec
import pytest
import torch

from grader.language import translation
from grader.pages.inline import inline_pictures
from grader.pages.pictures import MOST_NAMED, differing, pictures
from grader.pages.student import student_page
from grader.results.redact import student_copy
from grader.results.report import to_json
from grader.results.report_json import decode_document
from grader.results.verdict import (
    MOST_SHOWN,
    CheckVerdict,
    Values,
    read_verdict,
    verdict_line,
)
from grader.suite.core.compare import require_close
from grader.suite.core.failures import CheckFailed
from grader.tolerances import Tolerance

from ...support.exercises.small_suites import verdict_left_by
from ...support.reports.page_structure import Document, assert_sound
from ...support.reports.report_parts import passed, report_of, validator

MOST_BYTES = 300_000
CLOSE = Tolerance(absolute=1e-6, relative=1e-6)
SMALL = Values(shape=[2, 2], place=[], yours=["1 nan", "-2.5 0"], expected=["1 0.5", "2.5 0"])


def verdict_on(ask, *args, **kwargs) -> CheckVerdict:
    """Return the verdict on a wrong answer, which is the same after its way from process to process."""
    with pytest.raises(CheckFailed) as caught:
        ask(*args, **kwargs)
    verdict = verdict_left_by(caught.value)
    assert read_verdict(verdict_line(verdict)) == verdict
    return verdict


def failed(actual: torch.Tensor, expected: torch.Tensor) -> Values | None:
    return verdict_on(require_close, actual, expected, CLOSE).values


def wrong(id: str, values: Values | None = SMALL) -> CheckVerdict:
    return CheckVerdict(id=id, status="failed", found="2 of 4 entries differ.", values=values)


def page_of(values: Values | None) -> bytes:
    """Return a student's page of a visible check with these values."""
    return student_page(student_copy(report_of(wrong("f.open", values))))


def words_of(values: Values) -> str:
    return Document(page_of(values)).words


def test_a_small_matrix_is_kept_to_six_digits():
    values = failed(torch.tensor([[1 / 3, 2.0], [1e-9, float("inf")]]), torch.tensor([[1 / 3, 2.5], [0.0, 1e20]]))
    assert values == Values(
        shape=[2, 2], place=[], yours=["0.333333 2", "1e-09 inf"], expected=["0.333333 2.5", "0 1e+20"]
    )


def test_a_vector_is_one_row_and_not_a_number_is_text():
    values = failed(torch.tensor([1.0, float("nan")]), torch.tensor([1.0, 2.0]))
    assert values == Values(shape=[2], place=[], yours=["1 nan"], expected=["1 2"])


def test_of_more_dimensions_the_matrix_of_the_first_wrong_entry_is_kept():
    expected = torch.zeros(2, 3, 2, 2)
    actual = expected.clone()
    actual[1, 2, 0, 1] = 7
    values = failed(actual, expected)
    assert (values.place, values.yours) == ([1, 2], ["0 7", "0 0"])


@pytest.mark.parametrize("shape", [(), (MOST_SHOWN + 1,), (2, MOST_SHOWN + 1), (MOST_SHOWN + 1, 2)])
def test_large_answers_and_single_numbers_are_not_kept(shape):
    assert failed(torch.ones(shape), torch.zeros(shape)) is None


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.int64, torch.bool])
def test_an_answer_of_any_dtype_is_kept_as_numbers(dtype):
    assert failed(torch.ones(MOST_SHOWN, 1).to(dtype), torch.zeros(MOST_SHOWN, 1)).yours == ["1"] * MOST_SHOWN


def test_only_a_visible_check_has_values_in_either_copy():
    names = ("f.open", "f.shut", "g.late")
    verdicts = [CheckVerdict(id=id, status="failed", found="Look at 9973.", values=SMALL) for id in names]
    report = report_of(*verdicts)
    kept = {check.id: check.detail.values for exercise in report.exercises for check in exercise.checks}
    assert kept == {"f.open": SMALL, "f.shut": None, "g.late": None}
    shown = student_copy(report)
    for name, copy in (("report", report), ("student-report", shown)):
        text = to_json(copy)
        assert text.count(b"-2.5 0") == 1
        validator(f"{name}.schema.json").validate(json.loads(text))
    assert {check.id for exercise in shown.exercises for check in exercise.checks if check.detail} == {"f.open"}
    hidden = student_copy(report_of(*passed("f.open"), *verdicts[1:]))
    assert b"9973" not in student_page(hidden) + to_json(hidden)


@pytest.mark.parametrize(
    "spoilt",
    [
        {"yours": ["1 2"]},
        {"yours": ["1 2", "1"]},
        {"yours": []},
        {"yours": ["<b> 1", "1 2"]},
        {"yours": [" ".join("1" * 17)] * 2, "expected": [" ".join("1" * 17)] * 2},
        {"yours": ["1 2"] * 17, "expected": ["1 2"] * 17},
        {"yours": [f"1{'0' * 400} 1", "1 2"]},
    ],
)
def test_values_that_no_run_writes_are_refused(spoilt):
    text = json.dumps({**msgspec.to_builtins(SMALL), **spoilt})
    with pytest.raises(msgspec.ValidationError):
        decode_document(text.encode(), Values)


def test_a_page_shows_three_tables_to_every_reader():
    assert_sound(page_of(SMALL))
    text = words_of(SMALL)
    assert "yours 0 1 0 1 nan 1 -2.5 0" in text
    assert "expected 0 1 0 1 0.5 1 2.5 0" in text
    assert "difference 0 1 0 0 nan 1 -5 0" in text


def test_a_matrix_inside_an_answer_is_named_by_its_place():
    values = msgspec.structs.replace(SMALL, shape=[3, 2, 2, 2], place=[2, 1])
    page = page_of(values).decode()
    assert "Your answer next to the expected one, at [2, 1]" in page
    assert differing(values)[0][0] == "[2, 1, 0, 1]"


def test_answer_and_expectation_are_shaded_on_one_scale_and_the_difference_on_its_own():
    values = Values(shape=[3], place=[], yours=["8 -1 inf"], expected=["8 -1.5 4"])
    assert [[level for _, level in picture.rows[0]] for picture in pictures(values)] == [
        ["o4", "u1", "o4"],
        ["o4", "u1", "o2"],
        ["o0", "o4", "o4"],
    ]


def test_the_entries_that_differ_most_come_first():
    yours = " ".join(str(number) for number in range(MOST_SHOWN))
    values = Values(shape=[16], place=[], yours=[yours], expected=[" ".join("0" * 16)])
    named = differing(values)
    assert (len(named), named[0]) == (MOST_NAMED, ("[15]", "15", "0"))


def test_the_largest_pictures_of_nine_exercises_fit_into_a_page():
    values = Values(
        shape=[16, 16],
        place=[],
        yours=[" ".join(["-1.23457e-05"] * MOST_SHOWN)] * MOST_SHOWN,
        expected=[" ".join(["-9.87654e-06"] * MOST_SHOWN)] * MOST_SHOWN,
    )
    sizes = [len(page_of(picture)) for picture in (None, values)]
    assert sizes[0] + 9 * (sizes[1] - sizes[0]) < MOST_BYTES


@pytest.mark.parametrize("row", ["1.79769e+308 -1.79769e+308", "nan nan", "inf -inf"])
def test_numbers_at_every_end_make_a_page(row):
    values = Values(shape=[2], place=[], yours=[row], expected=["-1.79769e+308 inf"])
    page = page_of(values)
    assert_sound(page)
    assert not re.search(rb'="-?(nan|inf)"', page)


def test_a_vector_is_one_table():
    values = Values(shape=[3], place=[], yours=["2 -1 nan"], expected=["1 -4 inf"])
    assert "0 1 2 yours 2 -1 nan expected 1 -4 inf difference 1 3 nan" in words_of(values)


def test_the_shades_are_in_the_cells_themselves():
    text = str(inline_pictures(SMALL, "ko"))
    assert text.count("<table ") == 3 and text.count("<td ") == 12
    assert "class=" not in text
    assert "rgba(11,87,194,0.48)" in text and "rgba(200,90,0,0.48)" in text
    for words in ("Your answer next to the expected one", "yours", "expected", "difference"):
        assert translation("ko").gettext(words) in text


def test_of_a_larger_answer_it_is_said_which_matrix_is_shown():
    larger = Values(shape=[3, 2, 1], place=[2], yours=["1", "2"], expected=["2", "1"])
    assert "Your answer next to the expected one, at [2]" in str(inline_pictures(larger, "en"))


def test_a_vector_is_one_table_on_platforms_too():
    vector = Values(shape=[2], place=[], yours=["0.166667 1"], expected=["0.5 1"])
    text = str(inline_pictures(vector, "en"))
    assert text.count("<table ") == 1 and text.count('scope="row"') == 3
    assert ">0.1667</td>" in text
