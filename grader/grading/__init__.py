"""Grades a class: finds the submissions, shuts student code in, runs each assignment's suite and writes the reports.

`whole_class` is the whole way of a class on one page, and imports neither torch nor pytest: a class in which nothing
changed needs neither. `suite_run` is the way of the submissions of one assignment through its suite.
"""

from .class_run import ClassRun, Judge
from .options import GradeOptions
from .whole_class import Graded, run, run_and_show

__all__ = ["ClassRun", "GradeOptions", "Graded", "Judge", "run", "run_and_show"]
