"""Checks for large inputs and for answers that are kept can fail: here the course's solutions are spoilt in that way.

Every right solution is handed in twice: once behind `functools.cache`, which keeps its answers for the tensors that
they were made from, and once such that it takes small inputs only. Nothing but that is wrong with them.
"""

from pathlib import Path

import pytest

from ...support.classes.grading_runs import ROOT, Graded, grade
from ...support.course_copy import course_copy

ASSIGNMENTS = sorted(path.name for path in (ROOT / "solutions").iterdir())
LARGE_BY_THEMSELVES = {
    "scaled_attention_weights.scores_in_the_hundreds",
    "causal_attention_weights.far_scores",
    "add_positional_encoding.long_sequence",
    "add_positional_encoding.long_sequence_of_a_narrow_dtype",
    "MultiHeadSelfAttention.shapes_of_the_note",
    "multi_head_attention.causal",
}
"""Checks that have a large size of their own."""
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
    "sizes": """

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

LEFT_OUT = {
    "computed_anew": {"causal_mask", "causal_mask_simple", "positional_encoding", "embed_tokens"},
    "sizes": {"positional_encoding"},
}
"""Exercises that are given no tensor for which an answer could be kept, and one with a check of its own."""


def asking(what: str) -> dict[tuple[str, str], str]:
    """Return the hidden check that asks for something, by assignment and exercise."""
    files = {file.stem.removeprefix("test_"): file for file in sorted((ROOT / "tests/hidden").glob("*/test_*.py"))}
    return {
        (file.parent.name, exercise): f"{exercise}.{what}"
        for exercise, file in files.items()
        if exercise not in LEFT_OUT[what]
    }


def source_of(assignment: str) -> Path:
    (file,) = (ROOT / "solutions" / assignment).glob("*.py")
    return file


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    folder = tmp_path_factory.mktemp("guarded")
    for name, spoilt in SPOILT.items():
        for assignment in ASSIGNMENTS:
            source = source_of(assignment)
            place = folder / "class" / name / assignment / source.name
            place.parent.mkdir(parents=True)
            place.write_text(source.read_text() + spoilt + EVERY_FUNCTION)
    done = grade(folder / "out", folder / "class", cwd=course_copy())
    if done.code == 3:
        pytest.skip(done.stderr.strip())
    return done


@pytest.mark.parametrize("what", SPOILT)
def test_nearly_every_exercise_asks_for_it(what):
    assert len(asking(what)) >= 36


def test_a_solution_that_is_spoilt_in_this_way_alone_fails_what_asks_for_it_alone(subtests, graded):
    for what in SPOILT:
        for (assignment, exercise), asked in asking(what).items():
            with subtests.test(what=what, exercise=exercise):
                checks = graded.checks(what, exercise, assignment)
                failed = {check["id"] for check in checks if check["status"] not in ("passed", "skipped")}
                assert failed - LARGE_BY_THEMSELVES == {asked}
