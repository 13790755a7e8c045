"""A wrong answer of a visible check is pictured beside the right one; of a hidden check no number goes anywhere."""

import json
import re

import msgspec
import pytest
import torch

from grader.pages.pictures import MOST_NAMED, differing, pictures
from grader.pages.student import student_markdown, student_page
from grader.results.redact import student_copy
from grader.results.report import read_report, to_json
from grader.results.report_json import decode_document
from grader.results.verdict import MOST_SHOWN, CheckVerdict, Values, read_verdict, verdict_line
from grader.suite.core.compare import require_close
from grader.suite.core.failures import CheckFailed
from grader.suite.runner.outcomes import verdict_of
from grader.tolerances import Tolerance

from ..support.report_parts import passed, report_of, validator
from .page_structure import Document, assert_readable, assert_shut

CLOSE = Tolerance(absolute=1e-6, relative=1e-6)
SMALL = Values(shape=[2, 2], place=[], yours=["1 nan", "-2.5 0"], expected=["1 0.5", "2.5 0"])


def failed(actual: torch.Tensor, expected: torch.Tensor) -> Values | None:
    """Return the values of the verdict on a wrong answer."""
    with pytest.raises(CheckFailed) as caught:
        require_close(actual, expected, CLOSE)
    verdict = verdict_of("f.open", caught.value)
    assert read_verdict(verdict_line(verdict)) == verdict
    return verdict.values


def wrong(id: str, values: Values | None = SMALL) -> CheckVerdict:
    """A wrong answer with its values."""
    return CheckVerdict(id=id, status="failed", found="2 of 4 entries differ.", values=values)


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
    report = report_of(wrong("f.open"), wrong("f.shut"), wrong("g.late"))
    kept = {check.id: check.detail.values for each in report.exercises for check in each.checks}
    assert kept == {"f.open": SMALL, "f.shut": None, "g.late": None}
    shown = student_copy(report, due_passed=True)
    told = {check.id: check.detail and check.detail.values for each in shown.exercises for check in each.checks}
    assert told == kept
    assert to_json(report).count(b"-2.5 0") == to_json(shown).count(b"-2.5 0") == 1
    validator("report.schema.json").validate(json.loads(to_json(report)))
    validator("student-report.schema.json").validate(json.loads(to_json(shown)))


def test_a_report_of_the_version_before_is_still_read_and_valid():
    text = re.sub(rb',\s*"values": null', b"", to_json(report_of(*passed("f.open")))).replace(b'"1.2"', b'"1.0"')
    assert b"values" not in text
    report = read_report(text)
    assert report.exercises[0].checks[0].detail.values is None
    validator("report.schema.json").validate(json.loads(text))


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
    copy = student_copy(report_of(wrong("f.open"), *passed("f.shut", "g.late")))
    page = student_page(copy)
    document = Document(page)
    assert_shut(document)
    assert_readable(document, "en")
    text = " ".join(document.text.split())
    assert "yours 0 1 0 1 nan 1 -2.5 0" in text
    assert "expected 0 1 0 1 0.5 1 2.5 0" in text
    assert "difference 0 1 0 0 nan 1 -5 0" in text
    assert "| \\[0, 1\\] | nan | 0.5 |\n| \\[1, 0\\] | -2.5 | 2.5 |\n\n" in student_markdown(copy).decode()


def test_a_matrix_inside_an_answer_is_named_by_its_place():
    values = msgspec.structs.replace(SMALL, shape=[3, 2, 2, 2], place=[2, 1])
    page = student_page(student_copy(report_of(wrong("f.open", values)))).decode()
    assert "Your answer beside the expected one, at [2, 1]" in page
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


def test_the_largest_pictures_of_ten_exercises_fit_into_a_page():
    rows = [" ".join(["-0.0123456"] * MOST_SHOWN)] * MOST_SHOWN
    values = Values(shape=[16, 16], place=[], yours=rows, expected=["1 " * 15 + "1"] * 16)
    sizes = [len(student_page(student_copy(report_of(wrong("f.open", each))))) for each in (None, values)]
    assert 10 * (sizes[1] - sizes[0]) < 250_000


@pytest.mark.parametrize("row", ["1.79769e+308 -1.79769e+308", "4.94066e-324 0", "nan nan", "inf -inf", "-0 0"])
def test_numbers_at_every_end_make_a_page(row):
    values = Values(shape=[2], place=[], yours=[row], expected=["-1.79769e+308 inf"])
    assert_readable(Document(student_page(student_copy(report_of(wrong("f.open", values))))), "en")
