"""The author of a check that the solution does not pass is sent to the line that asks it."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.grading.course_errors import solution_fails
from grader.results.verdict import CheckVerdict

SUITE = "from grader.suite import exercise\n\nmean = exercise('mean')\nmean.contract(x='T d', result='d')\n"


@pytest.mark.parametrize(("written", "line"), [(True, 7), (False, 4)], ids=["a check of the suite", "a rule"])
def test_a_failing_check_has_its_own_line_and_a_rule_that_of_its_contract(tmp_path, written, line):
    suite = tmp_path / "test_mean.py"
    suite.write_text(SUITE, encoding="utf-8")
    place = (suite if written else Path("items.py"), 6, "")
    item = SimpleNamespace(path=suite, name="mean.value", reportinfo=lambda: place)
    error = solution_fails(CheckVerdict(id="mean.value", status="failed", found="It differs."), {"mean.value": item})
    assert f"test_mean.py, line {line}: " in str(error)
