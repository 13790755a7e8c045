"""Marks of nbgrader are written anew, reports are shown without acting, and what is handed in is read as data."""

import pytest

from grader.nbgrader.class_run import ClassRun, GradingFailedError, HandedIn


def test_a_run_that_grades_nothing_is_a_sentence(tmp_path):
    run = ClassRun(tmp_path, tmp_path / "reports", [], lambda _: None)
    with pytest.raises(GradingFailedError, match="No course was found"):
        run.grade([HandedIn("ann", "01_tiny", tmp_path)])
