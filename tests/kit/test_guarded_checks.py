"""Checks that no listed mistake fails say what they guard against; here the course's solutions are spoilt in that way.

Every right solution is handed in twice: once behind `functools.cache`, which keeps its answers for the tensors that
they were made from, and once such that it takes small inputs only. Nothing but that is wrong with them.
"""

import ast
from pathlib import Path

import pytest

from .grading_runs import ROOT, Graded, grade

ASSIGNMENTS = sorted(path.name for path in (ROOT / "solutions").iterdir())
EVERY_FUNCTION = """

import functools, types
import torch

for name, thing in list(globals().items()):
    if isinstance(thing, types.FunctionType) and thing.__module__ == __name__ and name not in HELPERS:
        globals()[name] = HELPERS["spoilt"](thing)
    elif isinstance(thing, type) and issubclass(thing, torch.nn.Module) and "forward" in vars(thing):
        thing.forward = HELPERS["spoilt"](thing.forward)
"""
SPOILT = {
    "computed_anew": """

def copied(result):  # a view of an input would follow its numbers
    if isinstance(result, tuple):
        return tuple(map(copied, result))
    return result.clone(memory_format=torch.contiguous_format) if isinstance(result, torch.Tensor) else result

def spoilt(function):
    cached = functools.cache(lambda *args, **kwargs: copied(function(*args, **kwargs)))
    def answer(*args, **kwargs):
        hashable = not any(isinstance(each, (list, dict)) for each in args)
        return (cached if hashable else function)(*args, **kwargs)
    return answer

HELPERS = {"spoilt": spoilt, "copied": copied}
""",
    "large_sizes": """

def spoilt(function):
    def answer(*args, **kwargs):
        for each in args:
            if isinstance(each, torch.Tensor) and max(each.shape, default=0) > 64:
                raise RuntimeError("this answer is made for small inputs")
            if isinstance(each, (int, list)) and (each if isinstance(each, int) else len(each)) > 64:
                raise RuntimeError("this answer is made for small inputs")
        return function(*args, **kwargs)
    return answer

HELPERS = {"spoilt": spoilt}
""",
}


ALSO_LARGE = {
    "add_positional_encoding.long_sequence",
    "add_positional_encoding.long_sequence_of_a_narrow_dtype",
}
"""Other checks that have a reason of their own to use large inputs."""


def guarded(name: str) -> list[tuple[str, str]]:
    """Return the assignment and the exercise of each hidden check of that name."""
    found = []
    for file in sorted((ROOT / "tests/hidden").glob("*/test_*.py")):
        functions = [each for each in ast.parse(file.read_text()).body if isinstance(each, ast.FunctionDef)]
        if any(each.name == f"test_{name}" for each in functions):
            found.append((file.parent.name, file.stem.removeprefix("test_")))
    return found


def source_of(assignment: str) -> Path:
    """Return the file of an assignment's solution."""
    (file,) = (path for path in (ROOT / "solutions" / assignment).glob("*.py") if path.name != "mistakes.py")
    return file


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Grade all solutions, spoilt in each way."""
    folder = tmp_path_factory.mktemp("guarded")
    for name, spoilt in SPOILT.items():
        for assignment in ASSIGNMENTS:
            source = source_of(assignment)
            place = folder / "class" / name / assignment / source.name
            place.parent.mkdir(parents=True)
            place.write_text(source.read_text() + spoilt + EVERY_FUNCTION)
    done = grade(folder / "out", folder / "class")
    if done.code == 3:
        pytest.skip(done.stderr.strip())
    return done


@pytest.mark.parametrize("name", SPOILT)
def test_nearly_every_exercise_has_the_check(name):
    assert len(guarded(name)) >= 36


@pytest.mark.parametrize(
    ("name", "assignment", "exercise"), [(name, *place) for name in SPOILT for place in guarded(name)]
)
def test_a_solution_that_is_spoilt_in_this_way_alone_fails_this_check_alone(graded, name, assignment, exercise):
    failed = {check["id"] for check in graded.checks(name, exercise, assignment) if check["status"] != "passed"}
    assert failed - ALSO_LARGE == {f"{exercise}.{name}"}
