"""What authors of suites import: the `exercise` decorator, `layer` for contracts, and the library of `checks`."""

from grader.suite.core.contract import layer
from grader.suite.core.exercise_decorator import exercise

from .library import checks

__all__ = ["checks", "exercise", "layer"]
