"""What authors of suites import: the `exercise` decorator and the library of `checks`."""

from grader.suite import checks
from grader.suite.marks import exercise

__all__ = ["checks", "exercise"]
