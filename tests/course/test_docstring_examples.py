"""Each exercise shows an example in its docstring and in the Korean task, and the solution gives what it shows."""

import doctest
import inspect

import pytest

from grader.course.handed_out.given import read_tasks
from grader.course.layout import find_course
from grader.course.run_source import load_solution

from ..support.classes.grading_runs import ROOT

EXERCISES = [
    (assignment, exercise.id)
    for assignment in find_course(ROOT).assignments.values()
    for exercise in assignment.exercises
]


def example_of(thing, name):
    """Return the example in the docstring of a function, or of a class and its methods."""
    methods = vars(thing).values() if inspect.isclass(thing) else ()
    texts = [inspect.getdoc(part) or "" for part in (thing, *filter(inspect.isfunction, methods))]
    (text,) = [text for text in texts if ">>>" in text]
    return text[text.index("Example:\n") :].split("\n\nNot allowed:")[0].split("\n\nHints:")[0]


@pytest.mark.parametrize(("assignment", "name"), EXERCISES, ids=[name for _, name in EXERCISES])
def test_an_example_is_true_and_the_same_in_both_languages(assignment, name):
    solution = load_solution(assignment)
    shown = example_of(getattr(solution, name), name)
    parsed = doctest.DocTestParser().get_doctest(shown, dict(vars(solution)), name, str(assignment.source), 0)
    ran = doctest.DocTestRunner(verbose=False).run(parsed)
    assert ran.attempted >= 1 and ran.failed == 0
    lines = inspect.cleandoc(shown.removeprefix("Example:\n")).rstrip()
    assert f"```python\n{lines}\n```" in read_tasks(assignment.tasks, assignment.exercises)[name]
