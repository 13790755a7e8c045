"""Grades a class: finds the submissions, shuts student code in, runs each assignment's suite and writes the reports.

`classrun` is the whole way of a class on one page, and imports neither torch nor pytest: a class in which nothing
changed needs neither. `suite_run` is the way of the submissions of one assignment through its suite.
"""

from grader.grading.classrun import Graded, grade_all, grade_class
from grader.grading.order import Order

__all__ = ["Graded", "Order", "grade_all", "grade_class"]
