"""What authors of suites import: the `exercise` decorator and the library of `checks`."""

from grader.suite.core.exercise_decorator import exercise

from .library import checks

__all__ = ["checks", "exercise"]
