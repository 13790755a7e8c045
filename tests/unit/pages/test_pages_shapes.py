"""The shape of a visible check's answer is kept beside the right one; of a hidden check none goes anywhere."""

import json

import torch

from grader.pages.student import student_page
from grader.results.redact import student_copy
from grader.results.report import to_json
from grader.results.verdict import MOST_AXES, CheckVerdict, Shapes
from grader.suite import checks

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
