"""Each exercise shows an example in its docstring; `grader verify` asks that it is true."""

import ast

from grader.course.layout import find_course
from grader.verify.text_rules import docstrings, examples_are_true

from ..support.classes.grading_runs import ROOT

ASSIGNMENTS = find_course(ROOT).assignments.values()


def test_every_exercise_shows_an_example_and_all_are_true():
    for assignment in ASSIGNMENTS:
        tree = ast.parse(assignment.source.read_text(encoding="utf-8"))
        exercises = [exercise.id for exercise in assignment.exercises]
        shown = {node.name: docstrings(node) for node in tree.body if getattr(node, "name", "") in exercises}
        assert [name for name in exercises if not any(">>> " in text for text in shown[name])] == []
        assert [finding.found for finding in examples_are_true(assignment, exercises)] == []
