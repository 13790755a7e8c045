"""Hints that students ask for: every exercise has them, and none holds numbers that only a hidden check holds."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from grader.course.layout import find_course

ROOT = Path(__file__).resolve().parents[2]
COURSE = find_course(ROOT)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
LIST = re.compile(rf"{NUMBER.pattern}(?:\D{{1,3}}{NUMBER.pattern}){{3,}}")


def lists_of(files):
    """Return the lists and tuples of at least four numbers in Python files, as numbers, flat."""
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    found = {tuple(numbers(ast.unparse(node))) for node in nodes if isinstance(node, ast.List | ast.Tuple)}
    return {each for each in found if len(each) > 3}


def numbers(text):
    """Return the numbers in a text."""
    return [float(each) for each in NUMBER.findall(text)]


@pytest.mark.parametrize("assignment", COURSE.assignments.values(), ids=COURSE.assignments)
def test_every_exercise_has_hints_without_numbers_of_a_hidden_check(assignment):
    tables = tomllib.loads(assignment.hint_levels.read_text(encoding="utf-8"))
    assert list(tables) == [each.id for each in assignment.exercises]
    hidden = lists_of(assignment.hidden.glob("*.py")) - lists_of([assignment.visible])
    assert hidden
    texts = [text for table in tables.values() for text in table.values()]
    assert [text for text in texts if re.search(r"\d\.\d", text)] == []
    assert [text for text in texts for run in LIST.findall(text) if tuple(numbers(run)) in hidden] == []
