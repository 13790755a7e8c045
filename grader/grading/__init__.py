"""Grades a class: finds the submissions, shuts student code in, runs each assignment's suite and writes the reports.

`class_run` is the whole way of a class on one page, and imports neither torch nor pytest: a class in which nothing
changed needs neither. `suite_run` is the way of the submissions of one assignment through its suite.
"""

from .class_run import Elsewhere, Graded, grade_all, grade_class
from .options import GradeOptions

__all__ = ["Elsewhere", "GradeOptions", "Graded", "grade_all", "grade_class"]
