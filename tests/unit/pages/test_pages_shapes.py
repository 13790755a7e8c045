"""A wrong shape of a visible check's answer is drawn beside the right one; of a hidden check none goes anywhere."""

import json

import pytest
import torch

from grader.pages.pictures import shape_boxes
from grader.pages.student import student_page
from grader.results.redact import student_copy
from grader.results.report import to_json
from grader.results.verdict import MOST_AXES, CheckVerdict, Shapes
from grader.suite import checks

from ...support.reports.page_structure import Document, assert_readable, assert_shut
from ...support.reports.report_parts import passed, report_of, validator
from .test_pages_pictures import verdict_on


def test_a_wrong_shape_is_kept_beside_the_right_one():
    verdict = verdict_on(checks.close, torch.ones(3), torch.ones(3, 2))
    assert (verdict.shapes, verdict.values) == (Shapes(yours=[3], expected=[3, 2]), None)
    assert verdict_on(checks.has_shape, torch.ones(0, 3), ()).shapes == Shapes(yours=[0, 3], expected=[])
    assert verdict_on(checks.has_shape, torch.ones([1] * (MOST_AXES + 1)), (1,)).shapes is None


def misshapen(id: str) -> CheckVerdict:
    """An answer of the wrong shape."""
    return CheckVerdict(id=id, status="failed", found="Look.", shapes=Shapes(yours=[9973, 3], expected=[3, 9973, 3]))


def test_only_a_visible_check_has_shapes_in_either_copy():
    report = report_of(misshapen("f.open"), misshapen("f.shut"), misshapen("g.late"))
    shown = student_copy(report)
    assert to_json(report).count(b'"shapes": {') == to_json(shown).count(b'"shapes": {') == 1
    validator("report.schema.json").validate(json.loads(to_json(report)))
    validator("student-report.schema.json").validate(json.loads(to_json(shown)))
    hidden = student_copy(report_of(*passed("f.open"), misshapen("f.shut"), misshapen("g.late")))
    assert b"9973" not in student_page(hidden) + to_json(hidden)


def test_shapes_are_drawn_and_said_with_the_axes_that_differ():
    copy = student_copy(report_of(misshapen("f.open"), *passed("f.shut", "g.late")))
    page = student_page(copy)
    assert_shut(Document(page))
    assert_readable(Document(page), "en")
    assert page.count(b'<svg class="box"') == 2
    assert "yours: (9973, 3)" in Document(page).text


def test_a_shape_of_one_axis_is_written_as_python_writes_it():
    verdict = CheckVerdict(id="f.open", status="failed", found="Look.", shapes=Shapes(yours=[3], expected=[]))
    copy = student_copy(report_of(verdict))
    text = Document(student_page(copy)).text
    assert "yours: (3,)" in text
    assert "expected: ()" in text


@pytest.mark.parametrize(
    ("yours", "expected", "marks"),
    [
        ([2, 3], [3, 2], ([True, True], [True, True])),
        ([2, 5, 3], [2, 4, 3], ([False, True, False], [False, True, False])),
        ([6], [6, 6], ([False], [False, True])),
        ([1, 3, 4], [3, 4], ([True, False, False], [False, False])),
        ([], [2], ([], [True])),
        ([0, 2**63 - 1], [0], ([False, True], [False])),
    ],
)
def test_the_axes_that_the_other_shape_lacks_are_marked(yours, expected, marks):
    boxes = shape_boxes(Shapes(yours=yours, expected=expected))
    assert tuple([differs for _, differs in box.axes] for box in boxes) == marks
    assert all(0 < side < 200 for box in boxes for side in (box.width, box.height))
