"""A student's file is checked in a Python of its own."""

import pytest

from grader.errors import UsageError
from grader.student_check import children
from grader.student_check.visible_checks import check_path

from ...support.workers.answering import write_answer


def test_it_finds_nothing_in_the_students_folder_as_in_grading(at_home):
    (at_home / "helper.py").write_text("")
    run = check_path(write_answer(at_home, "import helper; return x / x.sum()"), "shares")
    assert [verdict.exception_type for verdict in run.verdicts.values()] == ["ModuleNotFoundError"] * 2
    assert check_path(write_answer(at_home), "shares").all_passed


def test_one_that_cannot_start_is_told_with_its_last_words(at_home, monkeypatch):
    monkeypatch.setattr(children, "CODE", "import no_such_module")
    with pytest.raises(UsageError, match="could not be started: ModuleNotFoundError: No module named 'no_such_module'"):
        check_path(at_home)
