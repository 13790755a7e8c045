"""What authors of suites import: `exercise`, `layer` and `drawn` for contracts, and the library of `checks`."""

from grader.suite.core.contract import drawn, layer
from grader.suite.core.exercise_decorator import exercise

from .library import checks

__all__ = ["checks", "drawn", "exercise", "layer"]
