"""What suites ask of exceptions."""

import pytest

from grader.suite import checks
from grader.suite.core.failures import CheckFailed

from ....support.workers.open_workers import open_student


def test_the_named_exception_or_a_subclass_is_asked_for():
    student = open_student("def f(x):\n    if x: raise KeyError('no')\n    return 1\n")
    assert checks.raises(student.f, ("ValueError", "LookupError"), 1).type_name == "KeyError"
    for error, given, told in (("ValueError", 1, "KeyError was raised"), ("KeyError", 0, "nothing was raised")):
        with pytest.raises(CheckFailed, match=told):
            checks.raises(student.f, error, given)
